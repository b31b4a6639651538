#!/usr/bin/env python3
"""Holds the transcription of the spec to the golden files, and fixture.json to it."""

import contextlib
import io
import json
import math
import os
import tempfile
import unittest
from decimal import Context, Decimal
from unittest import mock

import correct_rounding
import make_fixture
import sampling_spec as spec

# Not the real path: Bazel lays the files out as symbolic links.
TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read_golden(name):
    with open(os.path.join(TESTS, "golden", name), encoding="utf-8") as file:
        return json.load(file)


def uniforms(count, low, high, seed=1):
    rng = spec.Pcg32(seed)
    return [low + (high - low) * rng.uniform() for _ in range(count)]


class CorrectRoundingTest(unittest.TestCase):
    def assert_exp_is_correct(self, arguments):
        for x in arguments:
            self.assertEqual(correct_rounding.exp(x), correct_rounding.exp_by_decimal(x), x.hex())

    def test_exp_of_usual_arguments(self):
        self.assert_exp_is_correct(uniforms(20000, -40.0, 40.0))

    def test_exp_over_the_whole_range(self):
        self.assert_exp_is_correct(uniforms(10000, -746.0, 709.78))

    def test_exp_with_subnormal_results(self):
        self.assert_exp_is_correct(uniforms(10000, -746.0, -708.0))

    def test_exp_of_small_arguments(self):
        sizes = [2.0**exponent for exponent in uniforms(5000, -56.0, 0.0)]
        self.assert_exp_is_correct(sizes + [-size for size in sizes])

    def test_exp_where_it_becomes_zero_or_infinite(self):
        edges = []
        for edge in (-745.1332191019411, -746.0, 709.782712893384):
            edges += [edge, math.nextafter(edge, -math.inf)]
        self.assert_exp_is_correct(edges)
        self.assertEqual(correct_rounding.exp(-math.inf), 0.0)
        self.assertEqual(correct_rounding.exp(-1e300), 0.0)
        with self.assertRaises(OverflowError):
            correct_rounding.exp(709.8)

    def test_exp_almost_halfway_between_two_values(self):
        # The second-order term, 2^-107, decides: neither 112 bits less the error bound nor 30
        # decimal digits can see it.
        self.assertEqual(correct_rounding.exp(2.0**-53), 1 + 2.0**-52)
        self.assertEqual(correct_rounding.exp(-(2.0**-54)), 1.0)
        self.assertEqual(correct_rounding.exp(-3 * 2.0**-54), 1 - 2.0**-53)

    def test_log_agrees_with_decimal_of_many_digits(self):
        context = Context(prec=80)
        arguments = uniforms(1000, 0.0, 1.0) + uniforms(1000, 1.0, 3000.0)
        arguments += [5e-324, 2.0**-1022, 1 - 2.0**-53, 1 + 2.0**-52, 1.7976931348623157e308]
        for x in arguments:
            self.assertEqual(correct_rounding.log(x), float(Decimal(x).ln(context)), x.hex())
        self.assertEqual(correct_rounding.log(1.0), 0.0)


class RandomNumbersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.vectors = read_golden("pcg32_vectors.json")

    def test_outputs(self):
        for seed, outputs in self.vectors["next_u32"].items():
            rng = spec.Pcg32(int(seed))
            self.assertEqual([rng.next_u32() for _ in outputs], outputs, seed)

    def test_uniforms(self):
        for seed, expected in self.vectors["uniform_f64"].items():
            rng = spec.Pcg32(int(seed))
            self.assertEqual([rng.uniform() for _ in expected], expected, seed)

    def test_child_seeds(self):
        for seed, children in self.vectors["child_seed"].items():
            for purpose, child in children.items():
                stream = self.vectors["purposes"][purpose]
                self.assertEqual(spec.child_seed(int(seed), stream), child, (seed, purpose))

    def test_sub_streams(self):
        for seed, streams in self.vectors["stream_next_u32"].items():
            for purpose, outputs in streams.items():
                rng = spec.sub_stream(int(seed), self.vectors["purposes"][purpose])
                self.assertEqual([rng.next_u32() for _ in outputs], outputs, (seed, purpose))

    def test_seed_0_as_the_spec_prints_it(self):
        self.assertEqual(spec.child_seed(0, spec.SAMPLE_STREAM), 0xF88BB8A8724C81EC)
        first = spec.sub_stream(0, spec.SAMPLE_STREAM).uniform()
        self.assertEqual(first.hex(), "0x1.9aac30ff7d566p-1")

    def test_seed_42_as_the_recipe_prints_it(self):
        rng = spec.Pcg32(42)
        self.assertEqual(
            [rng.next_u32() for _ in range(3)], [0xA15C02B7, 0x7B47F409, 0xBA1D3330]
        )


class GoldenTest(unittest.TestCase):
    def test_sampler(self):
        compared = 0
        for case in read_golden("spec_sampler_golden.json")["cases"]:
            logits = [float(l) for l in case["logits"]]
            stream = spec.Stream(spec.Params(**case["params"]), case["seed"], case["prompt"])
            samples = [stream.sample(logits) for _ in case["ids"]]
            with self.subTest(case["name"]):
                self.assertEqual([s.token_id for s in samples], case["ids"])
                self.assertEqual([s.logprob for s in samples], case["logprobs"])
            compared += len(samples)
        self.assertEqual(compared, 144)

    def test_streams(self):
        cases = read_golden("spec_streams.json")["cases"]
        self.assertEqual(len(cases), 40)
        for case in cases:
            vocab_size = case["vocab_size"]
            prompt = spec.make_prompt(vocab_size, case["prompt_seed"], case["prompt_len"])
            stream = spec.Stream(spec.Params(**case["params"]), case["seed"], prompt)
            samples = [
                stream.sample(
                    spec.make_logits(case["shape"], vocab_size, case["logits_seed"], step)
                )
                for step in range(len(case["ids"]))
            ]
            with self.subTest(case["name"]):
                self.assertEqual([s.token_id for s in samples], case["ids"])
                self.assertEqual([s.logprob.hex() for s in samples], case["logprobs_hex"])
                self.assertEqual([s.kept_count for s in samples], case["kept"])


class StreamTest(unittest.TestCase):
    def test_hand_example(self):
        sample = spec.Stream(spec.Params(top_k=3, top_p=0.8), seed=0).sample([1, 3, 2, 3, -1])
        removed = spec.NEG_INF
        self.assertEqual(sample.processed, [removed, 3, removed, 3, removed])
        self.assertEqual(sample.distribution, [0, 0.5, 0, 0.5, 0])
        self.assertEqual(sample.token_id, 3)
        self.assertEqual(sample.kept_count, 2)
        self.assertEqual(round(sample.logprob, 5), -0.92487)
        self.assertEqual(spec.entropy(sample.distribution), correct_rounding.log(2.0))

    def test_greedy_takes_lowest_id_and_draws_nothing(self):
        sample = spec.Stream(spec.Params(temperature=0.0, top_k=1), seed=0).sample([1, 3, 3])
        self.assertEqual(sample.token_id, 1)
        self.assertIsNone(sample.uniform)
        self.assertEqual(sample.processed, [1, 3, 3])
        self.assertEqual(sample.distribution, [0, 1, 0])

    def test_presence_and_frequency_ignore_the_prompt(self):
        params = spec.Params(presence_penalty=0.25, frequency_penalty=0.5)
        stream = spec.Stream(params, seed=0, prompt=[0, 0])
        self.assertEqual(stream.sample([2.0]).processed, [2.0])
        self.assertEqual(stream.sample([2.0]).processed, [1.25])
        self.assertEqual(stream.sample([2.0]).processed, [0.75])

    def test_masked_token_stays_removed(self):
        params = spec.Params(repetition_penalty=0.5, presence_penalty=-9.0)
        stream = spec.Stream(params, seed=0, prompt=[0], allowed_ids=[1])
        self.assertEqual(stream.sample([9.0, 1.0]).processed, [spec.NEG_INF, 1.0])


class DrawTest(unittest.TestCase):
    def test_u_on_a_boundary_belongs_to_the_next_token(self):
        quarters = [0.25, 0.0, 0.25, 0.5]
        self.assertEqual(spec.draw(quarters, 0.0), 0)
        self.assertEqual(spec.draw(quarters, math.nextafter(0.25, 0)), 0)
        self.assertEqual(spec.draw(quarters, 0.25), 2)
        self.assertEqual(spec.draw(quarters, 0.5), 3)

    def test_mass_that_rounding_leaves_short_goes_to_the_last_possible_token(self):
        largest_uniform = 1 - 2.0**-53
        tenths = [0.1] * 10 + [0.0]  # Their running sum is 1 - 2^-53 too.
        self.assertEqual(spec.draw(tenths, largest_uniform), 9)


class ErrorsTest(unittest.TestCase):
    def assert_refused(self, logits, prompt=(), allowed_ids=None, **params):
        with self.assertRaises(spec.SpecError):
            spec.Stream(spec.Params(**params), 0, prompt, allowed_ids).sample(logits)

    def test_logits(self):
        for logits in ([], [0.0, math.nan], [0.0, math.inf], [spec.NEG_INF, spec.NEG_INF]):
            with self.subTest(logits=logits):
                self.assert_refused(logits)

    def test_token_ids(self):
        self.assert_refused([0.0], prompt=[1])
        self.assert_refused([0.0], prompt=[-1])
        self.assert_refused([0.0], allowed_ids=[1])

    def test_mask_that_allows_nothing(self):
        self.assert_refused([0.0], allowed_ids=[])
        self.assert_refused([0.0, spec.NEG_INF], allowed_ids=[1])

    def test_params(self):
        for params in (
            {"temperature": -0.1},
            {"temperature": math.nan},
            {"top_k": -1},
            {"top_p": 0.0},
            {"top_p": 1.1},
            {"min_p": -0.1},
            {"min_p": 1.1},
            {"repetition_penalty": 0.0},
            {"presence_penalty": math.inf},
            {"frequency_penalty": math.nan},
        ):
            with self.subTest(**params):
                self.assert_refused([0.0], **params)

    def test_logit_taken_out_of_range(self):
        self.assert_refused([1.0], temperature=1e-309)
        self.assert_refused([-1.0], temperature=1e-309)
        self.assert_refused([1e3], prompt=[0], repetition_penalty=1e-306)


class FixtureTest(unittest.TestCase):
    def check(self):
        """Returns the exit code of make_fixture.check, and what it printed."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            return make_fixture.check(), printed.getvalue()

    def test_committed_fixture_is_what_the_transcription_makes(self):
        code, message = self.check()
        self.assertEqual(code, 0, message)

    def test_check_names_the_line_that_differs(self):
        lines = make_fixture.read_fixture().split("\n")
        lines[9] += " "
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fixture.json")
            with open(path, "w", encoding="ascii", newline="") as file:
                file.write("\n".join(lines))
            with mock.patch.object(make_fixture, "FIXTURE", path):
                code, message = self.check()
        self.assertEqual(code, 1)
        self.assertIn("first at line 10;", message)

    def test_check_reports_a_missing_file(self):
        with mock.patch.object(make_fixture, "FIXTURE", "/nowhere/fixture.json"):
            code, message = self.check()
        self.assertEqual(code, 1)
        self.assertIn("/nowhere/fixture.json", message)


if __name__ == "__main__":
    unittest.main()

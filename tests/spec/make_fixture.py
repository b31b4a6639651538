#!/usr/bin/env python3
"""Writes fixture.json: streams sampled by the transcription of the spec, for the C++ to match.

Every number compares bit for bit. float64 values are C hex floats in strings ("0x1.8p+0"; a removed
token's logit is "-inf"), seeds are unsigned 64-bit integers (do not read them through a double).

  cases[]                  one sampled stream each, independent of the others
    name                   unique
    vocab_size             V
    shape, logits_seed     the recipe that makes the logits of step t (sampling_spec.make_logits);
                           beside the shapes of the golden files there are, u being a PCG32's next
                           uniform as in uniform8:
                             two_valued  u < 0.5 ? 2.5 : -1.25
                             all_equal   0.75
                             tied_top    uniform8, and all above 4 lowered to 4
                           or, with shape "explicit" and no logits_seed:
    logits                 the V logits of every step, exact in float32
    prompt_seed,prompt_len the prompt by its recipe; length 0 is an empty prompt
    seed                   of the draw
    allowed_ids            the mask of all steps: ids (ascending) that stay; null is no mask
    params                 temperature, top_k, top_p, min_p, repetition_penalty, presence_penalty,
                           frequency_penalty; plain JSON numbers, the nearest float64 each
    steps[]                one token each, in order; each is committed before the next
      id                   the token
      logprob              of that token: after mask and penalties, before temperature and filters
      kept                 candidates left when the draw begins; 1 when greedy
      uniform              u of the draw; null when greedy, which draws nothing
      entropy              of the final distribution, in nats; +0 when one token has all
      processed            V processed logits. Only in the first steps of small vocabularies
      distribution         V probabilities, 0 for removed tokens; there together with `processed`

The cases are dealt by a generator with a fixed seed, so the same command gives the same bytes. To
change them, change this file, run it, and read the diff of fixture.json (one line a step).
"""

import argparse
import json
import os
import sys
from dataclasses import asdict

import sampling_spec as spec

FIXTURE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixture.json")

CASE_DEALER_SEED = 20240229
DEALT_CASES = 96
MAX_U64 = 2**64 - 1

# Full vectors are written up to these sizes, to keep the file small.
FULL_VECTORS_MAX_VOCAB = 33
FULL_VECTORS_STEPS = 2

# The four of each binade whose exp comes nearest to halfway between two float64 values, of all
# float32 values in (-8, -0.5]; an exp that is not correctly rounded gets about half of them wrong.
HARD_EXP_ARGUMENTS = [
    float.fromhex(text)
    for text in (
        "-0x1.0ab1aep-1 -0x1.3dc99ap-1 -0x1.7d444cp-1 -0x1.37d44p-1 "
        "-0x1.d9f862p+0 -0x1.78081ap+0 -0x1.5ae612p+0 -0x1.852e74p+0 "
        "-0x1.8e79p+1 -0x1.f87598p+1 -0x1.39c20cp+1 -0x1.209a5cp+1 "
        "-0x1.97c054p+2 -0x1.901f5ep+2 -0x1.f70efap+2 -0x1.de256cp+2"
    ).split()
]


class Dealer:
    """Deals values from shuffled decks: a whole deck comes up before any of it does again."""

    def __init__(self, seed):
        self._rng = spec.Pcg32(seed)
        self._decks = {}

    def below(self, n):
        return int(self._rng.uniform() * n)

    def u64(self):
        return self._rng.next_u32() << 32 | self._rng.next_u32()

    def deal(self, name, values):
        deck = self._decks.setdefault(name, [])
        if not deck:
            deck.extend(values)
        return deck.pop(self.below(len(deck)))


def random_seed(dealer, name):
    """Mostly any 64-bit seed, and the edges among them."""
    seed = dealer.deal(name, [0, 1, 42, 2**63, MAX_U64, None, None, None, None, None])
    return dealer.u64() if seed is None else seed


def deal_params(dealer, vocab_size):
    top_k = dealer.deal("top_k", [0, 0, 0, 0, 1, 2, 5, 40, 40, "V - 1", "V", "V + 7", 2**31 - 1])
    relative_to_vocab = {"V - 1": vocab_size - 1, "V": vocab_size, "V + 7": vocab_size + 7}
    return spec.Params(
        temperature=dealer.deal(
            "temperature", [1.0, 1.0, 1.0, 0.7, 0.8, 1.8, 1.8, 0.0, 0.05, 1e-300, 100.0, 1e308]
        ),
        top_k=relative_to_vocab.get(top_k, top_k),
        top_p=dealer.deal(
            "top_p", [1.0] * 5 + [0.1, 0.5, 0.9, 0.9, 0.95, 0.95, 0.999999, 0.999999, 1e-12, 5e-324]
        ),
        min_p=dealer.deal("min_p", [0.0] * 7 + [1e-6, 1e-6, 0.05, 0.05, 0.2, 0.5, 1.0]),
        repetition_penalty=dealer.deal("repetition", [1.0, 1.0, 0.5, 0.8, 1.1, 1.5, 4.0]),
        presence_penalty=dealer.deal("presence", [0.0, 0.0, 0.3, -0.4, 2.5]),
        frequency_penalty=dealer.deal("frequency", [0.0, 0.0, 0.2, -0.1, 1.25]),
    )


def deal_allowed_ids(dealer, vocab_size, shape):
    """None, one token, or a random part of the vocabulary; always something with a finite logit."""
    share = dealer.deal("allowed", [None] * 6 + ["one", 0.02, 0.5, 0.98, 0.98])
    if share is None:
        return None
    one = dealer.below(vocab_size)
    if shape == "masked" and one % 3 == 0:
        one = 1
    if share == "one":
        return [one]
    return [i for i in range(vocab_size) if dealer.below(1000) < share * 1000 or i == one]


def deal_case(dealer, number):
    shape = dealer.deal("shape", sorted(spec.SHAPES))
    vocab_size = dealer.deal(
        "vocab_size", [1, 2, 3, 5, 8, 16, 33, 33, 100, 100, 256, 257, 1000, 2000]
    )
    if shape == "masked":
        vocab_size = max(vocab_size, 2)  # Id 0 alone would be all -inf.
    return {
        "name": f"dealt_{number:03d}",
        "vocab_size": vocab_size,
        "shape": shape,
        "logits_seed": random_seed(dealer, "logits_seed"),
        "prompt_seed": random_seed(dealer, "prompt_seed"),
        "prompt_len": dealer.deal("prompt_len", [0, 0, 1, 6, 70, 200]),
        "seed": random_seed(dealer, "seed"),
        "allowed_ids": deal_allowed_ids(dealer, vocab_size, shape),
        "params": asdict(deal_params(dealer, vocab_size)),
        "step_count": 12 if vocab_size <= 100 else 6,
    }


def explicit_case(name, logits, seed=0, prompt_len=0, allowed_ids=None, step_count=6, **params):
    return {
        "name": name,
        "vocab_size": len(logits),
        "shape": "explicit",
        "logits": spec.to_float32(logits),
        "prompt_seed": 7,
        "prompt_len": prompt_len,
        "seed": seed,
        "allowed_ids": allowed_ids,
        "params": asdict(spec.Params(**params)),
        "step_count": step_count,
    }


def chosen_cases():
    """Cases whose names say what no dealt case is sure to meet."""
    largest = (2 - 2**-23) * 2.0**127
    smallest = 2.0**-149
    return [
        explicit_case("hand_example", [1, 3, 2, 3, -1], top_k=3, top_p=0.8, step_count=1),
        explicit_case("one_token", [-3.5]),
        explicit_case("one_token_greedy", [-3.5], temperature=0.0),
        explicit_case("one_token_left", [spec.NEG_INF, -88.0, spec.NEG_INF], top_p=0.5, min_p=1.0),
        explicit_case("nucleus_ends_where_mass_equals_p", [0.0] * 4, top_p=0.5, seed=3),
        explicit_case("nucleus_of_ties_takes_lowest_ids", [1.0] * 9, top_p=0.3, seed=4),
        explicit_case("min_p_equality_keeps", [0.0, 0.0, -1.0, 0.0], min_p=1.0, seed=5),
        explicit_case("top_k_skips_removed", [spec.NEG_INF, 1.0, spec.NEG_INF, 1.0, 1.0], top_k=2),
        explicit_case("largest_and_smallest_float32", [largest, -largest, smallest, 0.0, -0.0]),
        explicit_case("negative_zero", [-0.0, 0.0, -0.0], prompt_len=9, repetition_penalty=2.0),
        explicit_case("exp_almost_halfway", [0.0] + HARD_EXP_ARGUMENTS),
        explicit_case(
            "subnormal_probabilities",
            [0.0, -700.0, -708.5, -720.25, -740.0, -744.0, -745.0, -745.125, -745.25, -746.0],
        ),
        explicit_case(
            "equal_after_temperature",  # Subnormal quotients: close logits collapse into one value.
            [1e-10, 1.0000001e-10, 1.0000002e-10, 1.001e-10],
            temperature=1e308,
            top_k=2,
        ),
        explicit_case(
            "sign_changes_under_penalties",
            [0.5, -0.5, 0.25, 0.0],
            prompt_len=3,
            repetition_penalty=1.7,
            presence_penalty=0.6,
            frequency_penalty=0.2,
            step_count=12,
        ),
        explicit_case(
            "mask_outlives_rewards",
            [9.0, 1.0, 2.0, 8.0],
            allowed_ids=[1, 2],
            prompt_len=6,
            repetition_penalty=0.5,
            presence_penalty=-3.0,
            frequency_penalty=-2.0,
        ),
        explicit_case(
            "greedy_ties_take_lowest_allowed_id", [5.0] * 6, temperature=0.0, allowed_ids=[2, 3, 5]
        ),
        explicit_case("greedy_ignores_filters", [1, 3, 2, 3], temperature=0.0, top_k=1, min_p=1.0),
    ]


def all_cases():
    dealer = Dealer(CASE_DEALER_SEED)
    return chosen_cases() + [deal_case(dealer, number) for number in range(DEALT_CASES)]


def hex_list(values):
    return [value.hex() for value in values]


def run_step(stream, logits, with_vectors):
    sample = stream.sample(logits)
    step = {
        "id": sample.token_id,
        "logprob": sample.logprob.hex(),
        "kept": sample.kept_count,
        "uniform": None if sample.uniform is None else sample.uniform.hex(),
        "entropy": spec.entropy(sample.distribution).hex(),
    }
    if with_vectors:
        step["processed"] = hex_list(sample.processed)
        step["distribution"] = hex_list(sample.distribution)
    return step


def logits_of_step(case, step):
    if case["shape"] == "explicit":
        return case["logits"]
    return spec.make_logits(case["shape"], case["vocab_size"], case["logits_seed"], step)


def run_case(case):
    prompt = spec.make_prompt(case["vocab_size"], case["prompt_seed"], case["prompt_len"])
    params = spec.Params(**case["params"])
    stream = spec.Stream(params, case["seed"], prompt, case["allowed_ids"])
    is_small = case["vocab_size"] <= FULL_VECTORS_MAX_VOCAB
    return [
        run_step(stream, logits_of_step(case, t), is_small and t < FULL_VECTORS_STEPS)
        for t in range(case["step_count"])
    ]


def format_case(case):
    """A line for what goes in, and a line for each step that comes out."""
    inputs = {key: value for key, value in case.items() if key != "step_count"}
    if "logits" in inputs:
        inputs["logits"] = hex_list(inputs["logits"])
    head = json.dumps(inputs)[:-1]
    steps = ",\n  ".join(json.dumps(step) for step in run_case(case))
    return f'{head}, "steps": [\n  {steps}]}}'


def make_fixture():
    cases = ",\n".join(format_case(case) for case in all_cases())
    return f'{{"made_by": "tests/spec/make_fixture.py",\n"cases": [\n{cases}\n]}}\n'


def read_fixture():
    with open(FIXTURE, encoding="ascii", newline="") as file:
        return file.read()


def first_difference(expected, actual):
    """Names the first line in which two texts differ; they are known to differ."""
    expected_lines, actual_lines = expected.split("\n"), actual.split("\n")
    for number, (old, new) in enumerate(zip(expected_lines, actual_lines), start=1):
        if old != new:
            return f"line {number}"
    return f"line {min(len(expected_lines), len(actual_lines)) + 1}, where one of them ends"


def check():
    """Returns the exit code."""
    try:
        committed = read_fixture()
    except OSError as error:
        print(f"cannot read the committed fixture: {error}", file=sys.stderr)
        return 1
    generated = make_fixture()
    if committed == generated:
        print(f"{FIXTURE} is up to date")
        return 0
    where = first_difference(committed, generated)
    print(
        f"{FIXTURE} differs from what make_fixture.py makes, first at {where};\n"
        "run make_fixture.py without --check to rewrite it, and read the diff",
        file=sys.stderr,
    )
    return 1


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with 1 unless fixture.json is, byte for byte, as it would be",
    )
    if parser.parse_args().check:
        return check()
    with open(FIXTURE, "w", encoding="ascii", newline="") as file:
        file.write(make_fixture())
    print(f"wrote {FIXTURE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

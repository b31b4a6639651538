"""Mutants are read and applied as said, results are judged rightly, and every mutant applies."""

import dataclasses
import pathlib
import tempfile
import unittest

import mutants as mutant_files
import results as result_files

ROOT = pathlib.Path.cwd()  # Of a Bazel test: the workspace.

BLOCK = """\
# A comment.
mutant: a_fault
fault: It does the opposite.
file: core/a.cc
tests: //tests/core:a_test //tests/core:b_test
 before
-  old
+  new
+  more

mutant: another
fault: It does nothing.
file: core/a.cc
tests: //tests/core:a_test
survives: It is only slower.
-  slow
"""


def block_with(old, new):
    assert old in BLOCK
    return BLOCK.replace(old, new)


class ParseTest(unittest.TestCase):

    def test_reads_all_that_a_mutant_says(self):
        first, second = mutant_files.parse(BLOCK, "a.mutants", "pitfalls/a")
        self.assertEqual(first, mutant_files.Mutant(
            name="a_fault", fault="It does the opposite.", file="core/a.cc",
            tests=("//tests/core:a_test", "//tests/core:b_test"), survives="",
            old="before\n  old\n", new="before\n  new\n  more\n", group="pitfalls/a"))
        self.assertTrue(first.is_pitfall)
        self.assertEqual((second.old, second.new), ("  slow\n", ""))
        self.assertEqual(second.survives, "It is only slower.")

    def test_refuses_what_is_written_wrongly(self):
        for old, new, message in (
                ("fault: It does the opposite.\n", "", "there is no fault"),
                ("fault: It does the opposite.\n", "fault: 1\nfault: 2\n", "fault is given twice"),
                ("//tests/core:b_test", "tests/core:b_test", "tests/core:b_test is not a label"),
                ("mutant: a_fault", "mutant: A fault", "a name is of lower-case letters"),
                (" before", "before", '"before" begins with no key'),
                ("-  slow\n", "", "it changes nothing"),
                ("-  old\n+  new\n+  more", "-  old\n+  old", "it changes nothing")):
            with self.subTest(message), self.assertRaisesRegex(
                    mutant_files.MutantError, message):
                mutant_files.parse(block_with(old, new), "a.mutants")

    def test_says_where_it_is_wrong(self):
        with self.assertRaisesRegex(mutant_files.MutantError, r"^a\.mutants:11 \(another\)"):
            mutant_files.parse(block_with("-  slow\n", ""), "a.mutants")


class ApplyTest(unittest.TestCase):

    def setUp(self):
        self.mutant = mutant_files.parse(BLOCK, "a.mutants")[0]

    def test_replaces_whole_lines(self):
        self.assertEqual(self.mutant.apply("before\n  old\nbehind\n"),
                         "before\n  new\n  more\nbehind\n")
        self.assertEqual(self.mutant.apply("x\nbefore\n  old\n"), "x\nbefore\n  new\n  more\n")

    def test_needs_one_place(self):
        for source, count in (("", 0), ("not before\n  old\n", 0), ("before\n  older\n", 0),
                              ("before\n  old\nbefore\n  old\n", 2)):
            with self.subTest(source), self.assertRaisesRegex(
                    mutant_files.MutantError, f"in core/a.cc {count} times, not once"):
                self.mutant.apply(source)


class ResultsTest(unittest.TestCase):

    def setUp(self):
        self.mutant = mutant_files.parse(BLOCK, "a.mutants")[0]
        self.pitfall = dataclasses.replace(self.mutant, group="pitfalls/a")
        self.equivalent = dataclasses.replace(self.mutant, survives="It is only slower.")

    def result(self, kind, commit="c0ffee"):
        return result_files.Result(
            "a_fault", result_files.digest_of(self.mutant), commit, kind, "", 1.5)

    def complaints(self, *pairs):
        return result_files.complaints([mutant for mutant, _ in pairs],
                                       [self.result(kind) for _, kind in pairs])

    def test_nothing_is_wrong_if_all_is_as_expected(self):
        expected = [(self.mutant, "killed")] * 19 + [(self.pitfall, "killed")]
        self.assertEqual(self.complaints(*expected, (self.equivalent, "survived")), [])

    def test_says_what_is_wrong(self):
        killed = [(self.mutant, "killed")] * 19
        pitfall = dataclasses.replace(self.equivalent, group="pitfalls/a")
        for mutant, kind, message in (
                (self.mutant, "error", "does not build"),
                (self.mutant, "survived", "no reason is given"),
                (self.pitfall, "survived", "no reason is given"),
                (pitfall, "survived", "is a pitfall, and survives"),
                (self.equivalent, "killed", "is killed, but said to survive")):
            with self.subTest(message):
                wrong = self.complaints(*killed, (mutant, kind))
                self.assertEqual(len(wrong), 1, wrong)
                self.assertIn(message, wrong[0])

    def test_most_must_be_killed_whatever_the_reasons(self):
        self.assertEqual(
            self.complaints(*[(self.mutant, "killed")] * 18, (self.equivalent, "survived")),
            ["18 of 19 that are no pitfalls are killed; 95% must be"])

    def test_the_table_counts(self):
        lines = result_files.table(
            [self.pitfall, self.mutant, self.equivalent],
            [self.result("killed"), self.result("killed"), self.result("survived")])
        self.assertEqual([line for line in lines if "a_fault" not in line],
                         ["Pitfalls:", "  1 of 1 killed", "Others:", "  1 of 2 killed",
                          "2 of 3 killed"])

    def test_kills_are_kept_and_found_again(self):
        path = pathlib.Path(tempfile.mkdtemp()) / "results.jsonl"
        for kind in ("survived", "killed"):
            result_files.ResultFile(path).add(self.result(kind))
        file = result_files.ResultFile(path)
        self.assertEqual(file.find_kill(self.mutant, "c0ffee", False), self.result("killed"))
        self.assertEqual(file.find_kill(self.mutant, "another", True), self.result("killed"))
        self.assertIsNone(file.find_kill(self.mutant, "another", False))
        self.assertIsNone(file.find_kill(self.equivalent, "c0ffee", True))
        for kind in ("survived", "error"):
            file.add(self.result(kind))
            self.assertIsNone(file.find_kill(self.mutant, "c0ffee", True))


class AllMutantsTest(unittest.TestCase):

    def test_apply_to_the_sources(self):
        all_mutants = mutant_files.read_all(ROOT / "tests" / "mutation")
        self.assertGreaterEqual(sum(mutant.is_pitfall for mutant in all_mutants), 16)
        self.assertGreaterEqual(sum(not mutant.is_pitfall for mutant in all_mutants), 60)
        for mutant in all_mutants:
            path = ROOT / mutant.file
            with self.subTest(mutant.name):
                self.assertTrue(path.exists(), f"the target :sources lacks {mutant.file} as data")
                mutant.apply(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()

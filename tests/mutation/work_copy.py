"""A copy of the repository at a commit, in which mutants are built and tested."""

import contextlib
import dataclasses
import re
import subprocess

# Bazel's exit codes.
_PASSED = 0
_TESTS_FAILED = 3

_FAILED_TEST = re.compile(r"^(//\S+)\s+(?:\(cached\) )?(FAILED|TIMEOUT)\b", re.MULTILINE)

_FLAGS = ("--keep_going", "--test_output=summary", "--noshow_progress", "--color=no")

# What is built of a mutant is of use to nobody, while the sources' own objects are needed again as
# soon as it goes: a user's disk cache is read, but not written.
_MUTANT_FLAGS = ("--noremote_upload_local_results",)


@dataclasses.dataclass(frozen=True)
class Outcome:
    kind: str  # "killed", "survived", or "error": it was not built.
    detail: str = ""  # The tests that failed, or the last of what Bazel said.


def git(folder, *arguments):
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class WorkCopy:
    """The copy stays where it is, so that Bazel builds only what has changed since the last run."""

    def __init__(self, repository, folder, bazel_arguments):
        self._repository = repository
        self._folder = folder
        self._bazel_arguments = bazel_arguments

    def check_out(self, commit):
        if not (self._folder / ".git").exists():
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            # Shared: commits of the repository are in the copy as soon as they are made.
            git(".", "clone", "--quiet", "--shared", "--no-checkout", str(self._repository),
                str(self._folder))
        git(self._folder, "checkout", "--quiet", "--force", "--detach", commit)
        git(self._folder, "clean", "--quiet", "--force", "-d")

    def read(self, file):
        return (self._folder / file).read_text(encoding="utf-8")

    @contextlib.contextmanager
    def mutated(self, mutant):
        """The copy has the mutant in it until the block ends."""
        path = self._folder / mutant.file
        source = self.read(mutant.file)
        path.write_text(mutant.apply(source), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(source, encoding="utf-8")

    def test(self, targets, is_mutated=True):
        """Builds and runs tests; what is in the copy survives if all of them pass."""
        flags = _FLAGS + _MUTANT_FLAGS if is_mutated else _FLAGS
        command = ["bazel", "test", *flags, *self._bazel_arguments, "--", *targets]
        run = subprocess.run(command, cwd=self._folder, check=False, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if run.returncode == _PASSED:
            return Outcome("survived")
        failed = [test if how == "FAILED" else f"{test} (timeout)"
                  for test, how in _FAILED_TEST.findall(run.stdout)]
        if run.returncode == _TESTS_FAILED and failed:
            return Outcome("killed", " ".join(failed))
        return Outcome("error", run.stdout[-3000:])

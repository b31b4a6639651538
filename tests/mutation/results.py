"""What has become of the mutants: kept in a file, and judged at the end."""

import dataclasses
import hashlib
import json

# Of the mutants that are no pitfalls.
REQUIRED_SHARE = 0.95


@dataclasses.dataclass(frozen=True)
class Result:
    mutant: str
    digest: str  # Of all that the mutant says.
    commit: str
    kind: str  # As in work_copy.Outcome.
    detail: str
    seconds: float


def digest_of(mutant):
    return hashlib.sha256(repr(mutant).encode()).hexdigest()[:16]


class ResultFile:
    """Has a line of JSON for each result; the last one for a mutant counts."""

    def __init__(self, path):
        self._path = path
        self._results = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._remember(Result(**json.loads(line)))

    def _remember(self, result):
        self._results[result.mutant] = result

    def add(self, result):
        self._remember(result)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(dataclasses.asdict(result)) + "\n")

    def find_kill(self, mutant, commit, reuse_kills):
        """Returns the result of a mutant that was killed already, or None. Others try again."""
        result = self._results.get(mutant.name)
        if result is None or result.digest != digest_of(mutant) or result.kind != "killed":
            return None
        return result if reuse_kills or result.commit == commit else None


def count_killed(results):
    return sum(result.kind == "killed" for result in results)


def complaints(mutants, results):
    """Says what is wrong with the results of these mutants; nothing if all is well."""
    wrong = []
    for mutant, result in zip(mutants, results):
        if result.kind == "error":
            wrong.append(f"{mutant.name} does not build")
        elif result.kind == "survived" and not mutant.survives:
            wrong.append(f"{mutant.name} survives, and no reason is given")
        elif result.kind == "killed" and mutant.survives:
            wrong.append(f"{mutant.name} is killed, but said to survive")
        elif result.kind == "survived" and mutant.is_pitfall:
            wrong.append(f"{mutant.name} is a pitfall, and survives")
    others = [result for mutant, result in zip(mutants, results) if not mutant.is_pitfall]
    killed = count_killed(others)
    if killed < REQUIRED_SHARE * len(others):
        wrong.append(f"{killed} of {len(others)} that are no pitfalls are killed; "
                     f"{REQUIRED_SHARE:.0%} must be")
    return wrong


def row(mutant, result):
    note = f"  {mutant.survives}" if result.kind == "survived" else f"  {result.detail}"
    if result.kind == "error":
        note = ""
    return f"{result.kind:9} {result.seconds:5.0f} s  {mutant.name}{note}"


def table(mutants, results):
    """The results of each kind, and how many are killed, in lines."""
    lines = []
    for title, is_pitfall in (("Pitfalls", True), ("Others", False)):
        pairs = [pair for pair in zip(mutants, results) if pair[0].is_pitfall == is_pitfall]
        lines.append(f"{title}:")
        lines += ["  " + row(*pair) for pair in pairs]
        lines.append(f"  {count_killed(result for _, result in pairs)} of {len(pairs)} killed")
    lines.append(f"{count_killed(results)} of {len(results)} killed")
    return lines

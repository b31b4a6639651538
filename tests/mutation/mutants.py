"""Mutants: small faults to put into the sources, each of which a test must notice.

A file of mutants has blocks, with an empty line between them and comments that begin with #:

    mutant: min_p_drops_the_bound
    fault: A token that is exactly as likely as the bound goes.
    file: core/filter.cc
    tests: //tests/processors:min_p_test //tests/pitfalls:filter_pitfalls_test
    -  const auto is_likely = [&](size_t position) { return measure[position] >= limit; };
    +  const auto is_likely = [&](size_t position) { return measure[position] > limit; };

The lines below the keys are those of a patch, without line numbers: those with a space or a minus
in front must stand in the file in this order, at one place only; those with a space or a plus
replace them. So a mutant goes on to apply when other lines of the file change. Of the tests it is
expected that one fails; the first is the likeliest. A mutant that no test can notice has one more
key, `survives`, with the reason.
"""

import dataclasses
import pathlib
import re

FOLDER = pathlib.Path(__file__).parent
PITFALLS = "pitfalls"
OTHERS = "mutants"
SUFFIX = ".mutants"

_KEYS = ("mutant", "fault", "file", "tests", "survives")
_KEY_LINE = re.compile(rf"({'|'.join(_KEYS)}): (\S.*)")
_NAME = re.compile(r"[a-z0-9_]+")
_LABEL = re.compile(r"//[a-z0-9_/]+:[a-z0-9_]+")


class MutantError(Exception):
    """A mutant that is written wrongly, or that does not apply."""


@dataclasses.dataclass(frozen=True)
class Mutant:
    name: str
    fault: str
    file: str
    tests: tuple
    survives: str  # Why no test can notice it; "" if one must.
    old: str
    new: str
    group: str = OTHERS  # Where it is written, as "pitfalls/draw".

    @property
    def is_pitfall(self):
        return self.group.startswith(PITFALLS)

    def apply(self, source):
        """Returns the source with the fault in it."""
        starts = [match.start() for match in
                  re.finditer(f"^(?={re.escape(self.old)})", source, re.MULTILINE)]
        if len(starts) != 1:
            raise MutantError(
                f"{self.name}: its lines stand in {self.file} {len(starts)} times, not once")
        return source[:starts[0]] + self.new + source[starts[0] + len(self.old):]


def read_keys(lines, place):
    """Takes the keys off the front of a block's lines."""
    keys = {}
    while lines and (match := _KEY_LINE.fullmatch(lines[0])):
        if match[1] in keys:
            raise MutantError(f"{place}: {match[1]} is given twice")
        keys[match[1]] = match[2]
        del lines[0]
    for key in _KEYS:
        if key not in keys and key != "survives":
            raise MutantError(f"{place}: there is no {key}, or it is written wrongly")
    return keys


def side_of(lines, sign):
    """One side of a patch: the old lines, with -, or the new ones, with +."""
    return "".join(line[1:] + "\n" for line in lines if line[0] in (" ", sign))


def parse_block(lines, place, group):
    keys = read_keys(lines, place)
    place = f"{place} ({keys['mutant']})"
    tests = tuple(keys["tests"].split())
    if not _NAME.fullmatch(keys["mutant"]):
        raise MutantError(f"{place}: a name is of lower-case letters, digits and _")
    for label in tests:
        if not _LABEL.fullmatch(label):
            raise MutantError(f"{place}: {label} is not a label such as //tests/core:chain_test")
    for line in lines:
        if line[0] not in " -+":
            raise MutantError(f'{place}: "{line}" begins with no key, space, - or +')
    old, new = side_of(lines, "-"), side_of(lines, "+")
    if not old or old == new:
        raise MutantError(f"{place}: it changes nothing")
    return Mutant(name=keys["mutant"], fault=keys["fault"], file=keys["file"], tests=tests,
                  survives=keys.get("survives", ""), old=old, new=new, group=group)


def parse(text, filename, group=OTHERS):
    """Returns the mutants of a file's text."""
    mutants = []
    block = []
    # The last line ends the last block.
    for number, line in enumerate(text.split("\n") + [""], start=1):
        if line.startswith("#"):
            continue
        if line:
            block.append(line)
        elif block:
            mutants.append(parse_block(block, f"{filename}:{number - len(block)}", group))
            block = []
    return mutants


def read_all(folder=FOLDER):
    """Returns all mutants, by file; the pitfalls first."""
    mutants = []
    for kind in (PITFALLS, OTHERS):
        for path in sorted((folder / kind).glob("*" + SUFFIX)):
            group = f"{kind}/{path.stem}"
            mutants += parse(path.read_text(encoding="utf-8"), path.name, group)
    names = [mutant.name for mutant in mutants]
    for name in sorted(set(names)):
        if names.count(name) > 1:
            raise MutantError(f"two mutants have the name {name}")
    return mutants

"""Doubtful readings: ranked by the rules where several are plausible, and listed for a person.

Rules never change a reading that is sure, and never bring in one that the ink does not suggest:
they only order what is likely already, and whatever they order stays a doubt.
"""

from __future__ import annotations

from collections.abc import Sequence

from sheetgen.model import Variant
from sheetgen.read.boxes import Meaning, boxes_of, meanings
from sheetgen.read.form import FormSheet
from sheetgen.read.form_sheets import FormMatch, any_match
from sheetgen.read.save import WRITTEN, line_of
from sheetgen.read.scan.readings import Doubt, Reading, ScannedSheet

PLAUSIBLE = 0.02  # of the best reading's probability
MOST_TRIED = 60  # matches that are judged to rank the readings of a file


def form_of(sheet: ScannedSheet) -> FormSheet:
    """Return a scanned sheet as a copy whose boxes hold what was read."""
    values = {box: _plain(reading.value) for box, reading in sheet.readings.items()}
    return FormSheet(sheet.file, sheet.page, sheet.copy, sheet.identity, values, sheet.notes)


def _plain(value: str | bool) -> str | bool:
    """Return a number as data files have it; what begins with 0 is in doubt anyway."""
    if isinstance(value, str) and value.lstrip("-").isdigit():
        return str(int(value))
    return value


def settle(
    variant: Variant, sheets: Sequence[ScannedSheet], file: str
) -> tuple[list[ScannedSheet], FormMatch]:
    """Return the sheets and their match with doubtful readings as the rules like them best."""
    settled = list(sheets)
    scenes = {sheet.identity: sheet.scene for sheet in sheets}
    match = any_match(variant, map(form_of, settled), file, scenes)
    tried = 0
    for index, sheet in enumerate(settled):
        for box, reading in sheet.readings.items():
            others = _plausible(reading)
            if not others or not match.match.sheets:
                continue
            ranked = [(_faults(variant, match), reading, match)]
            for text in others:
                tried += 1
                if tried > MOST_TRIED:
                    return settled, match
                changed = _with(settled[index], box, text, reading)
                trial = [*settled[:index], changed, *settled[index + 1 :]]
                found = any_match(variant, map(form_of, trial), file, scenes)
                ranked.append((_faults(variant, found), changed.readings[box], found))
            best = min(ranked, key=lambda one: one[0])
            if best[1] is not reading:
                settled[index] = settled[index]._replace(
                    readings={**settled[index].readings, box: best[1]}
                )
                match = best[2]
    return settled, match


def _plausible(reading: Reading) -> list[str]:
    """Return other texts that a doubtful number may be, likeliest first."""
    if not reading.doubt or isinstance(reading.value, bool) or len(reading.likeliest) < 2:
        return []
    least = PLAUSIBLE * reading.likeliest[0][1]
    return [text for text, chance in reading.likeliest[1:] if chance >= least]


def _with(sheet: ScannedSheet, box: str, text: str, reading: Reading) -> ScannedSheet:
    first = reading.likeliest[0][0]
    doubt = f"{reading.doubt}; read as {first}, but {text} keeps to the rules"
    changed = reading._replace(value=text, doubt=doubt)
    return sheet._replace(readings={**sheet.readings, box: changed})


def _faults(variant: Variant, found: FormMatch) -> int:
    """Return how much is wrong with a match, by the rules and by the results written on it."""
    from sheetgen.rules.score import judge

    report = judge(variant, found.match, str(variant.languages[0]))
    errors = [one for one in report.findings if one.severity == "error"]
    errors += [one for sheet in report.sheets for one in sheet.findings if one.severity == "error"]
    wrong = [
        name
        for sheet in report.sheets
        for name, value in sheet.written.items()
        if sheet.scores.get(name, value) != value
    ]
    return len(errors) + len(wrong) + len(found.problems)


def doubts_of(
    variant: Variant, sheets: Sequence[ScannedSheet], found: FormMatch
) -> tuple[Doubt, ...]:
    """Return every doubtful reading, with the line of a data file that would say it."""
    from sheetgen.rules.score import judge

    listed = []
    report = judge(variant, found.match, str(variant.languages[0]))
    for copy, sheet in enumerate(sheets):
        boxes = boxes_of(variant, sheet.identity.sheet, sheet.scene.boxes)
        known = meanings(boxes)
        for box, reading in sheet.readings.items():
            if reading.doubt and box in known:
                at = _filled(found, copy, known[box])
                name = _name(known[box])
                filled = found.match.sheets[at] if at >= 0 else None
                line = line_of(name, filled, boxes.names) if filled else ""
                why = reading.doubt
                if known[box].group == "results" and filled:
                    right = report.sheets[at].scores.get(known[box].name)
                    # Agreement makes a reading likelier, not sure: people miscalculate.
                    if filled.written.get(known[box].name) == right and right is not None:
                        why += f"; the entries come to {right}, too".replace("-", "−")
                listed.append(Doubt(copy, at, box, name, why, reading.likeliest, line))
    return tuple(listed)


def _name(meaning: Meaning) -> str:
    """Return what data files call a box."""
    if meaning.group == "results":
        return WRITTEN + meaning.name
    return "totals" if meaning.group == "matches" else meaning.name


def _filled(found: FormMatch, copy: int, meaning: Meaning) -> int:
    """Return the index of the filled sheet a box belongs to, -1 if it is of none."""
    for index, (form, part) in enumerate(found.origins):
        same = meaning.part is not None and (part.owner, part.round) == (
            meaning.part.owner,
            meaning.part.round,
        )
        if form == copy and same:
            return index
    return -1

"""Random sheets of every bundled game, and scorers of their own that know nothing of formulas.

A scorer returns the scores and the findings (``box rule``) that a sheet must have.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random
from typing import Any

from played import sheet

from sheetgen.filled import FilledSheet

Expected = tuple[dict[str, int], set[str]]
COLOURS = "red", "yellow", "blue", "green", "white"
LONG = "red", "green", "blue", "white", "yellow", "purple"
ROUTES = "red", "orange", "yellow", "green", "blue", "purple"


def messy(random: Random, entries: list[Any]) -> list[Any]:
    """Return entries, now and then with something in them that should not be there."""
    entries = list(entries)
    while random.random() < 0.2:
        place = random.randint(0, len(entries))
        entries.insert(place, random.choice([0, 1, 2, 5, 10, 11, 99, -4, "$", "w", "?"]))
    if len(entries) > 1 and random.random() < 0.1:
        random.shuffle(entries)
    return entries


def chosen(random: Random, low: int, high: int, most: int) -> list[int]:
    """Return some rising numbers."""
    return sorted(random.sample(range(low, high + 1), random.randint(0, most)))


# -- expeditions ----------------------------------------------------------------------------------


def expedition(entries: list[Any], mark: str) -> int:
    """Score a colour as a person would: twenty down, numbers up, doubled, a bonus for eight."""
    if not entries:
        return 0
    points = -20
    investments = 0
    for entry in entries:
        if entry == mark:
            investments += 1
        elif isinstance(entry, int):
            points += entry
    points = points * (investments + 1)
    return points + 20 if len(entries) > 7 else points


def expedition_findings(name: str, entries: list[Any], mark: str, while_at_most: int) -> set[str]:
    """Return what is wrong with a colour, box by box."""
    found = set()
    for at, entry in enumerate(entries):
        box = f"{name}_{at + 1}"
        before = [e for e in entries[:at] if isinstance(e, int)]
        if at >= 12:
            found.add(f"{box} boxes")
        if isinstance(entry, int):
            if not 2 <= entry <= 10:
                found.add(f"{box} number")
            if before and not before[-1] < entry:
                found.add(f"{box} order")
        elif entry == mark:
            if entries[: at + 1].count(mark) > 3:
                found.add(f"{box} most")
            if len(before) > while_at_most:
                found.add(f"{box} mark")
        else:
            found.add(f"{box} entry")
    return found


def lostdice(random: Random) -> tuple[FilledSheet, str, Expected]:
    """Return a sheet of any setup."""
    setup, rolls = random.choice([("solo", 30), ("standard", 25), ("group", 20)])
    filled: dict[str, Any] = {}
    scores, found, total = {}, set(), 0
    for colour in COLOURS:
        numbers: list[Any] = chosen(random, 2, 10, random.choice([0, 3, 6, 9]))
        for _ in range(random.choice([0, 0, 1, 2, 3])):
            numbers.insert(random.randint(0, min(2, len(numbers))), "$")
        numbers = messy(random, numbers)
        filled[colour] = tuple(numbers)
        scores[colour] = expedition(numbers, "$")
        found |= expedition_findings(colour, numbers, "$", 2)
        total += len(numbers)
    discards = max(0, rolls - total + random.choice([0, 0, 0, -2, 3]))
    if discards > rolls:
        found.add("discards most")
    if total + discards != rolls:
        found.add("discards rolls")
    scores["total"] = sum(scores.values())
    return sheet(**filled, discards=discards), setup, (scores, found)


def cards(random: Random, colours: tuple[str, ...]) -> tuple[FilledSheet, str, Expected]:
    """Return one player's round of the card game, some colours by totals alone."""
    filled: dict[str, Any] = {}
    scores, found = {}, set()
    for colour in colours:
        if random.random() < 0.2:
            filled[colour], scores[colour], wrong = totals(random)
            found |= {f"{colour} totals"} if wrong else set()
            continue
        wagers = ["w"] * random.choice([0, 0, 1, 2, 3])
        entries = messy(random, wagers + chosen(random, 2, 10, random.choice([0, 4, 9])))
        filled[colour] = tuple(entries)
        scores[colour] = expedition(entries, "w")
        found |= expedition_findings(colour, entries, "w", 0)
    scores["total"] = sum(scores.values())
    return sheet(**filled), "", (scores, found)


REACHED = {
    (len(numbers), sum(numbers))
    for count in range(10)
    for numbers in combinations(range(2, 11), count)
}


def totals(random: Random) -> tuple[dict[str, int], int, bool]:
    """Return an expedition by totals, its score, and whether it cannot be."""
    wagers, count = random.randint(0, 4), random.randint(0, 10)
    total = random.randint(0, 58)
    points = (total - 20) * (1 + wagers) + (20 if wagers + count >= 8 else 0)
    wrong = wagers > 3 or (count, total) not in REACHED
    given = {"sum": total, "wagers": wagers, "cards": wagers + count}
    return given, points if wagers + count else 0, wrong


# -- rows that rise or fall -----------------------------------------------------------------------

ROW = {0: 0, 1: -4, 2: -3, 3: 2, 4: 3, 5: 6}
STONES = {0: -4, 1: -3, 2: 2, 3: 3, 4: 6}


def keldice(random: Random) -> tuple[FilledSheet, str, Expected]:
    """Return a sheet with bonuses."""
    filled: dict[str, Any] = {}
    scores, found, total = {}, set(), 0
    for colour in COLOURS:
        numbers = chosen(random, 2, 10, random.choice([2, 6, 9]))
        if random.random() < 0.5:
            numbers.reverse()
        entries = messy(random, numbers)
        filled[colour] = tuple(entries)
        scores[colour] = ROW.get(len(entries), 10)
        found |= row_findings(colour, entries)
        total += len(entries)
    stones, vp, extra = (random.choice([0, 0, 1, 2, 5, 8, 9]) for _ in range(3))
    for name, count in (("stones", stones), ("vp", vp), ("extra_rolls", extra)):
        if count > 8:
            found.add(f"{name} most")
        if stones + vp + extra > total:
            found.add(f"{name} bonuses")
    if total > 20 + extra:
        found.add("extra_rolls rolls")
    scores |= {"stones": STONES.get(stones, 10), "vp": vp + vp}
    scores["total"] = sum(scores.values())
    return sheet(**filled, stones=stones, vp=vp, extra_rolls=extra), "", (scores, found)


def row_findings(name: str, entries: list[Any]) -> set[str]:
    """Return what is wrong with a row that rises or falls, as its first two numbers say."""
    found = set()
    numbers = [(at, e) for at, e in enumerate(entries, 1) if isinstance(e, int)]
    steps = [(b[0], b[1] - a[1]) for a, b in pairwise(numbers)]
    falls = next((step < 0 for _, step in steps if step), False)
    found |= {f"{name}_{at} order" for at, step in steps if (step >= 0 if falls else step <= 0)}
    found |= {f"{name}_{at} number" for at, number in numbers if number not in range(2, 11)}
    found |= {f"{name}_{at} entry" for at, e in enumerate(entries, 1) if isinstance(e, str)}
    return found | {f"{name}_{at} boxes" for at in range(10, len(entries) + 1)}


# -- columns to climb -----------------------------------------------------------------------------

CLIMB = (0, -20, -15, -10, 5, 10, 15, 30, 35, 50)


def rollwrite(random: Random) -> tuple[FilledSheet, str, Expected]:
    """Return a sheet with circles, artifacts, dice and bridges."""
    filled: dict[str, Any] = {}
    scores, found, bridges = {}, set(), []
    for colour in ROUTES:
        numbers = sorted(random.randint(1, 10) for _ in range(random.choice([0, 2, 5, 8, 9])))
        entries = messy(random, numbers)
        filled[colour] = tuple(entries)
        circle = filled[f"{colour}_double"] = random.random() < 0.3
        points = CLIMB[min(9, len(entries))]
        scores[colour] = points + points if circle else points
        found |= climb_findings(colour, entries)
        if random.random() < 0.3:
            bridges.append(colour)
            if len(entries) < 7:
                found.add(f"{colour}_bridge bridge")
    for name in ("artifacts", "dice"):
        ticks = filled[name] = random.choice([0, 1, 3, 6, 7, 9, 10])
        scores[name] = 2 * CLIMB[min(ticks, 9)]
        if ticks > 9:
            found.add(f"{name} most")
        if random.random() < 0.3:
            bridges.append(name)
            if ticks < 7:
                found.add(f"{name}_bridge bridge")
    if filled["dice"] > 8:
        scores["dice"] = 0
    scores["bridges"] = 20 * len(bridges)
    scores["total"] = sum(scores.values())
    return sheet(**filled, bridges=frozenset(bridges)), "", (scores, found)


def climb_findings(name: str, entries: list[Any]) -> set[str]:
    """Return what is wrong with a column that may not fall."""
    found = {f"{name}_{at} boxes" for at in range(10, len(entries) + 1)}
    last = -1000
    for at, entry in enumerate(entries, 1):
        if isinstance(entry, str):
            found.add(f"{name}_{at} entry")
            continue
        if entry < 1 or entry > 10:
            found.add(f"{name}_{at} number")
        if entry < last:
            found.add(f"{name}_{at} order")
        last = entry
    return found


# -- five dice ------------------------------------------------------------------------------------

UPPER = "aces", "twos", "threes", "fours", "fives", "sixes"
FIXED = {"full_house": 25, "small_straight": 30, "large_straight": 40, "yacht": 50}
SUMS = "three_of_a_kind", "four_of_a_kind", "chance"


def yacht(random: Random) -> tuple[FilledSheet, str, Expected]:
    """Return a game with some boxes left empty, and some numbers that dice cannot give."""
    filled: dict[str, Any] = {}
    found = set()
    for name in (*UPPER, *FIXED, *SUMS):
        if random.random() < 0.1:
            continue
        dice = [random.randint(1, 6) for _ in range(5)]
        if name in UPPER:
            face = UPPER.index(name) + 1
            number = dice.count(face) * face
            possible = {face * count for count in range(6)}
        elif name in FIXED:
            number = random.choice([0, FIXED[name]])
            possible = {0, FIXED[name]}
        else:
            number = sum(dice)
            possible = set(range(5, 31)) | ({0} if name != "chance" else set())
        if random.random() < 0.1:
            number += random.randint(-9, 9)
        if number not in possible:
            found.add(f"{name} number")
        filled[name] = (number,)
    values = {name: entries[0] for name, entries in filled.items()}
    if len(values) < 13:
        found.add("total empty")
    upper_sum = sum(values.get(name, 0) for name in UPPER)
    bonus = 35 if upper_sum > 62 else 0
    lower = sum(values.values()) - upper_sum
    scores = {"upper_sum": upper_sum, "bonus": bonus, "upper": upper_sum + bonus, "lower": lower}
    scores["total"] = upper_sum + bonus + lower
    return sheet(**filled), "", (scores, found)


def scorepad(random: Random) -> tuple[FilledSheet, str, Expected]:
    """Return a column of points."""
    numbers = [random.randint(-200, 200) for _ in range(random.randint(0, 21))]
    found = {f"r_{at} boxes" for at in range(19, len(numbers) + 1)}
    return sheet(r=tuple(numbers)), "", ({"total": sum(numbers)}, found)


GAMES = {
    "lostdice": lostdice,
    "keldice": keldice,
    "lostcities": lambda random: cards(random, LONG[:5]),
    "lostcities-long": lambda random: cards(random, LONG),
    "lostcities-rollwrite": rollwrite,
    "yacht": yacht,
    "scorepad": scorepad,
}

"""Saved matches: they read back as they were, and say what is in doubt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sheetgen import decode, library
from sheetgen.filled import FilledMatch, FilledSheet
from sheetgen.model import Variant
from sheetgen.read.blank import blank
from sheetgen.read.data import read_data
from sheetgen.read.names import names_of
from sheetgen.read.save import line_of, save
from sheetgen.read.scan.readings import Doubt

TRAIL = decode.load(Path(__file__).parent / "trail.yaml")
BUNDLED = [path.stem for path in Path("variants").glob("*.yaml")]
VARIANTS = {name: decode.load(library.find_variant(name)) for name in BUNDLED} | {"trail": TRAIL}
PLAYER = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")), max_size=40),
    st.sampled_from(
        ["null", "~", 'it\'s "me"', "a: b # c", "- x", "{}", "[1]", "\\n", "Zoë 山", "%"]
    ),
).map(lambda name: " ".join(name.split()) or "x")
NUMBER = st.integers(-99, 99)


def _plain(match: FilledMatch) -> tuple[Any, ...]:
    """Return what a match says, without where it was read."""
    sheets = [
        (sheet.player, sheet.round, *(dict(held) for held in sheet[2:8])) for sheet in match.sheets
    ]
    return match.variant, match.setup, sheets, dict(match.totals), dict(match.values)


def _some(draw: st.DrawFn, names: Any, values: Any) -> dict[str, Any]:
    held = draw(st.dictionaries(st.sampled_from(sorted(names)), values)) if names else {}
    return {name: value for name, value in held.items() if value}


@st.composite
def matches(draw: st.DrawFn, variant: Variant) -> FilledMatch:
    """Draw a match with everything that the variant's sheets can hold."""
    names = names_of(variant)
    players = draw(st.lists(PLAYER, min_size=1, max_size=3, unique=True))
    sheets = []
    for number in range(1, draw(st.integers(1, 2)) + 1) if names.rounds > 1 else (0,):
        for player in players:
            tracks: dict[str, Any] = {}
            triples: dict[str, Any] = {}
            for name, marks in names.tracks.items():
                entry = st.one_of(NUMBER, st.sampled_from([*marks, ""]))
                most = 1 if name in names.singles else 6
                track = draw(st.lists(entry, max_size=most))
                while track and track[-1] == "":
                    track.pop()
                if track:
                    tracks[name] = tuple(track)
                elif name in names.triples:
                    whole = st.fixed_dictionaries(
                        dict.fromkeys(names.triples[name], st.integers(0, 99))
                    )
                    triples |= {name: draw(whole)} if draw(st.booleans()) else {}
            sets = {
                name: tuple(one for one in known if draw(st.booleans()))
                for name, known in names.sets.items()
            }
            sheets.append(
                FilledSheet(
                    player,
                    number,
                    tracks,
                    _some(draw, names.counts, st.integers(0, 30)),
                    _some(draw, names.flags, st.just(True)),
                    {name: chosen for name, chosen in sets.items() if chosen},
                    triples,
                    draw(st.dictionaries(st.sampled_from(names.scores), NUMBER, max_size=4)),
                    {},
                )
            )
    return FilledMatch(
        draw(st.sampled_from(["a.jpg", "b\n# c.png", ""])),
        str(variant.id),
        draw(st.sampled_from(["", *names.setups])),
        tuple(sheets),
        draw(st.dictionaries(st.sampled_from(players), NUMBER)),
        {
            name: draw(st.integers(option.low, option.high))
            for name, option in (variant.options or {}).items()
            if draw(st.booleans())
        },
    )


@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_any_match_reads_back_as_it_was(name: str, data: st.DataObject) -> None:
    """Whatever stands on the sheets, with doubts or without, the file says the same."""
    variant = VARIANTS[name]
    match = data.draw(matches(variant))
    names = names_of(variant)
    doubt = st.builds(
        Doubt,
        copy=st.just(0),
        sheet=st.integers(-1, len(match.sheets) - 1),
        box=st.sampled_from(["red_3", "red_score", "total"]),
        name=st.sampled_from([*names.entries, *names.scores, "player", *match.totals]),
        why=st.sampled_from(["digits touch", "odd\nink"]),
        likeliest=st.lists(
            st.tuples(st.sampled_from(["17", "1\n1", ""]), st.just(0.5)), max_size=3
        ).map(tuple),
        line=st.just(""),
    )
    text = save(match, variant, data.draw(st.lists(doubt, max_size=4)))
    assert _plain(read_data(text.encode(), "f.yaml", variant)) == _plain(match)


def _match(**held: Any) -> FilledMatch:
    sheet = FilledSheet("North", 1, *({},) * 7)
    return FilledMatch("photo.jpg", "trail", "few", (sheet._replace(**held),))


def _doubt(
    name: str, box: str, *likeliest: str, sheet: int = 0, why: str = "digits touch"
) -> Doubt:
    return Doubt(0, sheet, box, name, why, tuple((text, 0.5) for text in likeliest), "")


def test_a_saved_file() -> None:
    """It is in the form of a blank one, and the lines in doubt end with the likeliest readings."""
    match = _match(
        tracks={"red": ("$", "", 3, 17), "six": (18,)},
        counts={"stones": 4},
        flags={"last": True},
        sets={"bridges": ("red", "blue")},
        triples={"blue": {"sum": 3, "wagers": 1, "cards": 2}},
        written={"red": -8, "total": 31},
    )._replace(totals={"North": 31})
    doubts = [
        _doubt("red", "red_4", "17", "11"),
        _doubt("red", "red_score", "-8", "-3"),
        _doubt("stones", "stones_5", "True", ""),
        _doubt("stones", "stones_6"),
        _doubt("North", "match", "31", sheet=-1),
    ]
    assert save(match, TRAIL, doubts, name="my trail.yaml").splitlines() == [
        "# Trail: what was read in photo.jpg. Correct it, then run",
        "#   sheetgen check THIS-FILE",
        "# Compare the lines that say unsure with the paper.",
        '# "" is an empty box before filled ones.',
        'variant: "my trail.yaml"',
        "setup: few",
        "totals: {North: 31}        # unsure: 31",
        "sheets:",
        "  - player: North",
        "    round: 1",
        "    entries:",
        '      red: [$, "", 3, 17]  # unsure: 17, or 11',
        "      blue: {sum: 3, wagers: 1, cards: 2}",
        "      six: 18",
        "      stones: 4            # unsure: stones_5 marked, or empty; stones_6 digits touch",
        "      red_double: false",
        "      blue_double: false",
        "      last: true",
        "      bridges: [red, blue]",
        "    written:",
        "      red: -8              # unsure: -8, or -3",
        "      blue:",
        "      total: 31",
    ]


def test_lines_to_paste() -> None:
    """The line of a name is the one that stands in the saved file, also where it is empty."""
    (sheet,) = _match(tracks={"red": ("$", 3, 17)}, written={"red": -8}).sheets
    names = names_of(TRAIL)
    assert line_of("red", sheet, names) == "red: [$, 3, 17]"
    assert line_of("written.red", sheet, names) == "red: -8"
    assert line_of("total", sheet, names) == "total:"
    assert line_of("six", sheet, names) == "six:"
    assert line_of("last", sheet, names) == "last: false"
    assert line_of("bridges", sheet, names) == "bridges: []"
    lines = save(_match(), TRAIL).splitlines()
    for name in names.entries:
        assert f"      {line_of(name, _match().sheets[0], names)}" in lines


@pytest.mark.parametrize("name", BUNDLED)
def test_a_match_without_entries_is_a_blank_file(name: str) -> None:
    """Saved and blank files share their form: without comments they are the same."""
    variant = VARIANTS[name]
    text = blank(variant, form="yaml")
    saved = save(read_data(text.encode(), "f.yaml"), variant)

    def bare(lines: str) -> list[str]:
        return [line.partition(" #")[0].rstrip() for line in lines.splitlines() if line[:1] != "#"]

    assert bare(saved) == [line for line in bare(text) if line]


@pytest.mark.parametrize(
    ("top", "message"),
    [
        ("options: {turns: 3}", "options: unknown name 'turns', known are "),
        ("options: [3]", "options: found a list, allowed are the variant's options"),
        ("totals: {North: x}", "totals: found 'x', allowed is a whole number from -999999"),
        ("totals: 3", "totals: found '3', allowed are players with their totals"),
    ],
)
def test_wrong_options_and_totals(top: str, message: str) -> None:
    """What stands on top of a file is read as strictly as its sheets."""
    from sheetgen.errors import InputError

    text = f"variant: lostdice\n{top}\nsheets:\n  - player: North\n    round: 1\n"
    with pytest.raises(InputError) as caught:
        read_data(text.encode(), "f.yaml", TRAIL)
    assert message in str(caught.value)

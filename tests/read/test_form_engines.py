"""Forms filled in by real engines: all of them leave the same sheet; totals calculate in two."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image, ImageChops

sys.path.insert(0, str(Path(__file__).parents[1] / "forms"))
import engines
import pads

from sheetgen.checking import wrong
from sheetgen.geometry import PT_PER_MM
from sheetgen.prepare import load
from sheetgen.read.form import read_form
from sheetgen.read.form_sheets import form_match
from sheetgen.rules.score import judge

GIVEN: dict[str, str | bool] = {
    "player__1": "Zoë",
    "date__1": "Łódź 東",  # which the form's font cannot draw
    "red_1__1": "$",
    "red_2__1": "3",
    "red_3__1": "10",
    "blue_1__1": "−4",
    "roll_1__1": True,
    "discards_1__1": True,
    "discards_2__1": True,
    "white_bonus__1": True,
    "player__2": "(A\\B)",
    "white_1__2": "2",
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("engine", engines.ENGINES)
def test_every_engine_leaves_the_same_values(engine: str, tmp_path: Path) -> None:
    """Every engine leaves the same values."""
    data = engines.ENGINES[engine](pads.pad(copies=2), GIVEN, tmp_path)
    wanted = GIVEN | {"blue_1__1": "-4"}
    found = {
        f"{box}__{sheet.copy}": value
        for sheet in read_form(data, engine)
        for box, value in sheet.values.items()
        if value
    }
    assert found == wanted
    assert not any(sheet.warnings for sheet in read_form(data, engine))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("engine", engines.ENGINES)
def test_every_engine_leaves_the_same_match(engine: str, tmp_path: Path) -> None:
    """Every engine leaves the same match."""
    data = engines.ENGINES[engine](pads.pad(copies=2), GIVEN, tmp_path)
    first, second = form_match(load("lostdice")[0], read_form(data, "x"), "x").match.sheets
    assert first.tracks == {"red": ("$", 3, 10), "blue": (-4,)}
    assert first.counts == {"roll": 1, "discards": 2}
    assert (second.player, second.tracks) == ("(A\\B)", {"white": (2,)})


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("engine", engines.ENGINES)
def test_what_is_filled_in_is_drawn(engine: str, tmp_path: Path) -> None:
    """Every tick and every number is seen, and nothing else of the page changes."""
    given = {name: value for name, value in GIVEN.items() if name not in ("date__1", "blue_1__1")}
    blank = pads.pad(copies=2)
    data = engines.ENGINES[engine](blank, given, tmp_path)
    pictures = []
    for file in (blank, data):
        document = pypdfium2.PdfDocument(file)
        document.init_forms()
        pictures.append(document[0].render(scale=2, may_draw_forms=True).to_pil().convert("L"))
    changed = ImageChops.difference(*pictures).point(lambda value: 255 * (value > 60))
    height = pictures[0].height
    for name in given:
        box = pads.rect(blank, name)
        left, upper = round(2 * box[0]), round(height - 2 * box[3])
        inside = (left, upper, round(2 * box[2]), round(height - 2 * box[1]))
        assert changed.crop(inside).getbbox(), name
        changed.paste(0, inside)
    assert changed.getbbox() is None


def typed(pad: bytes, folder: Path, job: dict[str, Any]) -> dict[str, str]:
    """Type into a form in Chromium."""
    engines.need_chromium()
    engines.need_node("pdfjs-dist", "playwright-core")
    assert engines.CHROMIUM is not None
    (folder / "form.pdf").write_bytes(pad)
    script, form = engines.HERE / "viewer.mjs", folder / "form.pdf"
    out = engines.run("node", script, engines.MODULES, engines.CHROMIUM, form, json.dumps(job))
    found: dict[str, str] = json.loads(out)
    return found


LIVE: dict[str, tuple[str, list[tuple[str, str | bool]], dict[str, str]]] = {
    # (3 + 5 + 8 − 20) × 2 = −8; (2 − 20) = −18
    "lostdice": ("", [("red_1__1", "$"), ("red_2__1", "3"), ("red_3__1", "5"), ("red_4__1", "8"),
                      ("blue_1__1", "2"), ("green_1__2", "10")],
                 {"red_sum__1": "16", "red_score__1": "-8", "blue_score__1": "-18",
                  "total__1": "-26", "green_score__1": "", "green_score__2": "-10",
                  "total__2": "-10", "total__3": ""}),
    # (36 − 20) × 2 = 32; a match of 32 and (30 − 20) + 20 for eight cards
    "lostcities": ("", [("red_a_sum_round1__1", "36"), ("red_a_wagers_1_round1__1", True),
                        ("red_a_cards_round1__1", "7"), ("blue_a_sum_round2__1", "30"),
                        ("blue_a_cards_round2__1", "8")],
                   {"red_a_score_round1__1": "32", "round_a_round1__1": "32",
                    "round_a_round2__1": "30", "match_a__1": "62", "match_b__1": ""}),
    "yacht": ("", [("g1_aces__1", "3"), ("g1_sixes__1", "30"), ("g1_fives__1", "25"),
                   ("g1_fours__1", "8"), ("g1_yacht__1", "50")],
              {"g1_upper_sum__1": "66", "g1_bonus__1": "35", "g1_upper__1": "101",
               "g1_lower__1": "50", "g1_total__1": "151", "g2_total__1": ""}),
    "lostcities-rollwrite": ("", [("red_1__1", "1"), ("red_2__1", "4"), ("red_double__1", True),
                                  ("blue_1__1", "3"), ("dice_1__1", "x"), ("red_bridge__1", True),
                                  ("artifacts_1__1", "x")],
                             {"bridges__1": "20"}),
    "keldice": ("", [("red_1__1", "9"), ("red_2__1", "4"), ("white_1__1", "2"), ("vp_1__1", True),
                     ("stones_1__1", True), ("stones_2__1", True)],
                {}),
    "scorepad": ("", [("p1_r_1__1", "-5"), ("p1_r_2__1", "12"), ("p2_r_1__1", "3")],
                 {"p1_total__1": "7", "p2_total__1": "3", "p3_total__1": ""}),
}  # fmt: skip


@pytest.mark.parametrize("variant", LIVE)
def test_totals_calculate_while_one_types_in_firefox(variant: str, tmp_path: Path) -> None:
    """Totals calculate while one types in firefox."""
    sheet, given, wanted = LIVE[variant]
    copies = 3 if variant == "lostdice" else 1
    saved = tmp_path / "saved.pdf"
    job = {"viewer": "pdfjs", "type": given, "read": list(wanted), "saved": str(saved)}
    found = typed(pads.pad(variant, copies, sheet), tmp_path, job)
    assert {name: found[name] for name in wanted} == wanted
    sheets = read_form(saved.read_bytes(), "saved.pdf")
    kept = {f"{box}__{one.copy}": value for one in sheets for box, value in one.values.items()}
    assert {name: kept[name] for name in wanted} == wanted
    # The rules come to what the form came to.
    game = load(variant)[0]
    report = judge(game, form_match(game, sheets, "saved.pdf").match, "en")
    assert [list(wrong(one)) for one in report.sheets if one.written] == [[]] * len(report.sheets)
    assert all("total" in one.written for one in report.sheets)


def test_totals_calculate_while_one_types_in_chrome(tmp_path: Path) -> None:
    """Chrome's viewer has no values to ask for: its picture changes where the totals stand."""
    pad, scale = pads.pad(copies=3), 96 / 72

    def seen(keys: list[tuple[str, Any]]) -> Image.Image:
        picture = tmp_path / "seen.png"
        job = {"viewer": "chrome", "type": keys, "read": [], "picture": str(picture)}
        typed(pad, tmp_path, job)
        return Image.open(picture).convert("L")

    before = seen([])
    middle = before.height // 2
    left = next(x for x in range(before.width) if before.getpixel((x, middle)) == 255)
    top = next(y for y in range(before.height) if before.getpixel((left + 5, y)) == 255)

    def place(name: str) -> tuple[int, int, int, int]:
        x, low, right, high = pads.rect(pad, name)
        edges = (x, 210 * PT_PER_MM - high, right, 210 * PT_PER_MM - low)  # A4 lies
        return tuple(round(o + scale * v) for o, v in zip((left, top) * 2, edges, strict=True))  # type: ignore[return-value]

    x, y, right, low = place("red_1__1")
    click = [(x + right) // 2, (y + low) // 2]
    after = seen([("click", click), ("text", "30"), ("press", "Tab")])
    changed = ImageChops.difference(before, after).point(lambda value: 255 * (value > 60))
    for name in ("red_1__1", "red_sum__1", "red_score__1", "total__1"):
        assert changed.crop(place(name)).getbbox(), name
    for name in ("yellow_score__1", "red_score__2", "total__2"):
        assert not changed.crop(place(name)).getbbox(), name

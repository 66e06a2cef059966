"""Reading simulated paper: a seeded sample of what benchmarks/reading.py measures in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from photographed import silent

from sheetgen.checking import Checked, Checker
from sheetgen.read import layouts
from sheetgen.read.scan import markers, sheet
from simulation import camera, play, strangers
from simulation.mutations import mutate
from simulation.pages import Filled, Image, Leaf, Look, Person, cut, printed
from simulation.studio import simulate, someone, take
from simulation.trials import EVERY, Trial, run
from simulation.truth import Picture
from simulation.verdict import Compared, compare

SEED = 7  # benchmarks/reading.py has another
CHECKER = Checker()


def check(picture: Picture) -> tuple[Checked, Compared]:
    """Read a picture and compare it with what it shows."""
    checked = CHECKER.check_bytes(picture.data, picture.name)
    return checked, compare(picture, checked)


def marks(result: Compared) -> Counter[str]:
    """Return how many boxes to tick were read, silently wrong, and flagged."""
    ticks = [one for one in result.verdicts if one.what == "mark"]
    return Counter(
        boxes=len(ticks),
        silent=sum(one.silent for one in ticks),
        flagged=sum(bool(one.doubt) for one in ticks),
    )


def words(checked: Checked) -> str:
    """Return what is said about a file that cannot be read."""
    return "\n".join(f"{one.found}: {one.allowed}" for one in checked.problems)


def leaf_of(image: Image) -> Leaf:
    """Return something that is no sheet of ours, as a piece of paper."""
    return Leaf(image, ((Filled(printed(Look("lostdice")), image, {}), 0.0, 0.0),))


# -- round trips ----------------------------------------------------------------------------------


@pytest.fixture
def mutable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a test break the reader, and mend it afterwards."""
    monkeypatch.setattr(layouts.Layouts, "find", layouts.Layouts.find)
    monkeypatch.setattr(markers, "find_markers", markers.find_markers)
    yield
    sheet.blank_for.cache_clear()


@pytest.mark.parametrize("look", EVERY, ids=lambda look: f"{look.variant}-{look.sheet or 'score'}")
def test_printed_filled_in_scanned_and_checked(look: Look) -> None:
    """A legal sheet, scanned any way up, comes to the sheet that was written, or says where not."""
    number = EVERY.index(look)
    rng = np.random.default_rng([SEED, number])
    wanted = play.legal(look, rng)
    filled = Person(someone(rng), rng).fill(printed(look), wanted, rng)
    picture = take(cut(filled, rng), "scan", rng, quarter=number % 4)
    checked, result = check(picture)
    assert result.read == 1, words(checked)
    assert not [one for one in result.verdicts if one.silent]
    stands = {box: one.value for box, one in filled.boxes.items() if one.value}
    assert not silent(checked, play.match_of(look, [stands]))


def test_what_stands_on_a_scan_is_judged() -> None:
    """A rule that was broken on paper is reported, or the reader is unsure of just that."""
    look = Look("lostdice", "tick")
    wanted: play.Values = {"red_4": True, "red_6": True, "red_score": "99", "total": "99"}
    picture = simulate(look, "scan", 3, wanted=wanted, alone=True)
    checked, _ = check(picture)
    assert checked.report
    (sheet,) = checked.report.sheets
    found = {(one.box, one.rule) for one in sheet.findings}
    doubted = {doubt.name for doubt in checked.doubts}
    assert ("red", "written") in found or "written.red" in doubted
    assert ("total", "written") in found or "written.total" in doubted
    assert checked.code(strict=False) == 1


# -- marks ----------------------------------------------------------------------------------------


def test_no_mark_is_misread_silently() -> None:
    """Scans and photos of all kinds of marks: none is wrong unless a person is asked to look."""
    total: Counter[str] = Counter()
    for group, count in (("good", 3), ("medium", 1)):
        for number in range(count):
            row = run(Trial(group, number), SEED, None)
            assert row["false"] == 0
            for name, (boxes, wrong, flagged, _) in row["tally"].items():
                if name.startswith("mark "):
                    total += Counter(boxes=boxes, silent=wrong, flagged=flagged)
    assert total["boxes"] > 400
    assert total["silent"] == 0
    assert total["flagged"] < 0.03 * total["boxes"]


@pytest.mark.parametrize("fault", ["ear1", "cover1", "letter", "scaled", "toner", "streak"])
def test_what_happens_to_paper_is_survived(fault: str) -> None:
    """One marker lost, other paper, another scale, little toner, a streak: nothing is misread."""
    picture = simulate(Look("lostdice", "tick"), "scan", 21, alone=True, faults=(fault,))
    checked, result = check(picture)
    assert result.read == 1, words(checked)
    assert marks(result)["silent"] == 0
    if fault in ("ear1", "cover1"):
        assert any("corner mark" in note for note in checked.scans[0].notes)


@pytest.mark.parametrize("shape", ["png", "pdf", "one-bit", "dither"])
def test_other_files(shape: str) -> None:
    """PDFs of scans are read; pictures of black and white alone are read or refused."""
    picture = simulate(Look("lostdice", "tick"), "scan", 24, alone=True, shape=shape)
    checked, result = check(picture)
    assert marks(result)["silent"] == 0
    assert result.false == 0
    if shape in ("png", "pdf"):
        assert result.read == 1, words(checked)


def test_a_scanned_pad_with_blank_backs() -> None:
    """A PDF of two sheets scanned on both sides comes to two sheets, and says what was blank."""
    rng = np.random.default_rng(SEED)
    sheet_ = printed(Look("lostdice", "tick"))
    level = camera.LEVELS["coarse"]
    pages = []
    for wanted in ({"red_4": True}, None, {"blue_5": True}):
        if wanted is None:
            image = strangers.white(rng)
            shot = camera.shoot(leaf_of(image), level, rng)
        else:
            filled = Person(someone(rng), rng).fill(sheet_, wanted, rng)
            shot = camera.shoot(cut(filled, rng), level, rng)
        pages.append(camera.jpeg(shot.image, level, rng))
    data = camera.pdf_of(pages, level.density[0])
    checked = CHECKER.check_bytes(data, "pad.pdf")
    assert [one.page for one in checked.scans] == [1, 3], words(checked)
    assert checked.match
    assert any("page 2" in note for note in checked.match.notes)


def test_several_sheets_in_one_photo() -> None:
    """All sheets of a page are found, each where it is."""
    rng = np.random.default_rng(SEED)
    look = Look("lostdice")
    from simulation.pages import page

    sheets = [
        Person(someone(rng), rng).fill(printed(look), play.legal(look, rng), rng) for _ in range(3)
    ]
    checked, result = check(take(page(sheets), "mild", rng))
    assert (result.read, result.lost, result.false) == (3, 0, 0), words(checked)
    assert marks(result)["silent"] == 0


# -- what must be refused -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(strangers.DRAWN))
def test_strangers_are_refused(kind: str) -> None:
    """A blank page, a cat, a letter, a board with the same markers: no sheet is made up."""
    rng = np.random.default_rng(SEED)
    checked, result = check(take(leaf_of(strangers.DRAWN[kind](rng)), "mild", rng))
    assert (result.read, result.false) == (0, 0)
    said = words(checked)
    assert ("code" if kind == "board" else "no sheet is to be seen") in said


def test_another_version_is_refused() -> None:
    """A sheet whose boxes lay elsewhere when it was printed is not read by today's."""
    rng = np.random.default_rng(SEED)
    look = Look("lostdice")
    image = strangers.other_version(look, rng)
    checked, result = check(take(leaf_of(image), "scan", rng))
    assert (result.read, result.false) == (0, 0)
    assert "printed from another version of lostdice" in words(checked)


@pytest.mark.parametrize("other", [Look("lostdice", "tick"), Look("lostcities")])
def test_a_sheet_with_the_code_of_another_is_refused(other: Look) -> None:
    """What is printed must be what the code says, however alike the sheets are."""
    rng = np.random.default_rng(SEED)
    image = strangers.swapped(Look("lostdice"), other)
    checked, result = check(take(leaf_of(image), "scan", rng))
    assert (result.read, result.false) == (0, 0), words(checked)


@pytest.mark.parametrize(
    ("fault", "said"),
    [("cover2", "corner mark"), ("crop2", "corner mark"), ("mirror", "mirror")],
)
def test_sheets_that_cannot_be_read_are_refused_by_name(fault: str, said: str) -> None:
    """Two markers covered or cut off, a mirrored picture: the message says which it is."""
    picture = simulate(Look("lostdice"), "scan", 23, alone=True, faults=(fault,), quarter=0)
    checked, result = check(picture)
    assert (result.read, result.false) == (0, 0)
    assert said in words(checked)


def test_too_few_pixels_are_refused() -> None:
    """Below 100 dpi the message says how many there are, and what to do."""
    rng = np.random.default_rng(SEED)
    sheet = printed(Look("lostdice"))
    filled = Person(someone(rng), rng).fill(sheet, {"red_1": "5"}, rng)
    level = camera.LEVELS["scan"]._replace(density=(80 / 25.4, 82 / 25.4))
    shot = camera.shoot(cut(filled, rng), level, rng)
    picture = Picture(camera.png(shot.image), "small.png", "low", shot.sheets)
    checked, result = check(picture)
    assert (result.read, result.false) == (0, 0)
    assert "dpi" in words(checked)
    assert "closer" in words(checked)


# -- mutations: these tests must be able to fail --------------------------------------------------


def test_a_grid_that_is_a_millimetre_off_is_noticed(mutable: None) -> None:
    """Boxes expected a millimetre away are misread, refused or flagged in plenty."""
    mutate("shift")
    picture = simulate(Look("lostdice"), "scan", 24, alone=True)
    result = compare(picture, Checker().check_bytes(picture.data, picture.name))
    seen = marks(result)
    assert result.lost or seen["silent"]
    assert result.lost or seen["silent"] + seen["flagged"] > 0.1 * seen["boxes"]


def test_swapped_layouts_are_noticed(mutable: None) -> None:
    """A sheet taken for another one is refused, or its readings are wrong in plenty."""
    mutate("swap")
    picture = simulate(Look("lostdice"), "scan", 24, alone=True)
    result = compare(picture, Checker().check_bytes(picture.data, picture.name))
    assert result.lost + result.false or marks(result)["silent"] > 3


def test_a_dropped_marker_is_noticed(mutable: None) -> None:
    """With one marker never seen, sheets are read with a note; with another covered, refused."""
    mutate("marker")
    picture = simulate(Look("lostdice"), "scan", 24, alone=True)
    checked, result = check(picture)
    assert result.read == 1, words(checked)
    assert any("corner mark" in note for note in checked.scans[0].notes)
    lost = 0
    for seed in range(2):
        picture = simulate(Look("lostdice"), "scan", seed, alone=True, faults=("cover2",))
        lost += check(picture)[1].lost
    assert lost == 2

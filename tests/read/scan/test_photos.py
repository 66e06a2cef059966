"""Photos that users gave, each with its truth: see tests/photos/README.md."""

from __future__ import annotations

from pathlib import Path

import pytest
from photographed import silent

from sheetgen.checking import Checker
from simulation import play
from simulation.pages import Look
from simulation.studio import simulate

PHOTOS = Path(__file__).parents[2] / "photos"
TRUTHS = sorted(PHOTOS.glob("*.yaml"))


def read(truth: Path) -> list[str]:
    """Return what is silently wrong about a photo, or that it should have been refused."""
    (photo,) = (file for file in truth.parent.glob(f"{truth.stem}.*") if file != truth)
    checked = Checker().check_bytes(photo.read_bytes(), photo.name)
    text = truth.read_text(encoding="utf-8")
    if text.startswith("refused:"):
        words = text.removeprefix("refused:").strip()
        said = " ".join(f"{one.found} {one.allowed}" for one in checked.problems)
        return [] if checked.match is None and words in said else [f"said {said!r}"]
    right = Checker().check_bytes(text.encode(), truth.name)
    assert right.match, right.problems
    return silent(checked, right.match)


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda path: path.stem)
def test_a_users_photo_is_not_misread_silently(truth: Path) -> None:
    """What differs from the truth is among what the reader is unsure of."""
    assert not read(truth)


def test_a_dropped_in_photo_is_compared_with_its_truth(tmp_path: Path) -> None:
    """A photo put beside a right data file passes, beside a wrong one it fails."""
    wanted: play.Values = {
        "red_1": "3",
        "red_2": "5",
        "blue_1": "4",
        "discards_1": True,
        "discards_2": True,
    }
    photo = simulate(Look("lostdice"), "scan", 12, wanted=wanted, alone=True, quarter=0)
    assert all(one.kind != "cancelled" for one in photo.sheets[0].boxes.values())
    (tmp_path / "mine.jpg").write_bytes(photo.data)
    truth = tmp_path / "mine.yaml"
    text = (
        "variant: lostdice\nsheets:\n"
        "- player: Me\n  entries: {red: [3, 5], blue: [4], discards: 2}\n"
    )
    truth.write_text(text, encoding="utf-8")
    assert not read(truth)
    truth.write_text(text.replace("discards: 2", "discards: 4"), encoding="utf-8")
    assert any("discards" in one for one in read(truth))
    truth.write_text("refused: closer\n", encoding="utf-8")
    assert read(truth)
    assert play.match_of(Look("lostdice"), [wanted]).sheets

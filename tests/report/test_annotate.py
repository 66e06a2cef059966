"""Annotated photos: what was read and what is right stands where it belongs, in perspective."""

from __future__ import annotations

import io
import random
from functools import cache

import pytest
from PIL import Image, ImageChops
from scanned import CAMERA, LOST_DICE, UNSURE, checked, drawn, inverse, scanned

from sheetgen.checking import Checked
from sheetgen.report.annotate import LARGEST, annotated
from sheetgen.report.marking import AMBER, BLUE, GREEN, RED, Colour
from sheetgen.report.perspective import inverse as back
from sheetgen.report.perspective import moving, product, project, scale_at, scaling

SIDEWAYS = (0.5, -7.6, 1500.0, 7.9, 0.3, 150.0, 0.0002, 0.0003, 1.0)


@cache
def result() -> Checked:
    """Return a sheet with a wrong total, right scores, missing ones, and doubts."""
    return checked(scanned(LOST_DICE, UNSURE))


def pictures(given: Checked, form: str = "PNG") -> list[Image.Image]:
    """Return the annotated photos."""
    return [Image.open(io.BytesIO(data)).convert("RGB") for data in annotated(given, form)]


def straight(picture: Image.Image, given: Checked, scale: float = 8) -> Image.Image:
    """Return the annotated sheet straightened again; only for a photo that was not turned."""
    scan = given.scans[0]
    width, height = scan.scene.size
    around = [
        project(scan.homography, width * x, height * y)
        for x in (-0.04, 1.04)
        for y in (-0.04, 1.04)
    ]
    left, top = (max(0, int(min(point[axis] for point in around))) for axis in (0, 1))
    right = max(point[0] for point in around)
    factor = picture.width / (min(1000, right) - left)
    matrix = product(product(scaling(factor), moving(-left, -top)), scan.homography)
    last = product(matrix, scaling(1 / scale))
    size = round(width * scale), round(height * scale)
    coefficients = [value / last[8] for value in last[:8]]
    return picture.transform(size, Image.Transform.PERSPECTIVE, coefficients)


def near(picture: Image.Image, colour: Colour, box: str, more: float = 2.0) -> int:
    """Return how many pixels of a colour are in a box or close to it."""
    rect = next(one.rect for one in result().scans[0].scene.boxes if one.id == box).inset(-more)
    sides = (rect.x, rect.y, rect.right, rect.bottom)
    left, top, right, bottom = (round(8 * side) for side in sides)
    part = picture.crop((left, top, right, bottom))
    data = part.tobytes()
    pixels = zip(data[::3], data[1::3], data[2::3], strict=True)
    return sum(all(abs(a - b) < 40 for a, b in zip(p, colour, strict=True)) for p in pixels)


def test_signs_stand_at_their_boxes() -> None:
    """Right results are green, wrong ones red, missing ones blue, doubts amber; nothing else is."""
    (picture,) = pictures(result())
    flat = straight(picture, result())
    assert near(flat, RED, "total") > 200
    assert near(flat, GREEN, "red_score") > 100
    assert near(flat, GREEN, "green_score") > 100
    assert near(flat, BLUE, "yellow_score", 0.5) > 60
    assert near(flat, RED, "red_score") < 30
    for box in UNSURE:
        assert near(flat, AMBER, box) > 100
    assert near(flat, AMBER, "red_5") == 0
    assert near(flat, BLUE, "red_5") > 40
    assert near(flat, BLUE, "discards_7", 0.3) > 20
    assert near(flat, BLUE, "discards_12", 0.3) == 0


def test_the_photo_stays() -> None:
    """Where nothing is drawn the photo is as it was, and the strip stands below it."""
    (picture,) = pictures(result())
    scan = result().scans[0]
    photo = Image.open(io.BytesIO(scan.photo)).convert("RGB")
    assert max(picture.size[0], picture.size[1]) <= LARGEST * 1.4
    corner = picture.crop((0, 0, 40, 40))
    assert max(ImageChops.difference(corner, photo.crop((0, 0, 40, 40))).tobytes()) < 30
    assert picture.getpixel((2, picture.height - 2)) == (255, 253, 249)


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_photos_are_turned_upright(turn: int) -> None:
    """Whichever way the photo was held, the annotated sheet stands upright."""
    size = (1000, 1800)
    matrix = list(CAMERA)
    for _ in range(turn):  # a quarter clockwise
        matrix = list(product((0, -1, size[1], 1, 0, 0, 0, 0, 1), matrix))
        size = size[1], size[0]
    matrix = [value / matrix[8] for value in matrix]
    given = checked(scanned(LOST_DICE, {}, camera=tuple(matrix), size=size))
    (picture,) = pictures(given)
    (upright,) = pictures(checked(scanned(LOST_DICE, {})))
    assert abs(picture.width - upright.width) < 12
    small = [one.resize((60, 130)).convert("L") for one in (picture, upright)]
    difference = ImageChops.difference(*small).tobytes()
    assert sum(difference) / len(difference) < 12


def test_one_picture_for_each_photo() -> None:
    """Sheets of one page share a picture, other pages have their own; JPEG is made, too."""
    one = scanned(LOST_DICE, {})
    other = scanned({**LOST_DICE, "total": "47"}, {}, copy=2)
    assert len(pictures(checked(one, other), "JPEG")) == 1
    assert len(pictures(checked(one, other._replace(page=2)))) == 2
    assert pictures(checked(one._replace(photo=b""))) == []


@pytest.mark.parametrize(
    ("name", "sheet"), [("lostcities", ""), ("lostcities", "tick"), ("yacht", "")]
)
def test_any_sheet(name: str, sheet: str) -> None:
    """Sheets of several players and rounds, filled in anyhow, are drawn as well."""
    scene = drawn(name, sheet)[1].front
    source = random.Random(4)
    values: dict[str, str | bool] = {}
    for box in scene.boxes:
        if box.kind == "tick":
            values[box.id] = source.random() < 0.2 and "wagers" not in box.id
        elif box.kind != "text":
            values[box.id] = str(source.randint(2, 9))
    filled = [box for box in values if values[box]]
    doubts = {box: ((str(values[box]), 0.6), ("3", 0.3)) for box in source.sample(filled, 3)}
    given = checked(scanned(values, doubts, name, sheet, SIDEWAYS, (1700, 1900)), name=name)
    (picture,) = pictures(given)
    assert picture.width > 900


def test_homographies() -> None:
    """There and back is where one was; the scale is that of small steps."""
    matrix = product(back(CAMERA), CAMERA)
    for x, y in ((0, 0), (40, 90), (87, 197)):
        assert project(matrix, x, y) == pytest.approx((x, y))
    assert inverse(CAMERA) == pytest.approx(back(CAMERA))
    assert scale_at(scaling(8), 10, 20) == pytest.approx(8)

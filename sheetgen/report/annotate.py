"""The photo itself, with what was read and what is right of it drawn into it."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence

from PIL import Image

from sheetgen.checking import Checked
from sheetgen.read.scan.readings import ScannedSheet
from sheetgen.report.legend import legend
from sheetgen.report.marking import draw
from sheetgen.report.perspective import Matrix, inverse, moving, product, project, scale_at, scaling

LARGEST = 2400  # px, the longer side of a picture
FINE = 10.0  # px per mm that a sheet has at least, if the picture does not get too large by it
_AROUND = 0.04  # of a sheet's sides: what is kept of the photo around the sheets


def annotated(checked: Checked, form: str = "PNG") -> Iterator[bytes]:
    """Yield a picture for each photo of a file, in the order of its pages, as PNG or JPEG."""
    pages: dict[int, list[int]] = {}
    for index, scan in enumerate(checked.scans):
        if scan.photo:
            pages.setdefault(scan.page, []).append(index)
    for indices in pages.values():
        out = io.BytesIO()
        _page(checked, indices).save(out, form, quality=90)
        yield out.getvalue()


def _page(checked: Checked, indices: Sequence[int]) -> Image.Image:
    """Return one photo with all its sheets."""
    scans = [checked.scans[index] for index in indices]
    photo, to_photo = _upright(Image.open(io.BytesIO(scans[0].photo)).convert("RGB"), scans[0])
    photo, more = _cut(photo, [product(to_photo, scan.homography) for scan in scans], scans)
    to_photo = product(more, to_photo)
    for index, scan in zip(indices, scans, strict=True):
        _lay(photo, scan, product(to_photo, scan.homography), index, checked)
    return legend(photo, checked, indices)


def _upright(photo: Image.Image, scan: ScannedSheet) -> tuple[Image.Image, Matrix]:
    """Turn a photo by quarters until the sheet stands upright in it."""
    width, height = scan.scene.size
    x0, y0 = project(scan.homography, width / 2, height)
    x1, y1 = project(scan.homography, width / 2, 0)
    quarters = round(math.atan2(x1 - x0, y0 - y1) / (math.pi / 2)) % 4
    across, down = photo.size
    turns: tuple[tuple[Image.Transpose | None, Matrix], ...] = (
        (None, scaling(1)),
        (Image.Transpose.ROTATE_90, (0, 1, 0, -1, 0, across, 0, 0, 1)),
        (Image.Transpose.ROTATE_180, (-1, 0, across, 0, -1, down, 0, 0, 1)),
        (Image.Transpose.ROTATE_270, (0, -1, down, 1, 0, 0, 0, 0, 1)),
    )
    turn, matrix = turns[quarters]
    return (photo if turn is None else photo.transpose(turn)), matrix


def _cut(
    photo: Image.Image, homographies: Sequence[Matrix], scans: Sequence[ScannedSheet]
) -> tuple[Image.Image, Matrix]:
    """Cut a photo to its sheets and make it as large as the writing needs."""
    points, scales = [], []
    for matrix, scan in zip(homographies, scans, strict=True):
        width, height = scan.scene.size
        points += [
            project(matrix, width * x, height * y)
            for x in (-_AROUND, 1 + _AROUND)
            for y in (-_AROUND, 1 + _AROUND)
        ]
        scales.append(scale_at(matrix, width / 2, height / 2))
    left, top = (max(0, math.floor(min(p[axis] for p in points))) for axis in (0, 1))
    right, bottom = (
        min(photo.size[axis], math.ceil(max(p[axis] for p in points))) for axis in (0, 1)
    )
    photo = photo.crop((left, top, right, bottom))
    factor = min(LARGEST / max(photo.size), max(1.0, FINE / min(scales)))
    size = (round(photo.width * factor), round(photo.height * factor))
    photo = photo.resize(size, Image.Resampling.LANCZOS)
    return photo, product(scaling(factor), moving(-left, -top))


def _lay(
    photo: Image.Image, scan: ScannedSheet, homography: Matrix, index: int, checked: Checked
) -> None:
    """Lay what is drawn over a sheet into the photo, in its perspective."""
    width, height = scan.scene.size
    scale = min(scale_at(homography, width / 2, height / 2), 14.0)
    flat = draw(scan, index, checked, scale)
    back = inverse(product(homography, scaling(1 / scale)))
    layer = flat.transform(
        photo.size, Image.Transform.PERSPECTIVE, list(back[:8]), Image.Resampling.BICUBIC
    )
    photo.paste(layer, (0, 0), layer)

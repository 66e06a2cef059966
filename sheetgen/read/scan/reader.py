"""Reading pictures and scanned PDFs: page by page, sheet by sheet."""

from __future__ import annotations

import cv2

from sheetgen.catalogue import variants_of
from sheetgen.errors import InputError, NoSheetError, Problem
from sheetgen.read.layouts import Layout, Layouts
from sheetgen.read.scan import codes, markers, pictures, register
from sheetgen.read.scan.arrays import Pixels
from sheetgen.read.scan.boxes import read_boxes
from sheetgen.read.scan.document import ScanDocument
from sheetgen.read.scan.markers import CORNERS, LEAST, Corners
from sheetgen.read.scan.readings import Homography, ScannedSheet
from sheetgen.read.scan.sheet import LEAST_SCALE, lay_straight, too_coarse
from sheetgen.schema import Place

JPEG_QUALITY = 88
PHOTO_SIDE = 2400  # px of the photo that is kept to draw on


def open_scan(
    data: bytes,
    file: str,
    layouts: Layouts,
    password: str | None = None,
    *,
    pictures: bool = False,
) -> ScanDocument:
    """Read a picture or a scanned PDF; with ``pictures`` they are kept for reports.

    Raises :class:`InputError` if it cannot be opened or no sheet in it can be read.
    """
    reader = _Reader(file, layouts, keep=pictures)
    reader.read(data, password)
    if not reader.sheets:
        raise (InputError if reader.count else NoSheetError)(reader.problems)
    dialect = "scan" if b"%PDF-" in data[:1024] else "picture"
    place = Place(file, 0, 0, "")
    sheets, notes = tuple(reader.sheets), tuple(reader.notes)
    return ScanDocument(file, dialect, reader.variant, place, sheets, notes, tuple(reader.problems))


class _Reader:
    """Reads the pages of a file one after the other, so that only one is in memory."""

    def __init__(self, file: str, layouts: Layouts, *, keep: bool) -> None:
        self.file, self.layouts, self.keep = file, layouts, keep
        self.sheets: list[ScannedSheet] = []
        self.problems: list[Problem] = []
        self.notes: list[str] = []
        self.variant = ""
        self.count = 0  # of sheets seen so far, readable or not

    def read(self, data: bytes, password: str | None) -> None:
        bare: list[int] = []
        lost: list[Problem] = []
        number = 0
        for number, picture in enumerate(pictures.pages(data, self.file, password), 1):
            grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
            seen = markers.find_markers(grey)
            groups = markers.sheets(seen)
            photo, share = _photo(picture) if self.keep and groups else (b"", 1.0)
            for corners in groups:
                self.count += 1
                self._sheet(picture, grey, corners, number, photo, share)
            if seen and not groups:
                self.problems.append(self._stray(len(seen), number))
            elif not groups:
                bare.append(number)
                lost.append(self._nothing(grey, number))
        if number == 0:
            self.problems.append(Problem("no pages", "give another file", file=self.file))
        if self.count == 0 and not self.problems:
            self.problems += lost[:3]
        elif bare:
            pages = ", ".join(map(str, bare))
            self.notes.append(f"no sheet is to be seen on page{'s'[: len(bare) > 1]} {pages}")

    def _sheet(
        self,
        picture: Pixels,
        grey: Pixels,
        corners: Corners,
        page: int,
        photo: bytes,
        share: float,
    ) -> None:
        """Read one sheet, or note why it cannot be read."""
        try:
            layout = self._layout(grey, corners)
            layout, straight, blank = lay_straight(picture, grey, corners, layout, self.layouts)
            readings = read_boxes(straight, blank, layout)
        except InputError as error:
            for problem in error.problems:
                problem.where = self._where(page)
                problem.file = problem.file or self.file
            self.problems += error.problems
            return
        self.variant = self.variant or layout.name
        self.sheets.append(
            ScannedSheet(
                self.file,
                page,
                self.count,
                layout.identity,
                layout.scene,
                readings,
                straight.scale,
                _scaled(straight.placement, share),
                _jpeg(straight.picture) if self.keep else b"",
                photo,
                straight.notes,
            )
        )

    def _where(self, page: int) -> str:
        where = f"sheet {self.count}" if self.count > 1 else ""
        return " on ".join(filter(None, (where, f"page {page}" if page > 1 else "")))

    def _layout(self, grey: Pixels, corners: Corners) -> Layout:
        """Return what a sheet is by its code. Raises :class:`InputError` if that is not known."""
        if len(corners) < LEAST:
            missing = " and ".join(name for n, name in enumerate(CORNERS) if n not in corners)
            found = f"only {len(corners)} of the four corner marks, {missing} missing"
            raise InputError(Problem(found, "show the whole sheet, flat and in even light"))
        rough = codes.roughly(corners)
        code = codes.read_code(grey, rough) if rough else ""
        if not code:
            scale = float(register.scales(rough).min()) if rough else 0.0
            if 0 < scale < LEAST_SCALE:
                raise InputError(too_coarse(scale))
            found = "a sheet whose code cannot be read"
            raise InputError(Problem(found, "photograph it closer, flat and in even light"))
        layout = self.layouts.find(code)
        if layout is None:
            names = list(self.layouts.named(code))
            if names:
                found = f"the code {code}: printed from another version of {names[0]}"
                allowed = "give the file of that version with --variant"
            elif known := variants_of(code):
                found = f"the code {code}, which is of {known[0]}"
                allowed = "leave --variant away"
            else:
                found = f"the code {code}, which is of no known variant"
                allowed = "give its file with --variant"
            raise InputError(Problem(found, allowed))
        return layout

    def _stray(self, count: int, page: int) -> Problem:
        marks = "1 corner mark" if count == 1 else f"{count} corner marks that make no sheet"
        found = f"found {marks} where four belong"
        allowed = "show the whole sheet, flat and in even light"
        where = f"page {page}" if page > 1 else ""
        return Problem(found, allowed, where=where, file=self.file)

    def _nothing(self, grey: Pixels, page: int) -> Problem:
        """Say why there is no sheet."""
        where = f"page {page}" if page > 1 else ""
        if markers.mirrored(grey):
            found, allowed = "a mirrored picture", "turn mirroring off, and take it again"
        else:
            found = "no sheet is to be seen: none of the four corner marks was found"
            allowed = "show the whole sheet from near, flat and in even light"
        return Problem(found, allowed, where=where, file=self.file)


def _jpeg(picture: Pixels) -> bytes:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return bytes(data) if done else b""


def _photo(picture: Pixels) -> tuple[bytes, float]:
    """Return a page to draw on, no larger than needed, and its scale."""
    share = min(1.0, PHOTO_SIDE / max(picture.shape[:2]))
    if share < 1:
        picture = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return _jpeg(picture), share


def _scaled(placement: register.Placement, share: float) -> Homography:
    """Return the homography to a picture that was made smaller."""
    matrix = placement.homography.copy()
    matrix[:2] = matrix[:2] * share + (share / 2 - 0.5) * matrix[2]
    return tuple(map(float, (matrix / matrix[2, 2]).ravel()))

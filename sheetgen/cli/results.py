"""What check writes beside its report: data files, the page to look over, annotated photos."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sheetgen.cli.terminal import count, quoted
from sheetgen.errors import InputError, Problem

if TYPE_CHECKING:
    from sheetgen.checking import Checked
    from sheetgen.model import Variant

_FORMS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}


class Results:
    """Takes one result after the other and writes what was asked for.

    ``names`` are the inputs, never written over. ``said`` are lines about what was written,
    ``problems`` those of writing. Raises :class:`InputError` at once for what cannot be written.
    """

    def __init__(
        self,
        names: Sequence[str],
        *,
        save: str | None,
        review: str | None,
        annotate: str | None,
        force: bool,
    ) -> None:
        self.inputs = [Path(name) for name in names if name != "-"]
        self.force = force
        self.problems: list[Problem] = []
        self.saves = iter(self._saves(names, save)) if save is not None else None
        self.review = self.annotate = None
        if review is not None:
            self.review = self._checked(review, "--review", (".html", ".htm"))
        if annotate is not None:
            self.annotate = self._checked(annotate, "--annotate", tuple(_FORMS))
        self.said: list[str] = []
        self.reviewed: list[Checked] = []
        self.scans = 0
        self.first: bytes | None = None
        self.photos = 0

    # -- before the work --------------------------------------------------------------------------

    def _checked(self, name: str, option: str, endings: tuple[str, ...]) -> Path:
        """Return where to write. Raises :class:`InputError` where that cannot be."""
        path = Path(name)
        if path.suffix.lower() not in endings:
            allowed = f"allowed are {' and '.join(endings[:2])}"
            raise InputError(Problem(f"found {quoted(name)}", allowed, where=option))
        self._free(path, overwrite=option == "--review")
        return path

    def _free(self, path: Path, *, overwrite: bool = False) -> None:
        """Refuse a file that is an input, and one that exists unless that is allowed."""
        from sheetgen.output import check_target
        from sheetgen.source_text import files_read

        state = check_target(path, inputs=[*self.inputs, *files_read])
        if state is not None and path.is_file() and not (overwrite or self.force):
            found = "exists, and may hold corrections"
            raise InputError(Problem(found, "choose another name or add --force", file=str(path)))

    def _saves(self, names: Sequence[str], save: str) -> list[Path]:
        """Return where the match of each input is written to."""
        target = Path(save)
        folder = save.endswith(("/", "\\")) or target.is_dir()
        if len(names) == 1 and not folder:
            return [self._checked(save, "--save", (".yaml", ".yml"))]
        if not target.is_dir():
            if target.exists() or target.suffix.lower() in (".yaml", ".yml"):
                allowed = "several files are saved into a folder, give its name"
                raise InputError(Problem(f"found {quoted(save)}", allowed, where="--save"))
            try:
                target.mkdir()
            except OSError as error:
                reason = f"cannot make the folder: {error.strerror or error}"
                raise InputError(Problem(reason, file=save)) from None
        taken: set[str] = set()
        paths = []
        for name in names:
            stem = "stdin" if name == "-" else Path(name).stem
            number = 1
            while (own := stem if number == 1 else f"{stem}-{number}").casefold() in taken:
                number += 1
            taken.add(own.casefold())
            paths.append(target / f"{own}.yaml")
            self._free(paths[-1])
        return paths

    # -- during the work --------------------------------------------------------------------------

    def take(self, checked: Checked) -> None:
        """Write what there is to write about one file."""
        self.scans += len(checked.scans)
        if self.saves is not None:
            path = next(self.saves)
            if checked.match is not None and checked.variant is not None:
                self._write(path, self._saved(checked), f"what was read in {checked.file}")
        if self.annotate is not None and checked.report is not None:
            from sheetgen.report.annotate import annotated

            for picture in annotated(checked, _FORMS[self.annotate.suffix.lower()]):
                self._photo(picture)
        if self.review is not None and (checked.scans or checked.report is None):
            self.reviewed.append(_without_photos(checked))

    def end(self) -> Iterator[Problem]:
        """Write what belongs to all files, and yield every problem there was in writing."""
        if self.annotate is not None and self.photos == 1:
            assert self.first is not None
            self._write(self.annotate, self.first, "an annotated photo")
        if self.review is not None and self.scans:
            from sheetgen.report.review import page

            found = f"{count(self.scans, 'sheet')} to look over"
            self._write(self.review, page(self.reviewed).encode(), found)
        if not self.scans:
            for option, given in (("--review", self.review), ("--annotate", self.annotate)):
                if given is not None:
                    found = "found no sheet in a picture"
                    allowed = "it shows photos and scans of sheets"
                    self.problems.append(Problem(found, allowed, where=option))
        yield from self.problems

    def _saved(self, checked: Checked) -> bytes:
        from sheetgen.read.save import save

        assert checked.match
        assert checked.variant
        name = _called(checked.variant)
        return save(checked.match, checked.variant, checked.doubts, name=name).encode()

    def _photo(self, picture: bytes) -> None:
        """Write an annotated photo; the first waits to know whether there is another."""
        assert self.annotate is not None
        self.photos += 1
        if self.photos == 1:
            self.first = picture
            return
        if self.first is not None and self.photos == 2:
            self._write(_numbered(self.annotate, 1), self.first, "an annotated photo", new=True)
            self.first = None
        self._write(_numbered(self.annotate, self.photos), picture, "an annotated photo", new=True)

    def _write(self, path: Path, data: bytes, fact: str, *, new: bool = False) -> None:
        """Write a file; what goes wrong is a problem and stops nothing."""
        from sheetgen.output import write
        from sheetgen.source_text import files_read

        try:
            if new:
                self._free(path)
            write(data, path, inputs=[*self.inputs, *files_read])
        except InputError as error:
            self.problems += error.problems
        else:
            self.said.append(f"{path}: {fact}")


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}-{number}{path.suffix}")


def _without_photos(checked: Checked) -> Checked:
    """Return a result without the photos, which the page does not show."""
    return checked._replace(scans=tuple(scan._replace(photo=b"") for scan in checked.scans))


def _called(variant: Variant) -> str:
    """Return what a file calls the variant: nothing for its id if that finds it, else its path."""
    from sheetgen.library import find_variant

    file = Path(variant.place.file)
    try:
        if find_variant(str(variant.id)).samefile(file):
            return ""
    except (InputError, OSError):
        pass
    return str(file)

"""Checking finished sheets: from files to reports, one bad file never stopping the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from sheetgen import decode, library, source
from sheetgen.catalogue import variants_of
from sheetgen.errors import InputError, Problem, nearest
from sheetgen.filled import FilledMatch
from sheetgen.model import Variant
from sheetgen.read.files import Document, open_document, read_bytes
from sheetgen.read.layouts import Layouts
from sheetgen.read.scan.document import ScanDocument
from sheetgen.rules.findings import Finding, MatchReport, SheetReport
from sheetgen.schema import shorten

if TYPE_CHECKING:
    from sheetgen.read.boxes import Part
    from sheetgen.read.scan.readings import Doubt, ScannedSheet

_ONLY_PRINTED = ("rules", "examples")  # a quarter of the time of a short check
RIGHT, WRONG, UNREADABLE = 0, 1, 2


class Checked(NamedTuple):
    """What became of one file: sheets with their report, or problems.

    ``variant`` is the loaded one, ``language`` what its words are said in, ``dialect`` what kind of
    file it turned out to be. ``scans`` are the sheets that were found in a picture, ``origins`` say
    for each filled sheet of the match which of them it is from and in which boxes it stands,
    ``doubts`` what a person should look at.
    """

    file: str
    dialect: str
    variant: Variant | None
    language: str
    match: FilledMatch | None
    report: MatchReport | None
    problems: tuple[Problem, ...]
    scans: tuple[ScannedSheet, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    origins: tuple[tuple[int, Part], ...] = ()

    @property
    def findings(self) -> Iterator[Finding]:
        """Yield all findings, those across sheets last."""
        if self.report:
            for sheet in self.report.sheets:
                yield from sheet.findings
            yield from self.report.findings

    def code(self, *, strict: bool) -> int:
        """Return the exit code this file asks for; warnings alone matter when ``strict``."""
        if self.report is None or self.problems:
            return UNREADABLE
        if self.doubts or any(strict or one.severity == "error" for one in self.findings):
            return WRONG
        return WRONG if any(any(wrong(sheet)) for sheet in self.report.sheets) else RIGHT


def wrong(sheet: SheetReport) -> Iterator[str]:
    """Yield the names whose written result is not the right one."""
    for name, value in sheet.written.items():
        if sheet.scores.get(name, value) != value:
            yield name


def _about_file(match: FilledMatch, report: MatchReport) -> Iterator[Finding]:
    """Yield what the match totals on paper and the file itself give cause to say."""
    for player, total in match.totals.items():
        right = report.totals.get(player, total)
        if total != right:
            message = f"{player}: {total} is written, right is {right}".replace("-", "−")
            yield Finding("match", "written", "error", message)
    for note in match.notes:
        yield Finding("", "file", "warning", note)


def _finding(doubt: Doubt) -> Finding:
    """Return a doubt as a warning: what was read, why that is doubtful, what it may be."""
    likely = " or ".join(f"{text or 'nothing'}" for text, _ in doubt.likeliest)
    message = f"{doubt.box}: {doubt.why}" + (f" ({likely}?)" if likely else "")
    return Finding(doubt.name, "unsure", "warning", message)


def _no_odd_file(name: str) -> None:
    """Refuse a file's word for a variant that is no name and no variant file."""
    path = library.find_variant(name[:200])
    if path.suffix not in library.ENDINGS or not path.is_file():
        allowed = "a name from sheetgen list or a .yaml file is expected"
        raise InputError(Problem(f"found {shorten(name)!r}", allowed))


def load(name: str) -> Variant:
    """Return a variant by name or path, without what only printing it needs.

    Raises :class:`InputError` with every problem.
    """
    path = library.find_variant(name)
    top = source.read(path)
    kept = tuple(entry for entry in top.entries if entry[0].value not in _ONLY_PRINTED)
    return decode.decode(top._replace(entries=kept), str(path))


class Checker:
    """Checks one file after the other; each variant is loaded once.

    ``variant`` is the name or path of the one to use, whatever the files say; ``language`` is that
    of the reports, by default the first of the variant. With ``pictures`` the sheets that are found
    in photos keep their pictures.
    """

    def __init__(
        self,
        variant: str = "",
        language: str = "",
        password: str | None = None,
        *,
        pictures: bool = False,
    ) -> None:
        self.variant, self.language, self.password = variant, language, password
        self.pictures = pictures
        self.loaded: dict[str, Variant] = {}
        self.layouts = Layouts(self.named, self.load)

    def named(self, code: str) -> list[str]:
        """Return the names of variants that a printed code may be of."""
        if not self.variant:
            return variants_of(code)
        fits = code.startswith(f"{self.load(self.variant).code}-")
        return [self.variant] if fits else []

    def check(self, names: Iterable[str]) -> Iterator[Checked]:
        """Yield what each file comes to; ``-`` is standard input."""
        for name in names:
            try:
                data, file = read_bytes(name)
            except InputError as error:
                yield Checked(name, "", None, "", None, None, tuple(error.problems))
            else:
                yield self.check_bytes(data, file)

    def check_bytes(self, data: bytes, file: str) -> Checked:
        """Return what the content of a file comes to."""
        result = Checked(file, "", None, "", None, None, ())
        try:
            document = open_document(
                data, file, self.password, layouts=self.layouts, pictures=self.pictures
            )
            result = result._replace(dialect=document.dialect)
            variant = self.variant_of(document)
            result = result._replace(variant=variant)
            language = self.language_of(variant)
            if isinstance(document, ScanDocument):
                return self.scanned(document, variant, language)
            judged = self.judged(variant, language, document.match(variant))
            return judged._replace(dialect=document.dialect)
        except InputError as error:
            return result._replace(problems=tuple(error.problems))

    def judged(self, variant: Variant, language: str, match: FilledMatch) -> Checked:
        """Return what a match comes to."""
        from sheetgen.rules.score import judge

        report = judge(variant, match, language)
        report = report._replace(findings=(*report.findings, *_about_file(match, report)))
        return Checked(match.file, "", variant, language, match, report, ())

    def scanned(self, document: ScanDocument, variant: Variant, language: str) -> Checked:
        """Return what the sheets of a picture come to. Raises :class:`InputError`."""
        settled = document.settled(variant)
        judged = self.judged(variant, language, settled.match)
        assert judged.report is not None
        report = judged.report
        sheets = list(report.sheets)
        findings = list(report.findings)
        for doubt in settled.doubts:
            said = _finding(doubt)
            if doubt.sheet < 0:
                findings.append(said)
            else:
                sheet = sheets[doubt.sheet]
                sheets[doubt.sheet] = sheet._replace(findings=(*sheet.findings, said))
        return judged._replace(
            dialect=document.dialect,
            report=report._replace(sheets=tuple(sheets), findings=tuple(findings)),
            problems=settled.problems,
            scans=settled.sheets,
            doubts=settled.doubts,
            origins=settled.origins,
        )

    def variant_of(self, document: Document) -> Variant:
        """Return the variant to use for a file. Raises :class:`InputError`."""
        place = document.variant_place
        if not self.variant and not document.variant:
            found, allowed = "the file names no variant", "write 'variant: NAME' or use --variant"
            raise InputError(place.problem(found, allowed))
        try:
            if not self.variant:
                _no_odd_file(document.variant)
            return self.load(self.variant or document.variant)
        except InputError as error:
            for problem in error.problems:
                if self.variant:
                    problem.where = problem.where or "--variant"
                elif not problem.file:
                    problem.file, problem.line, problem.column, problem.where = place
            raise

    def load(self, name: str) -> Variant:
        """Return a variant by name or path. Raises :class:`InputError`."""
        if name not in self.loaded:
            self.loaded[name] = load(name)
        return self.loaded[name]

    def language_of(self, variant: Variant) -> str:
        """Return the language of a variant's report. Raises :class:`InputError`."""
        known = [str(language) for language in variant.languages]
        if self.language and self.language not in known:
            found = f"unknown language {self.language[:40]!r}"
            allowed = f"{variant.id} has {', '.join(known)}"
            near = nearest(self.language[:40], known)
            raise InputError(Problem(found, allowed, where="--lang", near=near))
        return self.language or known[0]

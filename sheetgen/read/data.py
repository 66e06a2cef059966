"""Data files: YAML, JSON or CSV, with the same names in all three."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from sheetgen.errors import InputError, Problem, nearest
from sheetgen.filled import FilledMatch
from sheetgen.nodes import Mapping, Node, Scalar, Sequence
from sheetgen.read.cells import cell, single
from sheetgen.read.limits import DATA, LARGEST
from sheetgen.read.names import Names, names_of, setup_of
from sheetgen.read.sheets import Decoder
from sheetgen.schema import Place, describe, shorten

if TYPE_CHECKING:
    from sheetgen.model import Variant

_KEYS = ("variant", "setup", "options", "totals", "sheets")


class Document(NamedTuple):
    """A data file whose text was read; ``variant`` is ``""`` if it names none.

    ``sheets`` are used up by :meth:`match`, which can be called once: a large file's nodes need
    more memory than what they say.
    """

    file: str
    dialect: str
    variant: str
    variant_place: Place
    setup: Scalar | None
    options: Node | None
    totals: Node | None
    sheets: deque[Node]

    def match(self, variant: Variant) -> FilledMatch:
        """Return the filled sheets. Raises :class:`InputError` with every problem."""
        names = names_of(variant)
        decoder = Decoder(self.file, names)
        setup = _setup(self.setup, names, decoder)
        values = _options(self.options, variant, decoder) if self.options else {}
        totals = _totals(self.totals, decoder) if self.totals else {}
        sheets = []
        while self.sheets:
            sheets.append(decoder.sheet(self.sheets.popleft()))
        if decoder.problems:
            raise decoder.failure()
        return FilledMatch(self.file, str(variant.id), setup, tuple(sheets), totals, values)


def open_data(data: bytes, file: str) -> Document:
    """Read the text of a data file. Raises :class:`InputError` with every problem.

    What it is follows from the file's ending; without a known one, from how it begins.
    """
    if len(data) > DATA.bytes:
        size = f"at most {DATA.bytes // 1_000_000} MB are read"
        raise InputError(Problem("the file is too large", size, file=file))
    form = _form(data, file)
    if form == "JSON":
        from sheetgen.read import json_text

        return _document(json_text.parse(data, file), file, form)
    if form == "CSV":
        from sheetgen.read import csv_text

        top, dialect = csv_text.parse(data, file)
        return _document(top, file, dialect)
    from sheetgen.source import parse

    return _document(parse(data, file, DATA), file, form)


def read_data(data: bytes, file: str, variant: Variant | None = None) -> FilledMatch:
    """Return the filled sheets of a data file; without a variant, of the one that it names.

    Raises :class:`InputError` with every problem.
    """
    document = open_data(data, file)
    if variant is None:
        variant = named_variant(document)
    return document.match(variant)


def named_variant(document: Document) -> Variant:
    """Load the variant that a document names. Raises :class:`InputError`."""
    from sheetgen import decode, library

    place = document.variant_place
    if not document.variant:
        found = "the file names no variant"
        raise InputError(
            place.problem(found, "write one as in 'variant: lostdice', or use --variant")
        )
    try:
        return decode.load(library.find_variant(document.variant))
    except InputError as error:
        for problem in error.problems:
            if not problem.file:
                problem.file, problem.line, problem.column, problem.where = place
        raise


def sheet_of_words(
    words: dict[str, str], variant: Variant, player: str, players: int | None = None
) -> FilledMatch:
    """Return the one sheet that a command line gives: ``red='$ 3 5 8'``, and maybe the ``round``.

    Raises :class:`InputError` with every problem.
    """
    names = names_of(variant)
    setup = setup_of(variant, players) if players else ""
    decoder = Decoder("", names)

    def key(name: str) -> Scalar:
        return Scalar(name, True, 0, 0)

    given = {name: cell(text, 0, 0) for name, text in words.items()}
    number = single(given.pop("round", cell("1" if names.needs_round else "", 0, 0)))
    entries = Mapping(tuple((key(name), value) for name, value in given.items()), 0, 0)
    whose = Scalar(player, True, 0, 0)
    node = Mapping(
        ((key("player"), whose), (key("round"), number), (key("entries"), entries)), 0, 0
    )
    sheet = decoder.sheet(node)
    if decoder.problems:
        raise InputError(decoder.problems)
    return FilledMatch("", str(variant.id), setup, (sheet,))


def _form(data: bytes, file: str) -> str:
    """Return which of the three a file is."""
    ending = file.rpartition(".")[2].lower()
    known = {"yaml": "YAML", "yml": "YAML", "json": "JSON", "csv": "CSV", "tsv": "CSV"}
    if ending in known:
        return known[ending]
    head = data[:2000].decode("utf-8", errors="replace").removeprefix("\ufeff").lstrip()
    if head.startswith(("{", "[")):
        return "JSON"
    from sheetgen.read.csv_text import is_csv

    return "CSV" if is_csv(head) else "YAML"


def _document(top: Mapping, file: str, dialect: str) -> Document:
    """Return what stands on top of a file."""
    place = Place(file, top.line, top.column, "")
    problems = []
    given: dict[str, Node] = {}
    for key, value in top.entries:
        if key.value in _KEYS:
            given[key.value] = single(value)
        else:
            near = nearest(key.value[:60], _KEYS)
            found = f"unknown name {shorten(key.value)!r}"
            at = Place(file, key.line, key.column, "")
            problems.append(at.problem(found, f"known are {', '.join(_KEYS)}", near))
    texts: dict[str, Scalar] = {}
    for name in ("variant", "setup"):
        node = given.get(name)
        if isinstance(node, Scalar):
            if not node.is_null:
                texts[name] = node
        elif node is not None:
            at = Place(file, node.line, node.column, name)
            problems.append(at.problem(describe(node), "allowed is a name"))
    sheets = given.get("sheets")
    if not isinstance(sheets, Sequence) or not sheets.items:
        found, at = "the sheets are missing", place
        if sheets is not None:
            found, at = describe(sheets), Place(file, sheets.line, sheets.column, "sheets")
            if isinstance(sheets, Sequence):
                found = "found no sheets"
        problems.append(at.problem(found, "needed is 'sheets:' with a list, '- player: North' …"))
    if problems:
        raise InputError(problems)
    assert isinstance(sheets, Sequence)
    named = texts.get("variant")
    if named:
        place = Place(file, named.line, named.column, "variant")
    return Document(
        file,
        dialect,
        named.value if named else "",
        place,
        texts.get("setup"),
        given.get("options"),
        given.get("totals"),
        deque(sheets.items),
    )


def _setup(node: Scalar | None, names: Names, decoder: Decoder) -> str:
    """Return the setup that a file names, ``""`` if it names none."""
    if node is None or node.value in names.setups:
        return node.value if node else ""
    if names.setups:
        allowed = f"known are {', '.join(names.setups)}"
    else:
        allowed = "the variant has none, remove it"
    near = nearest(node.value[:60], names.setups)
    decoder.say(node, "setup", f"unknown setup {shorten(node.value)!r}", allowed, near)
    return ""


def _options(node: Node, variant: Variant, decoder: Decoder) -> dict[str, int]:
    """Return the options that the sheets were printed with."""
    known = variant.options or {}
    values: dict[str, int] = {}
    for key, value in decoder.members(node, "options", "the variant's options"):
        name = key.value
        if name not in known:
            decoder.unknown(key, "options", tuple(map(str, known)))
            continue
        number = decoder.whole(value, f"options.{name}", known[name].low, known[name].high)
        if number is not None:
            values[name] = number
    return values


def _totals(node: Node, decoder: Decoder) -> dict[str, int]:
    """Return the totals of the match by player, as they stand on the paper."""
    totals: dict[str, int] = {}
    for key, value in decoder.members(node, "totals", "players with their totals"):
        if not (isinstance(value, Scalar) and value.is_null):
            number = decoder.whole(value, "totals", -LARGEST, LARGEST)
            if number is not None:
                totals[key.value.strip()] = number
    return totals

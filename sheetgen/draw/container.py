"""The file around a PDF's objects: object streams, a balanced page tree, a cross-reference stream.

reportlab makes the objects, but writes each of them in full and all pages under one node. Here
whatever is not a stream is packed and compressed two hundred objects at a time, so that a page
costs some bytes and some microseconds.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from itertools import islice
from typing import TYPE_CHECKING

from reportlab.pdfbase import pdfdoc

if TYPE_CHECKING:
    from collections.abc import Sequence

# Kids of one node of the page tree, and objects in one object stream.
BRANCH = 200

# PDF 1.7 knows all of this and /Duplex; the bytes of the comment mark the file as binary.
HEADER = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"


class Objects:
    """Objects written without reportlab, numbered among those of its ``document``."""

    def __init__(self, document: pdfdoc.PDFDocument) -> None:
        self.document = document
        self.plain: dict[int, bytes] = {}
        self.streams: dict[int, bytes] = {}

    def add(self, body: bytes) -> bytes:
        """Add an object; return a reference to it."""
        return self._add(self.plain, body)

    def add_stream(self, body: bytes) -> bytes:
        """Add an object that is a stream; return a reference to it."""
        return self._add(self.streams, body)

    def _add(self, kind: dict[int, bytes], body: bytes) -> bytes:
        self.document.objectcounter += 1
        kind[self.document.objectcounter] = body
        return b"%d 0 R" % self.document.objectcounter


def pack(
    document: pdfdoc.PDFDocument,
    catalog: dict[str, object],
    info: dict[str, object],
    shared: bytes,
    pages: Sequence[bytes],
    objects: Objects,
) -> bytes:
    """Return a PDF file with the objects of a reportlab ``document`` and ``pages`` (one or more).

    ``objects`` are further objects of the same document. A page is given by the entries of its
    dictionary, save ``/Type`` and ``/Parent``; ``shared`` holds the entries that all pages inherit,
    and ``catalog`` and ``info`` all of their entries save ``/Type`` and ``/Pages``. The same input
    gives the same bytes: ``/ID`` is a digest of the rest.
    """
    for font in document.delayedFonts:
        font.addObjects(document)
    first = document.objectcounter + 1
    tree = _page_tree(first, shared, pages)
    plain = objects.plain | dict(enumerate(tree, first))
    document.objectcounter += len(tree)
    root = b"%d 0 R" % document.objectcounter
    catalog_dictionary = pdfdoc.PDFDictionary({"Type": "/Catalog", "Pages": root, **catalog})
    references = b"/Root %b/Info %b" % (
        document.Reference(catalog_dictionary).format(document),
        document.Reference(pdfdoc.PDFDictionary(info)).format(document),
    )
    streams = dict(objects.streams)
    number = 0
    while number < document.objectcounter:  # which grows when formatting meets something new
        number += 1
        if number in document.numberToId:
            item = document.idToObject[document.numberToId[number]]
            kind = streams if isinstance(item, pdfdoc.PDFStream) else plain
            kind[number] = pdfdoc.format(item, document, toplevel=1)
    return _file(streams, plain, references)


def _page_tree(first: int, shared: bytes, pages: Sequence[bytes]) -> list[bytes]:
    """Return the pages and the nodes above them, numbered from ``first``; the root comes last."""
    # Each dictionary stays open until the number of its parent is known.
    tree = [b"<</Type/Page%b" % page for page in pages]
    leaves = [1] * len(tree)
    level = range(len(tree))
    while level:
        groups = [level[start : start + BRANCH] for start in range(0, len(level), BRANCH)]
        for kids in groups:
            parent = b"/Parent %d 0 R>>" % (first + len(tree))
            for kid in kids:
                tree[kid] += parent
            leaves.append(sum(leaves[kids.start : kids.stop]))
            references = b" ".join(b"%d 0 R" % (first + kid) for kid in kids)
            tree.append(b"<</Type/Pages/Count %d/Kids[%b]" % (leaves[-1], references))
        level = range(level.stop, len(tree) if len(groups) > 1 else level.stop)
    tree[-1] += shared + b">>"
    return tree


def _file(streams: dict[int, bytes], plain: dict[int, bytes], references: bytes) -> bytes:
    """Lay out the objects, which together are numbered from 1 without a gap."""
    out = bytearray(HEADER)
    # An entry is 1, offset, 0 or (in an object stream) 2, the stream's number, the place in it.
    entries = {0: (0, 0, 0xFFFF)}

    def add(number: int, body: bytes) -> None:
        entries[number] = (1, len(out), 0)
        out.extend(b"%d 0 obj\n%b\nendobj\n" % (number, body))

    for number, body in streams.items():
        add(number, body.rstrip())
    number = len(streams) + len(plain)
    rest = iter(sorted(plain.items()))
    while chunk := list(islice(rest, BRANCH)):
        number += 1
        offset, index = 0, []
        for place, (member, body) in enumerate(chunk):
            entries[member] = (2, number, place)
            index.append(b"%d %d" % (member, offset))
            offset += len(body) + 1
        head = b" ".join(index) + b"\n"
        entry = b"/Type/ObjStm/N %d/First %d" % (len(chunk), len(head))
        add(number, _stream(entry, head + b"\n".join(body for _, body in chunk)))
    number += 1
    start = len(out)
    digest = hashlib.sha256(out).hexdigest()[:32].encode()
    entries[number] = (1, start, 0)
    table = b"".join(struct.pack(">BIH", *entries[i]) for i in range(number + 1))
    entry = b"/Type/XRef/Size %d/W[1 4 2]%b/ID[<%b><%b>]" % (number + 1, references, digest, digest)
    add(number, _stream(entry, table))
    return bytes(out) + b"startxref\n%d\n%%%%EOF\n" % start


def _stream(entries: bytes, data: bytes) -> bytes:
    packed = zlib.compress(data, 9)
    return b"<<%b/Filter/FlateDecode/Length %d>>\nstream\n%b\nendstream" % (
        entries,
        len(packed),
        packed,
    )

"""How much of a finished sheet's file is read: a year of a club's evenings, and no more."""

from __future__ import annotations

import re

from sheetgen.source_text import Limits

DATA = Limits(bytes=12_000_000, nodes=2_000_000)

# A whole number as people write it, with either minus. No 010, no 1e1, no 1_000.
WHOLE = re.compile(r"[-−]?(?:0|[1-9][0-9]{0,5})")
LARGEST = 999_999
PDF_BYTES = 50_000_000
PICTURE_BYTES = 120_000_000  # an A3 scan in colour that is not compressed

"""Finished sheets, however they come: ``data`` reads files of names and numbers.

Every reader recognises its files, tells which variant they name, and gives a
:class:`sheetgen.filled.FilledMatch` once that variant is known.
"""

"""Fills in a form as Evince's engine does: /usr/bin/python3 poppler_fill.py IN OUT VALUES."""

import json
import pathlib
import sys

import gi  # type: ignore[import-not-found]

gi.require_version("Poppler", "0.18")
from gi.repository import Poppler  # type: ignore[import-not-found]  # noqa: E402

source, target, values = sys.argv[1:]
wanted = json.loads(values)
document = Poppler.Document.new_from_file(pathlib.Path(source).absolute().as_uri(), None)
for number in range(document.get_n_pages()):
    for mapping in document.get_page(number).get_form_field_mapping():
        value = wanted.get(mapping.field.get_name())
        if value is True:
            mapping.field.button_set_state(True)
        elif value is not None:
            mapping.field.text_set_text(value)
document.save(pathlib.Path(target).absolute().as_uri())

"""The reader, broken on purpose: a test that does not notice is worth nothing."""

from __future__ import annotations

from typing import Any

from sheetgen.geometry import Rect
from sheetgen.read import layouts
from sheetgen.read.scan import markers, sheet

OFF = 1.0  # mm


def mutate(kind: str) -> None:
    """Break the reader of this process, for good."""
    sheet.blank_for.cache_clear()
    {"shift": _shift, "swap": _swap, "marker": _marker}[kind]()


def _changed(change: Any) -> None:
    """Let another layout be found for each code than the right one."""
    find = layouts.Layouts.find

    def found(self: layouts.Layouts, code: str) -> layouts.Layout | None:
        layout = find(self, code)
        return change(self, layout) if layout else None

    layouts.Layouts.find = found  # type: ignore[method-assign]


def _shift() -> None:
    """Expect all boxes a millimetre to the right of where they are, and lower."""

    def shifted(_: layouts.Layouts, layout: layouts.Layout) -> layouts.Layout:
        front = layout.prepared.front
        boxes = tuple(
            box._replace(
                rect=Rect(box.rect.x + OFF, box.rect.y + OFF, box.rect.width, box.rect.height)
            )
            for box in front.boxes
        )
        ready = layout.prepared._replace(front=front._replace(boxes=boxes))
        return layout._replace(prepared=ready)

    _changed(shifted)


def _swap() -> None:
    """Take each sheet for another of its variant, or for the same with other boxes on it."""

    def swapped(self: layouts.Layouts, layout: layouts.Layout) -> layouts.Layout:
        places = _places(layout)
        others = [
            way
            for way in self._ways(layout.name)
            if way.scene.size == layout.scene.size and _places(way) != places
        ]
        others.sort(key=lambda way: way.identity.sheet == layout.identity.sheet)
        return others[0] if others else layout

    _changed(swapped)


def _places(layout: layouts.Layout) -> list[tuple[str, Rect]]:
    return [(box.kind, box.rect) for box in layout.scene.boxes]


def _marker() -> None:
    """Never see the first corner marker."""
    find = markers.find_markers
    markers.find_markers = lambda grey: [one for one in find(grey) if one.id != 0]

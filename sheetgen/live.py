"""Totals that calculate while one types: a variant's formulas over the boxes of a sheet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sheetgen.draw.form import Calculations
from sheetgen.read.boxes import Boxes, Part, boxes_of
from sheetgen.rules.javascript import script

if TYPE_CHECKING:
    from sheetgen.model import Variant
    from sheetgen.scene import Box

# Reads the boxes of one part into ``v``, as the formulas want it. What is no entry counts nothing.
_READ = """
function entry(id, marks) {
  var t = text(id).replace(/\\.$/, "").toLowerCase();
  for (var i = 0; i < marks.length; i++) {
    if (t === marks[i].toLowerCase()) { return marks[i]; }
  }
  return /^[+-]?[0-9]{1,6}$/.test(t.replace("\\u2212", "-")) ? number(id) : "";
}
function only(ids) {
  var found = 0;
  for (var i = 0; i < ids.length; i++) { if (filled(ids[i][0])) { found = ids[i][1]; } }
  return found;
}
function read(part) {
  var v = JSON.parse(JSON.stringify(values)), name, i, slots, made;
  v.used = false;
  for (name in part.tracks) {
    slots = part.tracks[name];
    made = [];
    for (i = 0; i < slots.length; i++) {
      if (filled(slots[i][0])) {
        v.used = true;
        made.push(slots[i].length > 1 ? slots[i][1] : entry(slots[i][0], marks[name] || []));
      }
    }
    v[name] = lane(made);
  }
  for (name in part.totals) {
    made = part.totals[name];
    var sum = 0, count = 0, of = {};
    for (i = 0; i < made.length; i++) {
      var n = made[i][1].length === 1 && made[i][1][0].length === 1 ?
        number(made[i][1][0][0]) : only(made[i][1]);
      if (made[i][0] === "sum") { sum = n; }
      else if (made[i][0] === "entries") { count += n; }
      else { of[made[i][0]] = n; count -= n; }
      if (n) { v.used = true; }
    }
    v[name] = totals(sum, Math.max(0, count), of);
  }
  for (name in part.counts) {
    v[name] = 0;
    for (i = 0; i < part.counts[name].length; i++) {
      v[name] += filled(part.counts[name][i]) ? 1 : 0;
    }
    if (v[name]) { v.used = true; }
  }
  for (name in part.flags) {
    v[name] = ticked(part.flags[name]);
    if (v[name]) { v.used = true; }
  }
  for (name in part.sets) {
    v[name] = [];
    for (i in part.sets[name]) {
      if (ticked(part.sets[name][i])) { v[name].push(i); v.used = true; }
    }
  }
  return v;
}
function empty(one) {
  if (one === undefined) { return false; }
  if (!one || typeof one !== "object") { return one === 0; }
  if (one.numbers === undefined) { return one.length === 0; }
  for (var m in one.marks) { if (one.marks[m]) { return false; } }
  return one.count === 0;
}
function scored(part) {
  var v = read(part), r = {};
  if (!v.used) { return null; }
  @FORMULAS@
  return {v: v, r: r};
}
function shown(part, name, about) {
  var s = scored(part);
  return !s || (s.r[name] === 0 && empty(s.v[about])) ? "" : s.r[name];
}
function matched(parts) {
  var n = "";
  for (var i = 0; i < parts.length; i++) {
    var s = scored(parts[i]);
    if (s) { n = Number(n) + s.r.total; }
  }
  return n;
}
"""


def calculations(
    variant: Variant, sheet: str, boxes: Iterable[Box], values: Mapping[str, Any]
) -> Calculations:
    """Return the live totals of a sheet, none for a variant that does not say how to score it.

    ``values`` are the setup's values and the options.
    """
    if variant.play is None or not variant.score:
        return Calculations({})
    meant = boxes_of(variant, sheet, boxes)
    formulas = script(variant)
    order = [name for name, _ in formulas.formulas]
    lines = [f"r[{json.dumps(name)}] = {expression};" for name, expression in formulas.formulas]
    marks = {name: list(of) for name, of in meant.names.tracks.items() if of}
    data = {"values": dict(values), "marks": marks}
    prelude = "\n".join(
        (
            formulas.prelude,
            *(f"var {name} = {json.dumps(one, sort_keys=True)};" for name, one in data.items()),
            _READ.replace("@FORMULAS@", "\n  ".join(lines)).strip(),
        )
    )
    results: dict[str, str] = {}
    for part in meant.parts:
        source = json.dumps(_part(part, meant))
        for name in order:
            for slot in part.results.get(name, ()):
                if slot.printed is None:
                    about = json.dumps(_about(name, meant))
                    results[slot.box] = f"shown({source}, {json.dumps(name)}, {about})"
    if "total" in order:
        for owner, box in meant.matches.items():
            sources = [json.dumps(_part(one, meant)) for one in meant.parts if one.owner == owner]
            results[box] = f"matched([{', '.join(sources)}])"
    return Calculations(results, prelude)


def _about(name: str, meant: Boxes) -> str:
    """Return what a score is about: the lane or count it is named after, if it is."""
    for known in meant.names.entries:
        if name == known or name.startswith(f"{known}_"):
            return known
    return ""


def _part(part: Part, meant: Boxes) -> dict[str, Any]:
    """Return where a part's boxes are, as the script reads it."""

    def slots(of: Any) -> list[list[Any]]:
        return [[s.box] if s.printed is None else [s.box, s.printed] for s in sorted(of)]

    kinds = meant.names.triples
    tracks = {name: slots(part.tracks.get(name, ())) for name in meant.names.tracks}
    return {
        "tracks": {name: of for name, of in tracks.items() if name not in part.totals},
        "totals": {
            name: [[kinds[name][word], slots(of)] for word, of in words.items()]
            for name, words in part.totals.items()
        },
        "counts": {name: part.counts.get(name, []) for name in meant.names.counts},
        "flags": {name: part.flags.get(name, "") for name in meant.names.flags},
        "sets": {name: part.sets.get(name, {}) for name in meant.names.sets},
    }

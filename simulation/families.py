"""Which handwriting families are learned from, tuned with and tested on: split by family."""

from __future__ import annotations

from collections.abc import Mapping

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "train": (
        "amatic-sc",
        "annie-use-your-telescope",
        "architects-daughter",
        "bad-script",
        "caveat",
        "caveat-brush",
        "chilanka",
        "comic-neue",
        "covered-by-your-grace",
        "damion",
        "delicious-handrawn",
        "delius",
        "gaegu",
        "gochi-hand",
        "handlee",
        "indie-flower",
        "itim",
        "kalam",
        "licorice",
        "marck-script",
        "neucha",
        "permanent-marker",
        "playpen-sans",
        "rock-salt",
        "short-stack",
        "sriracha",
        "swanky-and-moo-moo",
        "yomogi",
    ),
    "dev": (
        "cedarville-cursive",
        "gloria-hallelujah",
        "nanum-pen-script",
        "poor-story",
        "sue-ellen-francisco",
    ),
    "test": (
        "homemade-apple",
        "mansalva",
        "oooh-baby",
        "patrick-hand",
        "reenie-beanie",
        "schoolbell",
        "shadows-into-light",
        "shantell-sans",
        "the-girl-next-door",
        "zen-kurenaido",
    ),
}

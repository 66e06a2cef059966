"""Makes the simulation importable however the tests are started, and one process enough."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

sys.path.insert(0, str(Path(__file__).parents[3]))
cv2.setNumThreads(1)

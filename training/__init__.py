"""How the reader of handwriting learned: data, training, measurement. See ``README.md``."""

"""Paper that never was: printed sheets filled in by nobody's hand, and photographs of them.

It makes the pictures that the reader of paper is tested with, and is no part of what is installed.
Everything follows from the generator that is handed in, so that a picture can be made again.
"""

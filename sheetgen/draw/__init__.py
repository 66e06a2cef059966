"""Writers: one module per format, none of which imports another.

A writer decides nothing. What it draws, and where, stands in the scene and the imposition.
"""

"""sheetgen prints score pads, Roll & Write sheets and custom dice from one YAML file per game."""

__version__ = "0.1.0"

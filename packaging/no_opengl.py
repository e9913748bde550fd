"""Run before the frozen program: stands in for two modules of Qt that pyqtgraph 0.14 imports and this program never calls.

pyqtgraph's curves can be drawn by OpenGL when `useOpenGL` is set, which it is not; it imports QtOpenGL and QtOpenGLWidgets all the same,
10 MB on disk and 20 ms at the start. The test at the end of `make bundle` draws the chart, and so fails when this no longer does.
"""

import sys
from types import ModuleType


def _answer(name):
    if name != "QOpenGLWidget":
        raise AttributeError(name)
    from PySide6.QtWidgets import QWidget

    return type("QOpenGLWidget", (QWidget,), {"__doc__": "No widget of this program is one."})


for _name in ("PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets"):
    sys.modules[_name] = ModuleType(_name, "A stand-in.")
    sys.modules[_name].__getattr__ = _answer

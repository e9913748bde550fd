"""A window with nothing in it, frozen as the program is: the floor that its start is measured against (`make bundle ARGS=--bare`)."""

import sys

from first_paint import watch
from PySide6.QtWidgets import QApplication, QMainWindow

if __name__ == "__main__":
    app = QApplication([])
    window = QMainWindow()
    watch(window)
    window.resize(1440, 900)
    window.show()
    sys.exit(app.exec())

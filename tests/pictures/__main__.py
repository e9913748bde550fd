"""Takes the pictures anew (`make pictures`); what is new is to be looked at before it is committed."""

import os
import sys
import tempfile
from itertools import chain
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtWidgets import QApplication

from tests.pictures import states

if __name__ == "__main__":
    app = QApplication(["pictures"])
    wrong = states.why_not()
    if wrong:
        sys.exit(wrong)
    with tempfile.TemporaryDirectory() as kept:
        os.environ["TRANSCRIPT_INSPECTOR_SETTINGS"] = kept
        for name, image in chain(states.light(app, Path(kept)), states.dark(app, Path(kept))):
            states.few_colours(image).save(str(states.FOLDER / f"{name}.png"), "PNG", 0)
            print(f"{name}: {image.width()} x {image.height()}")

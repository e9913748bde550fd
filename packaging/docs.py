"""Writes the page of all rules (`make docs`)."""

import sys
from pathlib import Path

from app.pipeline.rule_text import whole_page

if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.parent.mkdir(exist_ok=True)
    path.write_text(whole_page(), encoding="utf-8", errors="surrogatepass")

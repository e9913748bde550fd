"""What a desktop reads: menu entry, types, AppStream metadata, man page, icons. Static: nothing is built."""

from __future__ import annotations

import argparse
import configparser
import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.cli import parser
from app.version import DESKTOP_ID, VERSION
from tests.conftest import ROOT
from tests.packaging.conftest import Script

LINUX = ROOT / "packaging" / "linux"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"
# https://specifications.freedesktop.org/menu-spec: one main category, and one that may stand beside it
MAIN, BESIDE = {"Development", "Utility"}, {"Debugger", "Viewer"}


def entry() -> dict[str, str]:
    config = configparser.ConfigParser(interpolation=None)
    config.optionxform = str  # type: ignore[assignment,method-assign]
    config.read_string((LINUX / "transcript-inspector.desktop").read_text("utf-8"))
    assert config.sections() == ["Desktop Entry"]
    return dict(config["Desktop Entry"])


def listed(value: str) -> list[str]:
    assert value.endswith(";"), "a list ends with a semicolon"
    return value.split(";")[:-1]


def globs() -> dict[str, list[str]]:
    root = ET.parse(LINUX / "mime.xml").getroot()
    return {kind.get("type", ""): [glob.get("pattern", "") for glob in kind.findall(f"{MIME}glob")] for kind in root}


def metainfo(script: Script, monkeypatch: pytest.MonkeyPatch) -> ET.Element:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796040000")
    return ET.fromstring(script("deb").filled((LINUX / "metainfo.xml").read_text("utf-8")))


def test_the_menu_entry_has_what_a_menu_asks_for() -> None:
    told = entry()
    assert {"Type", "Name", "Comment", "Exec", "Icon", "Terminal", "Categories", "MimeType"} <= set(told)
    assert (told["Type"], told["Terminal"], told["Icon"]) == ("Application", "false", "@ID@")
    assert told["Exec"].split() == ["transcript-inspector", "%f"]
    assert set(listed(told["Categories"])) <= MAIN | BESIDE
    assert len(MAIN & set(listed(told["Categories"]))) == 1


def test_json_is_taken_from_nobody() -> None:
    """An entry that names application/json would come before every editor, which names text/plain."""
    taken = listed(entry()["MimeType"])
    assert not {"application/json", "text/plain", "application/zip", "text/html"} & set(taken)
    assert not {"*.json", "*.txt", "*.zip", "*.log"} & {pattern for patterns in globs().values() for pattern in patterns}


def test_every_type_that_is_claimed_is_described() -> None:
    assert set(listed(entry()["MimeType"])) == set(globs())
    assert "*.jsonl" in globs()["application/x-ndjson"]
    root = ET.parse(LINUX / "mime.xml").getroot()
    parents = {kind.get("type"): [parent.get("type") for parent in kind.findall(f"{MIME}sub-class-of")] for kind in root}
    assert parents["application/x-agent-session+json"] == ["application/json"], "an editor of JSON still opens it"
    assert all(kind.find(f"{MIME}comment") is not None for kind in root)


def test_metainfo_speaks_of_the_same_program(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    root = metainfo(script, monkeypatch)
    assert root.get("type") == "desktop-application"
    assert root.findtext("id") == DESKTOP_ID
    assert root.findtext("launchable") == f"{DESKTOP_ID}.desktop"
    assert root.findtext("project_license") == "MIT"
    (release,) = root.findall("releases/release")
    assert (release.get("version"), release.get("date")) == (VERSION, "2026-11-30")
    assert len(root.findtext("summary", "")) <= 70
    assert {kind.text for kind in root.findall("provides/mediatype")} == set(listed(entry()["MimeType"]))
    assert re.fullmatch(r"[a-z]+(\.[A-Za-z0-9_]+){2,}", DESKTOP_ID)


def test_no_word_of_the_metadata_promises_too_much() -> None:
    for path in LINUX.iterdir():
        assert not re.search(r"\b(valid|safe to send)\b", path.read_text("utf-8"), re.IGNORECASE), path.name


def test_the_man_page_has_every_verb_and_every_option(script: Script) -> None:
    page = script("manual").page("2026-11-30").replace("\\-", "-")
    assert page.startswith(f'.TH TRANSCRIPT-INSPECTOR 1 "2026-11-30" "transcript-inspector {VERSION}" "User Commands"\n')
    verbs = next(action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    for name, verb in verbs.choices.items():
        section = page.partition(f".SH {name.upper()}\n")[2].partition("\n.SH ")[0]
        options = [option for action in verb._actions for option in action.option_strings if option not in ("-h", "--help")]
        assert [option for option in options if f"\\fB{option}\\fR" not in section] == []
    assert "\\fB1\\fR\nerrors found or left\n" in page


def test_nothing_in_the_man_page_is_read_as_an_instruction(script: Script) -> None:
    manual = script("manual")
    assert manual._plain(".TH a-b\\c") == r"\&.TH a\-b\(rsc"
    known = (".TH", ".SH", ".TP", ".B", ".br", ".PP", ".nf", ".fi")
    odd = [line for line in manual.page("2026-11-30").splitlines() if line.startswith((".", "'")) and not line.startswith(known)]
    assert odd == []


def test_icons_in_every_size(script: Script, tmp_path: Path) -> None:
    pictures = script("pictures")
    pictures.write(tmp_path)
    for size in pictures.SIZES:
        image = QImage(str(tmp_path / f"hicolor/{size}x{size}/apps/{DESKTOP_ID}.png"))
        assert (image.width(), image.height()) == (size, size)
        assert image.pixelColor(0, 0).alpha() < 255, "round corners"
        assert image.pixelColor(size // 2, 1).alpha() > 100
    assert (tmp_path / f"hicolor/scalable/apps/{DESKTOP_ID}.svg").read_bytes() == (ROOT / "icons/app.svg").read_bytes()
    ico = (tmp_path / "transcript-inspector.ico").read_bytes()
    count = struct.unpack("<HHH", ico[:6])[2]
    assert count == len(pictures.WINDOWS)
    for i in range(count):
        length, at = struct.unpack("<II", ico[6 + 16 * i + 8 : 6 + 16 * i + 16])
        assert ico[at : at + 8] == b"\x89PNG\r\n\x1a\n"
        assert at + length <= len(ico)
    icns = (tmp_path / "transcript-inspector.icns").read_bytes()
    assert icns[:4] == b"icns"
    assert struct.unpack(">I", icns[4:8])[0] == len(icns)


def test_scripts_name_the_same_program() -> None:
    for name in ("try_deb.sh", "appimage.sh"):
        assert f"id={DESKTOP_ID}" in (ROOT / "packaging" / name).read_text("utf-8")

"""Settings: one value, kept whole, in the program's own folder and nowhere else."""

from __future__ import annotations

from pathlib import Path

from app.settings import RECENT, Settings, Store


def test_a_fresh_folder_gives_the_defaults(fresh_settings: Path) -> None:
    store = Store()
    assert store.folder == fresh_settings
    assert store.value == Settings()
    assert store.offer == ""


def test_everything_comes_back_in_its_own_type(tmp_path: Path) -> None:
    store = Store(tmp_path)
    recent = ("/a b", "/ü,;", "/c")
    kept = {"theme": "dark", "geometry": b"\x00\xff\n", "body": b"b", "column": b"c", "recent": recent, "counter": "chars/4"}
    store.change(**kept)
    store.close()
    assert Store(tmp_path).value == Settings(**kept)


def test_one_recent_file_stays_a_tuple(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.remember("/one")
    store.close()
    assert Store(tmp_path).value.recent == ("/one",)


def test_recent_files_are_unique_newest_first_and_few() -> None:
    settings = Settings()
    for number in [*range(RECENT + 3), 5]:
        settings = settings.with_recent(f"/{number}")
    assert settings.recent[:3] == ("/5", f"/{RECENT + 2}", f"/{RECENT + 1}")
    assert len(settings.recent) == len(set(settings.recent)) == RECENT


def test_a_run_that_did_not_end_well_offers_its_file_once(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text("{}")
    store = Store(tmp_path / "s")
    store.remember(str(dump))
    store._file.sync()
    store._lock.unlock()  # as the end of the process does
    again = Store(tmp_path / "s")
    assert again.offer == str(dump)
    again.close()
    assert Store(tmp_path / "s").offer == ""


def test_a_run_that_ended_well_offers_nothing(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text("{}")
    store = Store(tmp_path / "s")
    store.remember(str(dump))
    store.close()
    assert Store(tmp_path / "s").offer == ""


def test_a_second_window_neither_offers_nor_keeps_the_open_file(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text("{}")
    first = Store(tmp_path / "s")
    first.remember(str(dump))
    first._file.sync()
    second = Store(tmp_path / "s")
    assert (second.first, second.offer) == (False, "")
    second.change(open_file="/other", theme="dark")
    assert second.value.open_file == str(dump)
    assert second.value.theme == "dark"


def test_a_settings_file_of_nonsense_gives_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "settings.ini").write_bytes(b"\x00\x01[[[ theme=\xff\n=\nrecent=@Invalid()\ngeometry=7\n")
    assert Store(tmp_path).value == Settings()


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "below")
    store.remember("/one")
    store.close()
    assert store.value.recent == ("/one",)

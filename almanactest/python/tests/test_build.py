"""How the package is built."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

import almanactest_build as build
import pytest


def test_version() -> None:
    given = ["1.2.3", "1.2.3-rc.1", "0.1.0-alpha2", "1.0.0-beta.10"]
    assert [build.version(text) for text in given] == ["1.2.3", "1.2.3rc1", "0.1.0a2", "1.0.0b10"]
    with pytest.raises(ValueError, match="must be like 1.0.0 or 1.0.0-rc.1"):
        build.version("1.0.0-trial")


def test_archives(tmp_path: Path) -> None:
    directory = str(tmp_path)
    editable, source = build.build_editable(directory), build.build_sdist(directory)
    with zipfile.ZipFile(tmp_path / editable) as made:
        assert made.read("almanactest.pth").decode().strip() == str(build.ROOT)
    wheel = build.build_wheel(directory)
    assert wheel == editable == "almanactest-0.0.0-py3-none-any.whl"
    with zipfile.ZipFile(tmp_path / wheel) as made:
        names = made.namelist()
        assert made.read("almanactest/world.py") == (build.ROOT / "almanactest/world.py").read_bytes()
    for name in "almanactest/py.typed", "almanactest/tls/server.pem", "almanactest-0.0.0.dist-info/RECORD":
        assert name in names
    with tarfile.open(tmp_path / source) as archive:
        members = [member.removeprefix("almanactest-0.0.0/") for member in archive.getnames()]
    for name in "PKG-INFO", "pyproject.toml", "README.md", "LICENSE", "backend/almanactest_build.py", "almanactest/plugin.py":
        assert name in members

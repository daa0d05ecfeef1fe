"""Builds the package of this directory, for pip and others (PEP 517, PEP 660), with the standard library alone.

So `pip install almanactest/python` needs no network: there is nothing that it would have to fetch first.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import tarfile
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Settings = Mapping[str, Any] | None

ROOT = Path(__file__).resolve().parents[1]  # of the project
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SOURCES = ["almanactest/*.py", "almanactest/py.typed", "almanactest/tls/*.pem"]
DOCUMENTS = ["pyproject.toml", "LICENSE", "README.md", "backend/*.py"]


def version(text: str) -> str:
    """Returns the version of a release, which may be 1.0.0-rc.1, as PEP 440 has it."""
    found = re.fullmatch(r"(\d+(?:\.\d+)*)(?:-(a|b|rc|alpha|beta)\.?(\d+))?", text)
    if not found:
        raise ValueError(f"version {text!r} of pyproject.toml: must be like 1.0.0 or 1.0.0-rc.1")
    release, kind, number = found.groups()
    return release + ({"alpha": "a", "beta": "b"}.get(kind, kind) + number if kind else "")


NAME, VERSION = PROJECT["name"], version(PROJECT["version"])


def files(patterns: list[str]) -> dict[str, bytes]:
    """Returns files of the project by their paths in it."""
    paths = sorted(path for pattern in patterns for path in ROOT.glob(pattern))
    return {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths}


def metadata() -> bytes:
    """Returns what is known of the package (Core metadata 2.1)."""
    text = f"""\
Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: {PROJECT["description"]}
License: {PROJECT["license"]["text"]}
Requires-Python: {PROJECT["requires-python"]}
Description-Content-Type: text/markdown

"""
    return text.encode() + Path(ROOT, PROJECT["readme"]).read_bytes()


def wheel(directory: str, contents: dict[str, bytes]) -> str:
    """Makes a wheel of files, and returns its name."""
    info = f"{NAME}-{VERSION}.dist-info"
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in entries.items())
        for group, entries in PROJECT["entry-points"].items()
    )
    contents |= {
        f"{info}/LICENSE": (ROOT / "LICENSE").read_bytes(),
        f"{info}/METADATA": metadata(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: almanactest\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": points.encode(),
    }
    record = ""
    for path, content in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    contents[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(Path(directory, name), "w", zipfile.ZIP_DEFLATED) as out:
        for path, content in contents.items():
            member = zipfile.ZipInfo(path)  # of 1980: the same files make the same wheel
            member.external_attr = 0o100644 << 16
            out.writestr(member, content, zipfile.ZIP_DEFLATED)
    return name


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    return wheel(wheel_directory, files(SOURCES))


def build_editable(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    return wheel(wheel_directory, {f"{NAME}.pth": f"{ROOT}\n".encode()})


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    name = f"{NAME}-{VERSION}"
    with tarfile.open(Path(sdist_directory, f"{name}.tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as out:
        for path, content in (files(DOCUMENTS + SOURCES) | {"PKG-INFO": metadata()}).items():
            member = tarfile.TarInfo(f"{name}/{path}")
            member.size, member.mode = len(content), 0o644
            out.addfile(member, io.BytesIO(content))
    return f"{name}.tar.gz"

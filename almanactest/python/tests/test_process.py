"""How a server starts and ends, and what is said when it does not."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from almanactest import AlmanacError, start

BINARY = os.path.abspath(os.environ["ALMANAC_BINARY"])


def script(directory: Path, text: str) -> Path:
    """Makes a program of a shell script, in a directory with a space."""
    (directory / "a program").mkdir()
    file = directory / "a program" / "almanac"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def mistake(**options: Any) -> str:
    with pytest.raises(AlmanacError) as error:
        start(**options)
    return str(error.value)


def gone(url: str) -> bool:
    """Returns when nobody answers at an address any more."""
    while True:
        try:
            urllib.request.urlopen(url).close()
        except (urllib.error.URLError, ConnectionError):
            return True


def run(text: str) -> tuple[subprocess.Popen[str], str]:
    """Runs a program of Python that starts a server, and prints its address when it has done the rest.

    SIGINT interrupts it even if the tests run where that is ignored, as in the background of a shell.
    """
    interrupted = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    text = f"{interrupted}from almanactest import start\nserver = start()\n{text}"
    child = subprocess.Popen([sys.executable, "-c", text], stdout=-1, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    assert child.stdout
    return child, child.stdout.readline().strip()


def test_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = mistake(binary="./nowhere")
    assert "the argument binary is './nowhere', which cannot be started (No such file or directory)" in text and "make build" in text
    assert "cannot be started (Permission denied)" in mistake(binary=tmp_path)
    monkeypatch.setenv("ALMANAC_BINARY", "/nowhere/almanac")
    assert "ALMANAC_BINARY is '/nowhere/almanac', which cannot be started" in mistake()
    monkeypatch.delenv("ALMANAC_BINARY")
    monkeypatch.setenv("PATH", "/nowhere")
    assert "there is no program almanac in PATH, and none is named in ALMANAC_BINARY" in mistake()


def test_path_and_spaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = tmp_path / "with spaces"
    directory.mkdir()
    (directory / "almanac").symlink_to(BINARY)
    start(binary=directory / "almanac").stop()
    monkeypatch.delenv("ALMANAC_BINARY")
    monkeypatch.setenv("PATH", str(directory), prepend=":")
    (directory / "a seed.json").write_text('{"tags":[{"name":"free"}]}')
    with start(seed=directory / "a seed.json") as server:
        assert server.ask("GET", "tags?hide_empty=false")["total"] == 1


def test_port_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        text = mistake(addr=f"127.0.0.1:{other.getsockname()[1]}")
    assert "ended with status 2" in text and "address already in use" in text and "choose another, or port 0 for a free one" in text


def test_wrong_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    text = mistake(seed={"events": [{"title": "Concert", "start_date": "@tomorow 20:00", "end_date": "@start+2h"}]})
    assert 'events[0].start_date: "@tomorow 20:00"' in text and 'write "@today+3d 19:00"' in text
    assert "-seed: open /nowhere.json: no such file" in mistake(seed="/nowhere.json")
    assert "@small, @city, @torture" in mistake(seed="@smal")
    assert list(tmp_path.iterdir()) == []


def test_wrong_options() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'sed'"):
        start(sed="@small")  # type: ignore[call-arg]
    assert "Europe/Pari" in mistake(timezone="Europe/Pari")
    assert "-freeze: give the time to stand still at with -clock" in mistake(freeze=True)
    assert "there is no flag -per-pge; did you mean -per-page?" in mistake(args=["-per-pge", "5"])


@pytest.mark.parametrize(
    "text, said",
    [
        ("echo Hello.; cat", "printed 'Hello.\\n', which is not the line of a server"),
        ("echo 42; cat", "printed '42\\n', which is not the line of a server"),
        ("exit 3", "ended with status 3, and said nothing on standard error"),
        ("kill -9 $$", "was ended by SIGKILL"),
        ("echo waiting >&2; sleep 1000; :", "was not ready within 0.2 s:\nwaiting"),
    ],
)
def test_programs_that_are_not_almanac(tmp_path: Path, text: str, said: str) -> None:
    assert said in mistake(binary=script(tmp_path, text), timeout=0.2 if "waiting" in text else 30)


def test_slow_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REAL", BINARY)
    slow = script(
        tmp_path,
        """
        mkfifo "$0.line"
        { read -r line; half=${line%%api*}; printf %s "$half"; sleep 0.1; printf '%s\\n' "${line#"$half"}"; cat >/dev/null; } <"$0.line" &
        head -c 300000 /dev/zero | tr '\\0' x >&2
        exec "$REAL" "$@" >"$0.line\"""",
    )
    with start(binary=slow) as server:
        assert server.ask("GET", "events")["total"] == 0
        while "msg=ready" not in server.log:
            pass
        assert server.log.startswith("xxx")


def test_many_starts() -> None:
    with ThreadPoolExecutor(10) as threads:
        servers = list(threads.map(lambda _: start(), range(10)))
    assert len({server.url for server in servers}) == 10
    for server in servers:
        server.stop()
        server.stop()


def test_crash() -> None:
    server = start()
    while "msg=ready" not in server.log:
        pass
    os.kill(server.pid, signal.SIGKILL)
    for _ in range(2):
        with pytest.raises(AlmanacError, match=r"(?s)was ended by SIGKILL while the tests ran:\n.*msg=ready"):
            server.ask("GET", "events")
    server.world().end()
    server.stop()


def test_stop_while_it_answers() -> None:
    server = start()
    server.fault(delay="1h")
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(server.ask, "GET", "events")
        while not server.requests():
            pass
        server.stop()
        assert isinstance(waiting.exception(), (OSError, AlmanacError))
    assert gone(server.url)


@pytest.mark.parametrize("name", ["SIGKILL", "SIGINT", "SIGTERM"])
def test_killed(name: str) -> None:
    child, url = run("import threading\nprint(server.url, flush=True)\nthreading.Event().wait()")
    with child:
        os.killpg(child.pid, signal.Signals[name])  # as Ctrl-C does: all that belongs to the terminal
        assert gone(url)


@pytest.mark.parametrize("end, status", [("", 0), ("os._exit(3)", 3), ("raise RuntimeError", 1)])
def test_ends(end: str, status: int) -> None:
    child, url = run(f"import os\nprint(server.url, flush=True)\n{end}")
    with child:
        assert gone(url)
        assert child.wait() == status


def test_interrupt_reaches_the_tests_first() -> None:
    child, _ = run(
        "import threading\n"
        "try:\n"
        "    print(server.url, flush=True)\n"
        "    threading.Event().wait()\n"
        "except KeyboardInterrupt:\n"
        "    print(server.ask('GET', 'events')['total'], flush=True)"
    )
    with child:
        os.killpg(child.pid, signal.SIGINT)
        assert child.stdout and child.stdout.readline() == "0\n"


def test_fork() -> None:
    """A process that forks off and ends leaves the server to those that go on."""
    server = start()
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    assert server.ask("GET", "events")["total"] == 0
    server.stop()

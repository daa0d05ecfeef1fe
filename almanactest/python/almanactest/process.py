"""The process of a server: how it starts, what it says, and how it ends."""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import ssl
import subprocess
import urllib.request
from collections import deque
from collections.abc import Iterable, Mapping
from threading import Thread
from typing import IO
from urllib.parse import urlsplit

UNEXPECTED = "almanac_unexpected_requests"  # the code of a world that ends and saw requests which nobody expected
STOP_TIME = 10  # seconds, after which a server that was told to end is killed
LOG_LINES = 1000  # that are kept of standard error

# A certificate of servers on this machine, with its key, and the authority that has signed it. Nobody has the key of
# that: who trusts it trusts no other certificate.
SERVER, AUTHORITY = (os.path.join(os.path.dirname(os.path.abspath(__file__)), "tls", f"{name}.pem") for name in ("server", "authority"))


class AlmanacError(Exception):
    """What goes wrong with a server, and what it refuses.

    Of an answer, status is its status, code the code in it, and params what is wrong with each parameter.
    """

    def __init__(self, message: str, status: int = 0, code: str = "", params: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.params = status, code, dict(params or {})


class Process:
    """A process that serves. It ends with this one, however that does: the system closes its standard input."""

    url: str
    api: str
    pid: int
    token: str

    def __init__(self, arguments: Iterable[str], binary: str | os.PathLike[str] | None, timeout: float, ca: str) -> None:
        """Starts a server, and returns when it is ready. ca is the file of the authority to trust, "" without TLS."""
        self.file, missing = find(binary)
        # The caller's environment may name a proxy, which does not know this machine's servers.
        handlers: list[urllib.request.BaseHandler] = [urllib.request.ProxyHandler({})]
        if ca:
            handlers.append(urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=ca)))
        self.ca, self.http = ca, urllib.request.build_opener(*handlers)
        command = [self.file, "serve", "-memory", "-worlds", "-exit-with-parent", *arguments]
        try:
            # In a session of its own: Ctrl-C reaches the tests alone, which then end it.
            self._child = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, start_new_session=True)
        except OSError as error:
            raise AlmanacError(f"{missing} ({error.strerror}); `make build` makes a program") from error
        assert self._child.stdin and self._child.stdout and self._child.stderr
        self._stdin, self._stdout = self._child.stdin, self._child.stdout
        self._log: deque[str] = deque(maxlen=LOG_LINES)
        self._logger = Thread(target=self._keep, args=[self._child.stderr], daemon=True)
        self._logger.start()
        atexit.register(self.stop)
        try:
            self._wait(timeout)
        except BaseException:
            self._kill()
            self.stop()
            raise

    def _keep(self, stderr: IO[bytes]) -> None:
        with stderr:
            for line in stderr:
                self._log.append(line.decode(errors="replace"))

    def _wait(self, timeout: float) -> None:
        """Waits for the line that says where the server is."""
        lines: list[bytes] = []
        reader = Thread(target=lambda: lines.append(self._stdout.readline()), daemon=True)
        reader.start()
        reader.join(timeout)
        if not lines:
            self._kill()
            raise AlmanacError(f"{self.file} was not ready within {timeout:g} s{self._words()}")
        if not lines[0]:
            raise AlmanacError(f"{self.file} {self._ended()}{self._words()}")
        try:
            ready = json.loads(lines[0])
            self.url, self.api, self.pid, self.token = ready["url"], ready["api"], ready["pid"], ready.get("token", "")
        except (ValueError, TypeError, KeyError):
            self._kill()
            text = lines[0].decode(errors="replace")
            raise AlmanacError(f"{self.file} printed {text!r}, which is not the line of a server{self._words()}") from None

    @property
    def log(self) -> str:
        """The end of what the server printed on standard error."""
        return "".join(self._log.copy())

    def _ended(self) -> str:
        status = self._child.wait()
        return f"ended with status {status}" if status >= 0 else f"was ended by {signal.Signals(-status).name}"

    def _words(self) -> str:
        """What an error tells of standard error, of a process that has ended."""
        self._logger.join()
        return f":\n{self.log.rstrip()}" if self._log else ", and said nothing on standard error"

    def check(self, error: Exception) -> None:
        """Raises an error if the server has ended, and a request failed for that reason."""
        place = urlsplit(self.url)
        try:
            socket.create_connection((place.hostname or "", place.port or 0)).close()
        except OSError:
            raise AlmanacError(f"{self.file} {self._ended()} while the tests ran{self._words()}") from error

    def stop(self) -> None:
        """Ends the server, if it has not ended."""
        atexit.unregister(self.stop)
        try:
            self._stdin.close()
            self._child.wait(STOP_TIME)
        except subprocess.TimeoutExpired:
            self._kill()
        self._child.wait()
        self._logger.join()
        self._stdout.close()
        if words := [line for line in self._log if UNEXPECTED in line]:
            raise AlmanacError("".join(words).rstrip(), code=UNEXPECTED)

    def _kill(self) -> None:
        """Kills it, with what it has started."""
        try:
            os.killpg(self._child.pid, signal.SIGKILL)
        except (AttributeError, ProcessLookupError):
            self._child.kill()  # there are no groups of processes on Windows


def find(binary: str | os.PathLike[str] | None) -> tuple[str, str]:
    """Finds the program, by the argument, by ALMANAC_BINARY, or in PATH, and says what it is that is missing."""
    for source, named in ("the argument binary", binary), ("ALMANAC_BINARY", os.environ.get("ALMANAC_BINARY")):
        if named:
            return os.path.abspath(named), f"{source} is {os.fspath(named)!r}, which cannot be started"
    return "almanac", "there is no program almanac in PATH, and none is named in ALMANAC_BINARY or by the argument binary"

"""What a test does with a server: worlds, their clocks, seeds, faults and the requests that were seen."""

from __future__ import annotations

import itertools
import json
import os
import re
import tempfile
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from http.client import HTTPException
from types import TracebackType
from typing import Any, Literal, NotRequired, Self, TypedDict, Unpack
from urllib.parse import quote, urljoin

from almanactest.process import AUTHORITY, SERVER, UNEXPECTED, AlmanacError, Process

# Records as docs/seeds.md of almanac describes them. Dates may be relative, and "$name" names a record.
Seed = Mapping[str, Sequence[Mapping[str, Any]]]


class Rule(TypedDict, total=False):
    """Which requests go wrong, and how. Durations may be texts, as "250ms"."""

    method: str
    path: str  # as "/cal/events/v1/events/{id}" or "/cal/events/v1/**"
    skip: int
    count: int
    probability: float
    seed: int
    applied: bool  # the request takes effect, and only its answer goes wrong
    delay: timedelta | str
    status: int
    code: str
    message: str
    retry_after: timedelta | str
    reset: bool
    cut: int
    malformed: bool
    dribble: timedelta | str


class ActiveFault(Rule):
    """A rule in force."""

    id: int
    fired: int  # requests that went wrong by it


class ClockState(TypedDict):
    """What a clock shows."""

    now: str
    local: str
    timezone: str
    frozen: bool
    real: bool


class Request(TypedDict):
    """A request that a world has seen, with its answer. Bodies that are no text are in base64."""

    number: int
    time: str
    world: str
    method: str
    path: str
    query: str
    operation: str
    headers: dict[str, list[str]]
    body: NotRequired[str]
    body_base64: NotRequired[str]
    status: int
    answer_headers: dict[str, list[str]]
    answer: NotRequired[str]
    answer_base64: NotRequired[str]
    fault: int  # the id of the one by which it went wrong, or 0
    cut: bool  # a body was longer than what is kept of one


class World:
    """A world: records, a clock, faults and the requests seen, which no other world notices.

    name is that of the world, "" of the server's own; url and api are addresses, the second with a slash at the
    end; token is the administrator's; headers is what a request has to say to be in the world; ca is with TLS the file
    of the authority to trust, as ssl.create_default_context(cafile=...) takes it, else "".
    """

    def __init__(self, process: Process, name: str) -> None:
        self._process, self.name = process, name
        self.url, self.api, self.token, self.ca = process.url, process.api, process.token, process.ca
        self.headers: dict[str, str] = {"Almanac-World": name} if name else {}
        self.clock = Clock(self)

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Asks as the administrator, with a body in JSON, and returns what was answered. Paths are relative to api."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **self.headers}
        data = None if body is None else json.dumps(body, default=plain).encode()
        try:
            with self._process.http.open(urllib.request.Request(urljoin(self.api, path), data, headers, method=method)) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                raise refusal(f"{method} {path}: {error.code}", error.code, error.read()) from None
        except (OSError, HTTPException) as error:
            self._process.check(error)
            raise

    def seed(self, records: Seed) -> None:
        """Adds records to what the world holds. reset returns to that. A "$name" is known in its own seed; an id is known in all."""
        self.ask("POST", "/_almanac/seed", records)

    def reset(self) -> None:
        """Returns to how the world began: its records, ids and clock; without faults and requests."""
        self.ask("POST", "/_almanac/reset")

    def snapshot(self, name: str) -> None:
        """Keeps records, ids and clock as they are, under a name."""
        self.ask("POST", "/_almanac/snapshots", {"name": name})

    def snapshots(self) -> list[str]:
        return [snapshot["name"] for snapshot in self.ask("GET", "/_almanac/snapshots")["snapshots"]]

    def restore(self, name: str) -> None:
        """Returns to a snapshot."""
        self.ask("POST", "/_almanac/restore", {"name": name})

    def forget(self, name: str) -> None:
        """Drops a snapshot."""
        self.ask("DELETE", f"/_almanac/snapshots/{quote(name, safe='')}")

    def fault(self, **rule: Unpack[Rule]) -> Fault:
        """Lets requests go wrong from now on, or in a with statement until its end."""
        return Fault(self, self.ask("POST", "/_almanac/faults", rule)["id"])

    def faults(self) -> list[ActiveFault]:
        faults: list[ActiveFault] = self.ask("GET", "/_almanac/faults")["faults"]
        return faults

    def clear_faults(self) -> None:
        self.ask("DELETE", "/_almanac/faults")

    def requests(self) -> list[Request]:
        """Returns the last 1,000 requests with their answers, the oldest first."""
        requests: list[Request] = self.ask("GET", "/_almanac/requests")["requests"]
        return requests

    def clear_requests(self) -> None:
        self.ask("DELETE", "/_almanac/requests")

    def end(self) -> None:
        """Ends the world, with what it holds."""
        try:
            self.ask("DELETE", f"/_almanac/worlds/{quote(self.name, safe='')}")
        except AlmanacError as error:
            if error.code == UNEXPECTED:
                raise  # else the server has ended, or nobody has asked the world anything

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()


class Fault:
    """A rule by which requests go wrong, until it is removed."""

    def __init__(self, world: World, id: int) -> None:
        self._world, self.id = world, id

    def remove(self) -> None:
        self._world.ask("DELETE", f"/_almanac/faults/{self.id}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.remove()


class Clock:
    """The clock of a world. Each method returns what it shows then."""

    def __init__(self, world: World) -> None:
        self._world = world

    def read(self) -> ClockState:
        state: ClockState = self._world.ask("GET", "/_almanac/clock")
        return state

    def _update(self, members: Mapping[str, object]) -> ClockState:
        state: ClockState = self._world.ask("POST", "/_almanac/clock", members)
        return state

    def set(self, now: datetime | str) -> ClockState:
        """Sets it to a moment: one without a zone is by the clock of the site."""
        return self._update({"now": now})

    def advance(self, by: timedelta | str) -> ClockState:
        """Moves it, by a text as "48h" or "-1m30s" too."""
        return self._update({"advance": by})

    def freeze(self) -> ClockState:
        return self._update({"frozen": True})

    def resume(self) -> ClockState:
        return self._update({"frozen": False})

    def real(self) -> ClockState:
        """Returns to the real time."""
        return self._update({"real": True})


class Almanac(World):
    """A running server, which is a world too: that of requests which name none."""

    def __init__(self, process: Process) -> None:
        super().__init__(process, "")
        self.pid = process.pid
        self._made = itertools.count(1)

    @property
    def log(self) -> str:
        """The end of what the server printed on standard error."""
        return self._process.log

    def world(self, name: str = "world") -> World:
        """Makes a world that begins as the server did. The name is that of the test, and need not be the only one."""
        return World(self._process, f"{re.sub('[^!-.0-~]', '-', name[:150])}-{next(self._made)}")

    def worlds(self) -> list[str]:
        return [world["name"] for world in self.ask("GET", "/_almanac/worlds")["worlds"]]

    def end(self) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends the server. It ends with this process in any case."""
        self._process.stop()


def start(
    *,
    binary: str | os.PathLike[str] | None = None,
    seed: Seed | str | os.PathLike[str] = "",
    clock: datetime | str = "",
    freeze: bool = False,
    timezone: str = "",
    token: str = "",
    addr: str = "127.0.0.1:0",
    unexpected: Literal["ignore", "fail"] = "ignore",
    tls: bool = False,
    args: Sequence[str] = (),
    timeout: float = 30,
) -> Almanac:
    """Starts a server, and returns when it is ready. It ends with the with statement, or with this process.

    binary   the program; else the environment variable ALMANAC_BINARY names it, else it is almanac in PATH
    seed     what the server and its worlds begin with: records, a file of them, or "@small", "@city" or "@torture"
    clock    the time at the start, by the clock of the site; else it is the real time
    freeze   with clock: it stands still
    timezone the time zone of the site, as "Europe/Paris"; else it is UTC
    token    the token of the administrator; else one is made
    addr     the address to listen on; else it is a free port of this machine
    unexpected
             with "fail" the end of a world, and that of the server, raises an error if there were requests that no route
             took and no fault decided
    tls      it serves over TLS, for localhost, 127.0.0.1 and ::1
    args     more arguments of almanac serve, as ["-per-page", "5"]
    timeout  seconds that the start may take
    """
    with tempfile.TemporaryDirectory(prefix="almanac-") as directory:
        if isinstance(seed, Mapping):
            file = os.path.join(directory, "seed.json")
            with open(file, "w", encoding="utf-8") as out:
                json.dump(seed, out, indent=1, default=plain)
            seed = file
        # Worlds end with their tests, however long these take.
        values = {"addr": addr, "seed": os.fspath(seed), "clock": str(clock), "timezone": timezone, "token": token, "world-ttl": "24h"}
        values["unexpected"] = unexpected
        values |= {"tls-cert": SERVER, "tls-key": SERVER} if tls else {}
        flags = [f"-{name}={value}" for name, value in values.items() if value] + ["-freeze"] * freeze
        return Almanac(Process([*flags, *args], binary, timeout, AUTHORITY if tls else ""))


def plain(value: object) -> str:
    """Writes what JSON has no form for: moments and durations."""
    match value:
        case datetime():
            return value.isoformat()
        case timedelta():
            return f"{value / timedelta(microseconds=1):.0f}us"
    raise TypeError(f"{value!r} cannot be sent: it is no text, number, datetime or timedelta")


def refusal(about: str, status: int, body: bytes) -> AlmanacError:
    """Makes the error of a request that was refused, with what is wrong of each parameter."""
    try:
        answer = json.loads(body)
        code, message, params = answer["code"], answer["message"], answer["data"].get("params")
    except (ValueError, TypeError, KeyError, AttributeError):
        code, message, params = "", body.decode(errors="replace"), None
    return AlmanacError(f"{about} {code}: {message}", status, code, params)

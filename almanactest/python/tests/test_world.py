"""What a world does."""

from __future__ import annotations

import json
import os
import signal
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone

import pytest

from almanactest import Almanac, AlmanacError, World, start

CONCERT = {"title": "Concert", "start_date": "@tomorrow 20:00", "end_date": "@start+2h"}


def titles(world: World) -> list[str]:
    return [event["title"] for event in world.ask("GET", "events")["events"]]


def test_worlds_begin_as_the_server_did(almanac: World, almanac_server: Almanac) -> None:
    other = almanac_server.world()
    assert almanac.ask("GET", "events")["events"][0]["start_date"] == "2031-05-11 20:00:00"
    almanac.ask("POST", "events", {"title": "Fair", "start_date": datetime(2031, 5, 12), "end_date": "2031-05-12"})
    assert [titles(almanac), titles(other), titles(almanac_server)] == [["Concert", "Fair"], ["Concert"], ["Concert"]]


def test_a_world_ends(almanac_server: Almanac) -> None:
    with almanac_server.world("Märkte/音楽[a b]") as world:
        world.clock.read()
        assert world.name.lower() in almanac_server.worlds()
    assert world.name.lower() not in almanac_server.worlds()
    almanac_server.world().end()  # of which nobody has asked anything


def test_clock(almanac: World, almanac_server: Almanac) -> None:
    clock = almanac.clock
    assert clock.read() == {
        "now": "2031-05-10T10:00:00Z", "local": "2031-05-10 12:00:00", "timezone": "Europe/Paris", "frozen": True, "real": False
    }
    assert clock.advance("48h")["local"] == "2031-05-12 12:00:00"
    assert clock.advance(timedelta(days=-2, microseconds=250))["now"] == "2031-05-10T10:00:00.00025Z"
    assert clock.set(datetime(2031, 3, 30, 0, 59, 59, tzinfo=timezone.utc))["local"] == "2031-03-30 01:59:59"
    assert clock.set(datetime(2031, 3, 30, 3))["now"] == "2031-03-30T01:00:00Z"
    assert not clock.resume()["frozen"]
    assert clock.freeze()["frozen"]
    assert clock.real()["real"]
    assert almanac_server.clock.read()["now"] == "2031-05-10T10:00:00Z"


def test_tls(almanac_server: Almanac) -> None:
    with start(seed={"events": [CONCERT]}, tls=True) as server:
        world = server.world()
        trusting = ssl.create_default_context(cafile=world.ca)
        trusting.verify_flags |= ssl.VERIFY_X509_STRICT  # as from Python 3.13 on
        for host in "127.0.0.1", "localhost":
            events = urllib.request.Request(f"{world.api.replace('127.0.0.1', host)}events", headers=world.headers)
            with urllib.request.urlopen(events, context=trusting) as answer:
                assert json.load(answer)["total"] == 1
            with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
                urllib.request.urlopen(events)
        assert world.url.startswith("https://127.0.0.1:") and titles(world) == ["Concert"]
        with world.fault(reset=True), pytest.raises(OSError):  # the server is well
            world.ask("GET", "events")
        os.kill(server.pid, signal.SIGKILL)
        with pytest.raises(AlmanacError, match="was ended by SIGKILL while the tests ran"):
            world.ask("GET", "events")
    assert almanac_server.ca == ""


def test_undo(almanac: World) -> None:
    almanac.snapshot("before")
    almanac.ask("DELETE", "events/1")
    almanac.restore("before")
    assert (titles(almanac), almanac.snapshots()) == (["Concert"], ["before", "seeded"])
    almanac.forget("before")
    almanac.ask("DELETE", "events/1")
    almanac.fault(status=503, count=1)
    almanac.reset()
    assert (titles(almanac), almanac.snapshots(), almanac.faults()) == (["Concert"], ["seeded"], [])


def test_seeds(almanac: World, almanac_server: Almanac) -> None:
    almanac.seed({"venues": [{"$name": "hall", "venue": "Town Hall"}], "events": [{**CONCERT, "title": "Fair", "venue": "$hall"}]})
    almanac.seed({"events": [{**CONCERT, "title": "Ball", "post_parent": 1}]})
    almanac.ask("DELETE", "events/1")
    almanac.reset()
    assert (titles(almanac), titles(almanac_server)) == (["Concert", "Fair", "Ball"], ["Concert"])


def test_faults(almanac: World) -> None:
    with almanac.fault(path="/cal/events/v1/events", status=429, retry_after=timedelta(seconds=30)):
        with pytest.raises(AlmanacError, match="GET events: 429") as refused:
            almanac.ask("GET", "events")
        assert refused.value.status == 429
        assert almanac.faults()[0]["fired"] == 1
    assert titles(almanac) == ["Concert"]
    almanac.fault(reset=True)
    with pytest.raises(OSError):  # the server is well
        almanac.ask("GET", "events")
    almanac.clear_faults()
    assert titles(almanac) == ["Concert"]


def test_requests(almanac: World) -> None:
    headers = {**almanac.headers, "X-From": "here"}
    with urllib.request.urlopen(urllib.request.Request(f"{almanac.api}events?per_page=1", headers=headers)) as answer:
        assert json.load(answer)["total"] == 1
    almanac.ask("POST", "tags", {"name": "free"})
    seen = [(r["method"], r["path"], r["query"], r["status"], r["headers"].get("X-From")) for r in almanac.requests()]
    assert seen == [
        ("GET", "/cal/events/v1/events", "per_page=1", 200, ["here"]),
        ("POST", "/cal/events/v1/tags", "", 201, None),
    ]
    almanac.clear_requests()
    assert almanac.requests() == []


def test_mistakes() -> None:
    with start() as server, server.world() as world:
        mistakes: list[tuple[Callable[[], object], int, str]] = [
            (lambda: world.seed({"events": [{**CONCERT, "start_date": "@tomorow"}]}), 400, r"events\[0\]\.start_date: .*@today"),
            (lambda: world.seed({"events": [{**CONCERT, "titel": "Concert"}]}), 400, r"seed: 400 .*\.titel: means nothing in an event"),
            (lambda: world.fault(status=200), 400, "status must be that of an error, 400 to 599"),
            (lambda: world.fault(path="/nowhere", status=500), 400, "is that of no route"),
            (lambda: world.clock.set("noon"), 400, "now must be a time such as 2030-03-31T00:59:59Z"),
            (lambda: world.restore("before"), 404, 'no snapshot "before"'),
            (lambda: world.ask("GET", "events/7"), 404, "GET events/7: 404"),
        ]
        for call, status, words in mistakes:
            with pytest.raises(AlmanacError, match=words) as refused:
                call()
            assert (refused.value.status, refused.value.code != "") == (status, True)
        with pytest.raises(TypeError, match="{'here'} cannot be sent: it is no text, number, datetime or timedelta"):
            world.ask("POST", "tags", {"name": {"here"}})
        world.seed({"venues": [{"$name": "hall", "venue": "Town Hall"}], "events": [{**CONCERT, "venue": "$hall"}]})
        with pytest.raises(AlmanacError, match="has the id 2, which another of the events has"):
            world.seed({"events": [{**CONCERT, "id": 2}]})
        assert world.ask("GET", "events")["events"][0]["venue"]["venue"] == "Town Hall"


def alone(server: Almanac, number: int) -> None:
    """Is one of many tests."""
    with server.world("one of many") as world:
        world.seed({"events": [{**CONCERT, "title": f"Concert {number}"}]})
        world.clock.advance(timedelta(minutes=number))
        world.fault(method="DELETE", status=400 + number)
        assert titles(world) == [f"Concert {number}"]
        with pytest.raises(AlmanacError) as refused:
            world.ask("DELETE", "events/1")
        assert refused.value.status == 400 + number
        assert world.clock.read()["now"] == (datetime(2031, 5, 10, 12) + timedelta(minutes=number)).isoformat() + "Z"
        assert len(world.requests()) == 2


def test_200_tests_beside_each_other() -> None:
    with start(clock=datetime(2031, 5, 10, 12), freeze=True) as server:
        with ThreadPoolExecutor(200) as threads:
            assert len(list(threads.map(lambda number: alone(server, number), range(200)))) == 200
        assert server.worlds() == []


def test_without_a_proxy(almanac: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "http_proxy", "HTTP_PROXY", "all_proxy":
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert titles(almanac) == ["Concert"]


def test_unexpected() -> None:
    def asked(world: World, path: str) -> str:
        with pytest.raises(AlmanacError) as refused:
            world.ask("GET", path)
        return str(refused.value)

    with pytest.raises(AlmanacError, match=r'World "" was asked for .*GET /calendar\.') as unexpected, start(unexpected="fail") as server:
        with server.world() as good:
            asked(good, "events/99")  # there is no such record, and a route for it
            good.fault(path="/**", status=503)
            asked(good, "concerts")
        with pytest.raises(AlmanacError, match=r"GET /cal/events/v1/event/3\."), server.world() as bad:
            assert "The nearest is GET," in asked(bad, "event/3")
        with server.world() as reset:
            asked(reset, "concerts")
            reset.reset()
        asked(server, "/calendar")
    assert unexpected.value.code == "almanac_unexpected_requests"
    with start() as server, server.world() as world:
        asked(world, "concerts")

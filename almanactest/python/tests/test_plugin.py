"""What tests of pytest are given."""

from __future__ import annotations

import importlib.util

import pytest

# A start that fails says why once, and without the lines of this package.
FAILING = """
import pytest
@pytest.fixture(scope="session")
def almanac_options():
    return {"timezone": "Europe/Pari"}
def test_one(almanac): pass
def test_two(almanac): pass
"""

MANY = """
import pytest
@pytest.mark.parametrize("number", range(200))
def test_concert(almanac, number):
    almanac.seed({"events": [{"title": f"Concert {number}", "start_date": "@tomorrow 20:00", "end_date": "@start+2h"}]})
    assert [event["title"] for event in almanac.ask("GET", "events")["events"]] == [f"Concert {number}"]
    assert almanac.name.startswith(f"test_concert[{number}]-")
    assert len(almanac.requests()) == 1
"""


def test_failing_start(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FAILING)
    result = pytester.runpytest_subprocess("-p", "almanactest.plugin")
    result.assert_outcomes(errors=2)
    text = result.stdout.str()
    assert "Europe/Pari" in text and "ended with status 2" in text
    assert "process.py" not in text


def test_many(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(MANY)
    beside = ["-n", "4"] if importlib.util.find_spec("xdist") else []
    pytester.runpytest_subprocess("-p", "almanactest.plugin", *beside).assert_outcomes(passed=200)

"""The tests of this package start a server as those of its users do."""

from typing import Any

import pytest

pytest_plugins = ["pytester"]


@pytest.fixture(scope="session")
def almanac_options() -> dict[str, Any]:
    concert = {"title": "Concert", "start_date": "@tomorrow 20:00", "end_date": "@start+2h"}
    return {"seed": {"events": [concert]}, "clock": "2031-05-10 12:00:00", "freeze": True, "timezone": "Europe/Paris"}

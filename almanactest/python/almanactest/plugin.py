"""Fixtures of pytest: almanac, a world for each test, of almanac_server, which starts as almanac_options says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from almanactest import Almanac, AlmanacError, World, start


@pytest.fixture(scope="session")
def almanac_options() -> dict[str, Any]:
    """The arguments of almanactest.start: to be overridden in a conftest.py."""
    return {}


@pytest.fixture(scope="session")
def almanac_server(almanac_options: dict[str, Any]) -> Iterator[Almanac]:
    """A server for all tests of this process."""
    try:
        server = start(**almanac_options)
    except AlmanacError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None
    with server:
        yield server


@pytest.fixture
def almanac(almanac_server: Almanac, request: pytest.FixtureRequest) -> Iterator[World]:
    """A world of the test's own, which begins as the server did."""
    with almanac_server.world(request.node.name) as world:
        yield world

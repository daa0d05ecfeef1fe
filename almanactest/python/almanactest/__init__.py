"""Runs almanac, a real calendar server, in tests: in memory, on a free port, in milliseconds.

    def test_concert(almanac):  # a fixture of pytest: a world of the test's own
        almanac.seed({"events": [{"title": "Concert", "start_date": "@tomorrow 20:00", "end_date": "@start+2h"}]})
        # Here your program reads almanac.api, and sends almanac.headers.

Without pytest, start() does the same:

    with start(seed="@small") as server, server.world() as world:
        world.clock.advance("48h")

docs/testing.md of almanac describes worlds, seeds and faults.
"""

from almanactest.process import AlmanacError
from almanactest.world import ActiveFault, Almanac, Clock, ClockState, Fault, Request, Rule, Seed, World, start

__all__ = ["ActiveFault", "Almanac", "AlmanacError", "Clock", "ClockState", "Fault", "Request", "Rule", "Seed", "World", "start"]

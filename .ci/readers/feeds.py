"""Asks servers for every feed, and compares what independent readers find in them with the JSON of the same events.

usage: feeds.py BINARY SAMPLES, where SAMPLES is a folder of saved calendars, or empty
"""

import difflib
import os
import sys
import tempfile
from collections import Counter

import calendars
import pages
import tables
from mistakes import MISTAKES
from world import ALL, World, imported, write_more

HERE = os.path.dirname(os.path.abspath(__file__))
SINGLE = 12  # how many events of a world are read alone


def queries(events):
    """Returns queries that find all events, and some."""
    yield ALL
    used = Counter(c["id"] for e in events for c in e["categories"])
    if used:
        yield {**ALL, "categories": used.most_common(1)[0][0]}
    middle = sorted(e["start_date"] for e in events)[len(events) // 3]
    yield {"start_date": middle[:10], "end_date": f"{int(middle[:4]) + 1}{middle[4:10]}".replace("-02-29", "-03-01")}
    words = Counter(w for e in events for w in set(e["title"].split()) if w.isascii() and w.isalpha() and len(w) > 3)
    if words:
        yield {**ALL, "search": words.most_common(1)[0][0]}
    yield {**ALL, "first_of_series": "true"}
    yield {**ALL, "search": "nothing has this word"}


def uid_of(event, grouped, series):
    """Returns the UID of an event, which is that of its series if this is one VEVENT with a rule: by its id, or by its slug
    if it came from another site."""
    if not grouped or "recurrence" not in event:
        return event["global_id_lineage"][-1]
    number, home = event["recurrence"]["series"], event["global_id_lineage"][-1].partition("?")[0]
    return f"{home}?id={number}" if home == "127.0.0.1" else f"{home}?series={series[number]['slug']}"


class Run:
    """Compares the feeds of worlds."""

    def __init__(self, directory, readers):
        self.directory, self.readers = directory, readers
        self.failures, self.files, self.counts = [], 0, Counter()

    def failing(self, world, path, query):
        return lambda what: self.failures.append((f"{world.name} {path} {query}", what))

    def check(self, kind, event, facts, fail):
        """Compares facts of an event: what is wanted of each, and what was found."""
        self.counts["events in " + kind] += 1
        self.counts["facts in " + kind] += len(facts)
        for name, (want, found) in facts.items():
            if want != found:
                fail(f"{event['title'][:40]!r}: {name} is {found!r:.300}, not {want!r:.300}")

    def world(self, world):
        everything, series = world.events(ALL), world.series()
        self.counts["events in JSON"] += len(everything)
        self.counts["series in JSON"] += len(series)
        for query in queries(everything):
            found = world.events(query)
            for expand in (False, True):
                grouped = not expand and "first_of_series" not in query
                self.calendar(world, "/events.ics", {**query, **({"expand": "true"} if expand else {})}, found, series, grouped)
            for check in (pages.rss, pages.atom, pages.json_feed):
                check(self, world, query)
            tables.table(self, world, query, found)
        step = max(1, len(everything) // SINGLE)
        for e in [e for e in everything if e["all_day"] is not None][::step]:  # without a password
            self.calendar(world, f"/events/{e['id']}.ics", {}, [e], series, False)
            self.calendar(world, f"/events/by-slug/{calendars.slug(e)}.ics", {}, [e], series, False)

    def round_trip(self, world, binary):
        """Imports a calendar into an empty directory, where it has to come out as it went in."""
        host = {"Host": "calendar.example.org"}  # of links, which are the same from every port then
        before = world.get("/events.ics", ALL, **host)[0]
        name = f"again{self.counts['calendars imported and exported again']}"
        file = os.path.join(self.directory, name + ".ics")
        with open(file, "wb") as f:
            f.write(before)
        again = imported(name, binary, file, self.directory, "-timezone", "America/New_York")
        try:
            after = again.get("/events.ics", ALL, **host)[0]
        finally:
            again.close()
        lines = [[line for line in text.split(b"\r\n") if not line.startswith(b"DTSTAMP:")] for text in (before, after)]
        self.counts["calendars imported and exported again"] += 1
        self.counts["lines of these"] += len(lines[0])
        fail = self.failing(world, "/events.ics", "imported and exported again")
        for change in list(difflib.unified_diff(*([line.decode() for line in side] for side in lines), lineterm="", n=2))[:60]:
            fail(change)

    def calendar(self, world, path, query, found, series, grouped):
        body, header = world.get(path, query)
        fail = self.failing(world, path, query)
        calendars.check_form(body, header, fail)
        want = [calendars.expected(e, uid_of(e, grouped, series)) for e in found]
        horizons = {f"127.0.0.1?id={s['id']}": s["horizon"].replace(" ", "T") for s in series.values() if s["horizon"]}
        file = os.path.join(self.directory, f"{self.files}.ics")
        with open(file, "wb") as f:
            f.write(body)
        self.files += 1
        for reader in self.readers:
            reader.ask(file, horizons)
        for reader in self.readers:
            calendars.compare(reader, want, reader.answer(), fail)


def main():
    binary, samples = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        readers = [
            calendars.Reader("ical.js", ["node", os.path.join(HERE, "read_icaljs.cjs")]),
            calendars.Reader("icalendar", [sys.executable, os.path.join(HERE, "read_icalendar.py")]),
            calendars.Reader("vobject", [sys.executable, os.path.join(HERE, "read_vobject.py")]),
        ]
        run = Run(directory, readers)
        makers = [lambda: World("@city", binary, "-memory", "-seed", "@city", "-timezone", "America/New_York"),
                  lambda: World("@torture", binary, "-memory", "-seed", "@torture")]
        if samples:
            for sample in sorted(os.listdir(samples)):
                makers.append(lambda sample=sample: imported(
                    sample.removesuffix(".json"), binary, os.path.join(samples, sample), directory))
        else:
            print("skipped: no samples beside the project")
        for make in makers:
            world = make()
            try:
                if world.name == "@city":
                    run.round_trip(world, binary)
                    write_more(world)
                    run.round_trip(world, binary)
                run.world(world)
            finally:
                world.close()
        for reader in readers:
            reader.close()
        report(run)


def report(run):
    print(", ".join(f"{n} {what}" for what, n in run.counts.items()) + f"; {run.files} calendars")
    for reader in run.readers:
        print(f"{reader.name}: " + ", ".join(f"{n} {what}" for what, n in reader.read.items()))
        for name, n in reader.mistakes.items():
            print(f"  {n} times: {name}: {MISTAKES[name][-1]}")
    print(f"{len(run.failures)} differences that are not mistakes of readers")
    shown = Counter()
    for feed, what in run.failures:
        shown[feed] += 1
        if shown[feed] <= 6 and shown.total() <= 400:  # the first of each
            print(f"FAILED {feed}: {what}")
    if run.failures:
        sys.exit(1)


main()

"""Makes random calendars, imports each with the program, and compares its events with those that
icalendar and dateutil find in the same text.

    random_calendars.py BINARY NUMBER SEED
"""

import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from dateutil import tz
from dateutil.rrule import rruleset, rrulestr
from icalendar import Calendar

UTC = timezone.utc
NOW = datetime.now(UTC)
SITES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata"]
NAMES = SITES[1:] + ["Europe/London", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Tokyo", "Pacific/Auckland"]
ALIASES = {  # names of Windows, without a VTIMEZONE
    "W. Europe Standard Time": "Europe/Berlin",
    "Eastern Standard Time": "America/New_York",
    "AUS Eastern Standard Time": "Australia/Sydney",
    "(UTC+09:00) Osaka, Sapporo, Tokyo": "Asia/Tokyo",
    "CET": "Europe/Berlin",
    "/mozilla.org/20050126_1/Europe/London": "Europe/London",
}
YEARLY = {  # zones by their rules: standard and summer time
    "north": (("19701025T030000", "+0200", "+0100", "BYMONTH=10;BYDAY=-1SU"), ("19700329T020000", "+0100", "+0200", "BYMONTH=3;BYDAY=-1SU")),
    "west": (("20071104T020000", "-0400", "-0500", "BYMONTH=11;BYDAY=1SU"), ("20070311T020000", "-0500", "-0400", "BYMONTH=3;BYDAY=2SU")),
    "south": (("20080406T030000", "+1100", "+1000", "BYMONTH=4;BYDAY=1SU"), ("20081005T020000", "+1000", "+1100", "BYMONTH=10;BYDAY=1SU")),
    # Changes an hour early, as Lotus Notes wrote it: of no zone. Events are not in these hours.
    "early": (("19701025T020000", "+0200", "+0100", "BYMONTH=10;BYDAY=-1SU"), ("19700329T010000", "+0100", "+0200", "BYMONTH=3;BYDAY=-1SU")),
}


def observance(kind, start, before, after, more=""):
    return [f"BEGIN:{kind}", f"DTSTART:{start}", f"TZOFFSETFROM:{before}", f"TZOFFSETTO:{after}"] + ([more] if more else []) + [f"END:{kind}"]


class Maker:
    """Writes one calendar; a file is one or more of them."""

    def __init__(self, rnd, number):
        self.rnd, self.number = rnd, number
        self.zones, self.alone, self.events = {}, set(), []
        for _ in range(rnd.randint(0, 2)):
            self.zone(rnd.choice(["Club", "Customized Time Zone", "Büro: 1"]))
        self.default = rnd.choice([None, None, rnd.choice(NAMES)])

    def zone(self, name):
        rnd = self.rnd
        kind = rnd.choice(list(YEARLY) + ["fixed", "odd", "once"])
        lines = ["BEGIN:VTIMEZONE", f"TZID:{name}"]
        self.alone.discard(name)
        if kind in YEARLY:
            standard, summer = YEARLY[kind]
            lines += observance("STANDARD", *standard[:3], "RRULE:FREQ=YEARLY;" + standard[3])
            lines += observance("DAYLIGHT", *summer[:3], "RRULE:FREQ=YEARLY;" + summer[3])
        elif kind == "once":  # the changes of one year
            year = rnd.randint(2027, 2031)
            lines += observance("DAYLIGHT", f"{year}0320T020000", "+0100", "+0200")
            lines += observance("STANDARD", f"{year}1020T030000", "+0200", "+0100")
            self.alone.add(name)
        else:
            offset = rnd.choice(["+0900", "-0500", "+0545", "-0330"] if kind == "fixed" else ["+0013", "-0027"])
            lines += observance("STANDARD", "19700101T000000", offset, offset)
            if kind == "odd":
                self.alone.add(name)
        self.zones[name] = lines + ["END:VTIMEZONE"]

    def place(self, repeats):
        """A zone of times: a TZID, "UTC", or None for floating times."""
        own = [name for name in self.zones if not (repeats and name in self.alone)]
        return self.rnd.choice([None, "UTC"] + self.rnd.sample(NAMES, 3) + own * 2 + self.rnd.sample(list(ALIASES), 1))

    @staticmethod
    def stamp(name, where, *times):
        if where == "UTC":
            return f"{name}:" + ",".join(f"{t:%Y%m%dT%H%M%SZ}" for t in times)
        param = ""
        if where is not None:
            param = f';TZID="{where}"' if re.search("[:;,]", where) else f";TZID={where}"
        return f"{name}{param}:" + ",".join(f"{t:%Y%m%dT%H%M%S}" for t in times)

    @staticmethod
    def days(name, *days):
        return f"{name};VALUE=DATE:" + ",".join(f"{d:%Y%m%d}" for d in days)

    def moment(self):
        rnd = self.rnd
        day = datetime(2027, 1, 1) + timedelta(days=rnd.randrange(4 * 365))
        if rnd.random() < 0.2:  # near a change
            day = rnd.choice([datetime(2027, 3, 28), datetime(2028, 10, 29), datetime(2027, 11, 7), datetime(2029, 4, 1)])
        # A rule of months that have no such day gives no date: the program refuses it.
        return day.replace(day=min(day.day, 28), hour=rnd.choice([0, 4, 9, 12, 18, 20, 22, 23]), minute=rnd.choice([0, 15, 30]))

    def rule(self, start, whole):
        """A rule, and whether it has an end."""
        rnd = self.rnd
        parts = [f"FREQ={rnd.choice(['DAILY', 'WEEKLY', 'WEEKLY', 'MONTHLY', 'YEARLY'])}"]
        frequency = parts[0][5:]
        if rnd.random() < 0.4:
            parts.append(f"INTERVAL={rnd.randint(2, 3)}")
        if frequency == "WEEKLY" and rnd.random() < 0.6:
            parts.append("BYDAY=" + ",".join(rnd.sample(["MO", "TU", "WE", "TH", "FR", "SA", "SU"], rnd.randint(1, 3))))
        if frequency == "MONTHLY":
            parts.append(rnd.choice(["BYDAY=1TU", "BYDAY=-1SU", "BYMONTHDAY=15", "BYMONTHDAY=-1,10", "BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"]))
        if frequency == "YEARLY":
            parts.append(rnd.choice(["BYMONTH=6,9", "BYMONTH=3;BYDAY=-1SU", "BYMONTHDAY=13;BYDAY=FR"]))
        end = rnd.choice(["COUNT", "UNTIL", "UNTIL", ""])
        if end == "COUNT":
            parts.append(f"COUNT={rnd.randint(1, 12)}")
        elif end == "UNTIL":
            last = start + timedelta(days=rnd.choice([-5, 30, 90, 200]))
            if not whole:
                parts.append(f"UNTIL={last:%Y%m%dT%H%M%SZ}")
            else:
                parts.append(f"UNTIL={last:%Y%m%d}" + rnd.choice(["", "T000000Z", "T235959Z"]))
        first, *rest = parts
        rnd.shuffle(rest)
        return ";".join([first] + rest) + rnd.choice(["", "", ";"]), end

    def event(self, n):
        rnd = self.rnd
        uid, title = f"event-{self.number}-{n}@random.example", f"Event {n}"
        start = self.moment()
        whole, repeats = rnd.random() < 0.3, rnd.random() < 0.6
        head = [f"UID:{uid}", f"SUMMARY:{title}", f"DTSTAMP:20260101T{n % 24:02}0000Z"]
        if whole:
            start = start.replace(hour=0, minute=0)
            lines = [self.days("DTSTART", start)]
            lines += rnd.choice([[], [self.days("DTEND", start + timedelta(days=rnd.randint(1, 3)))], [f"DURATION:P{rnd.randint(1, 3)}D"]])
            where = None
        else:
            where = self.place(repeats)
            lines = [self.stamp("DTSTART", where, start)]
            length = rnd.choice([0, 1, 2, 12, 22])  # PT24H would be P1D to icalendar
            lines += rnd.choice([[], [self.stamp("DTEND", where, start + timedelta(hours=length))], [f"DURATION:PT{length + 1}H"], ["DURATION:P1D"]])
        if not repeats:
            self.events.append(self.component(head + lines))
            return
        for _ in range(20):
            rule, end = self.rule(start, whole)
            given = list(rrulestr(re.sub(r"UNTIL=(\d{8})(T\d{6})?Z?", lambda m: f"UNTIL={m[1]}T235959", rule.rstrip(";")), dtstart=start).xafter(start - timedelta(days=1), 40))
            if end != "COUNT" or given and given[0] == start:  # readers differ on a start that is no date
                break
        else:
            return
        lines.append("RRULE:" + rule)
        series = []
        picked = rnd.sample(given, min(len(given), rnd.randint(0, 3)))
        if picked:
            if whole:
                lines.append(rnd.choice([self.days("EXDATE", *picked), self.stamp("EXDATE", "UTC", *picked), self.stamp("EXDATE", "Asia/Tokyo", *picked)]))
            else:
                lines.append(self.stamp("EXDATE", where, *picked))
        if rnd.random() < 0.3:
            extra = start + timedelta(days=rnd.randint(1, 60))
            lines.append(self.days("RDATE", extra) if whole else self.stamp("RDATE", where, extra))
        for i, at in enumerate(given[:8]):
            if at in picked or rnd.random() > 0.25:
                continue
            to = at + timedelta(days=rnd.randint(0, 2), hours=0 if whole else rnd.randint(0, 3))
            changed = head[:1] + [f"DTSTAMP:2026010{rnd.randint(1, 9)}T000000Z"]
            changed += [self.days("RECURRENCE-ID", at) if whole and rnd.random() < 0.5 else self.stamp("RECURRENCE-ID", rnd.choice(["UTC", "Asia/Tokyo"]) if whole else where, at)]
            changed += [self.days("DTSTART", to) if whole else self.stamp("DTSTART", where, to), rnd.choice([f"SUMMARY:{title}", f"SUMMARY:Changed {n}-{i}"])]
            if rnd.random() < 0.3:
                changed.append("STATUS:CANCELLED")
            series.append(self.component(changed))
        series.insert(rnd.randint(0, len(series)), self.component(head + lines))
        self.events += series

    def component(self, lines):
        first, *rest = lines
        self.rnd.shuffle(rest)
        return ["BEGIN:VEVENT", first] + rest + ["END:VEVENT"]

    def text(self, zones_first):
        rnd = self.rnd
        for n in range(rnd.randint(1, 6)):
            self.event(n)
        head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//random//EN"]
        if self.default:
            head.append("X-WR-TIMEZONE:" + self.default)
        blocks = list(self.zones.values())
        where = 0 if zones_first else rnd.choice([0, len(self.events)])
        blocks = self.events[:where] + blocks + self.events[where:]
        lines = head + [line for block in blocks for line in block] + ["END:VCALENDAR"]
        return "".join(fold(rnd, line) + "\n" for line in lines)


def fold(rnd, line):
    if rnd.random() < 0.9 or len(line) < 20:
        return line
    at = rnd.randint(8, len(line) - 1)
    return line[:at] + rnd.choice(["\n ", "\n\t"]) + line[at:]


class Reader:
    """Reads one calendar with icalendar and dateutil."""

    def __init__(self, text, site):
        unfolded = re.sub(r"\n[ \t]", "", text)
        self.zones = {}
        for block in re.findall(r"BEGIN:VTIMEZONE.*?END:VTIMEZONE\n", unfolded, re.S):
            name = re.search(r"^TZID:(.*)$", block, re.M)[1]
            self.zones[name] = tz.tzical(io.StringIO(block)).get(name)
        self.site = ZoneInfo(site)
        found = re.search(r"^X-WR-TIMEZONE:(.*)$", unfolded, re.M)
        self.default = ZoneInfo(found[1]) if found else self.site
        # The lines of zones are left out: icalendar keeps zones of one name for all calendars.
        self.text = re.sub(r"BEGIN:VTIMEZONE.*?END:VTIMEZONE\n", "", unfolded, flags=re.S)
        self.text = re.sub(r"(RRULE:.*);$", r"\1", self.text, flags=re.M)

    def zone(self, prop):
        """The zone of a property, by its TZID."""
        name = str(prop.params.get("TZID", ""))
        if getattr(prop, "dt", None) is not None and isinstance(prop.dt, datetime) and prop.dt.tzinfo is not None and not name:
            return UTC
        if name in self.zones:
            return self.zones[name]
        return ZoneInfo(ALIASES.get(name, name)) if name else self.default

    def events(self):
        components = [event for event in Calendar.from_ical(self.text).walk("VEVENT")]
        changed, found = {}, []
        for event in components:
            if "RECURRENCE-ID" in event:
                changed.setdefault(str(event["UID"]), []).append(event)
        for event in components:
            if "RECURRENCE-ID" not in event:
                found += self.dates(event, changed.pop(str(event["UID"]), []))
        for alone in changed.values():  # of a series that was cut off
            found += [self.one(event) for event in alone]
        return found

    def one(self, event, at=None):
        """An event, or its date at a local time."""
        start = event["DTSTART"]
        wall = at or start.dt
        off = str(event.get("STATUS", "")) == "CANCELLED"
        if not isinstance(start.dt, datetime):
            wall = wall.date() if isinstance(wall, datetime) else wall
            days = 1
            if "DTEND" in event:
                days = (event["DTEND"].dt - start.dt).days
            elif "DURATION" in event:
                days = event["DURATION"].dt.days
            return (str(event["SUMMARY"]), f"{wall}", f"{wall + timedelta(days=days - 1)}", off)
        zone = self.zone(start)
        first = instant(wall, zone)
        last = first
        if "DTEND" in event:
            last = instant(bare(wall) + (bare(event["DTEND"].dt) - bare(start.dt)), self.zone(event["DTEND"]))
        elif "DURATION" in event:
            length = event["DURATION"].dt
            if event["DURATION"].to_ical().startswith(b"PT"):  # exact time
                last = first + length
                if at is not None:  # a series tells no second of two equal hours
                    last = instant(bare(last.astimezone(zone)), zone)
            else:
                last = instant(bare(wall) + length, zone)
        return (str(event["SUMMARY"]), f"{first:%F %R}", f"{last:%F %R}", off)

    def dates(self, event, changed):
        if "RRULE" not in event and "RDATE" not in event:
            return [self.one(event)] + [self.one(e) for e in changed]
        start = bare(event["DTSTART"].dt)
        whole = not isinstance(event["DTSTART"].dt, datetime)
        zone = None if whole else self.zone(event["DTSTART"])
        rule = event["RRULE"].to_ical().decode()
        until = re.search(r"UNTIL=(\d{8})(?:T(\d{6})Z)?", rule)
        last = None
        if until:
            last = datetime.strptime(until[1] + (until[2] or "000000"), "%Y%m%d%H%M%S")
            rule = rule.replace(until[0], "UNTIL=" + (last + timedelta(days=2)).strftime("%Y%m%dT%H%M%S"))
            if whole:
                last = last.replace(hour=0, minute=0, second=0)
        every = rruleset()
        every.rrule(rrulestr(rule, dtstart=start))
        every.rdate(start)
        for line in many(event, "RDATE"):
            for one in line.dts:
                every.rdate(bare(one.dt))
        out = {bare(one.dt).date() if whole else bare(one.dt) for line in many(event, "EXDATE") for one in line.dts}
        moved = {}
        for e in changed:
            at = bare(e["RECURRENCE-ID"].dt)
            moved[at.date() if whole else at] = e
        found, horizon = [], NOW.replace(tzinfo=None) + timedelta(days=800)
        added = {bare(one.dt) for line in many(event, "RDATE") for one in line.dts}
        if last is not None and (start if whole else instant(start, zone).replace(tzinfo=None)) > last and not added:
            return [self.one(e) for e in changed if str(e.get("STATUS", "")) != "CANCELLED"]
        for at in every:
            if at > horizon and not moved:
                break
            if at > horizon + timedelta(days=2000):
                break
            if last is not None and at not in added and (at if whole else instant(at, zone).replace(tzinfo=None)) > last:
                continue
            key = at.date() if whole else at
            if key in moved:
                found.append(self.one(moved.pop(key)))
            elif key not in out:
                found.append(self.one(event, at))
        return found + [self.one(e) for e in moved.values() if str(e.get("STATUS", "")) != "CANCELLED"]


def many(event, name):
    lines = event.get(name, [])
    return lines if isinstance(lines, list) else [lines]


def bare(t):
    if not isinstance(t, datetime):
        return datetime(t.year, t.month, t.day)
    return t.replace(tzinfo=None)


def instant(wall, zone):
    """The moment of a local time: the first of two, and of one that is skipped as if nothing changed."""
    return tz.resolve_imaginary(bare(wall).replace(tzinfo=zone, fold=0)).astimezone(UTC)


def fixed(name):
    found = re.fullmatch(r"(?:UTC)?([+-])(\d\d?):?(\d\d)?", name)
    if not found:
        return ZoneInfo(name)
    offset = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    return timezone(-offset if found[1] == "-" else offset)


def stored(data):
    """The events of an export of the program."""
    found = []
    for e in json.loads(data).get("events", []):
        off = e.get("event_status") == "canceled"
        if e.get("status", "publish") != "publish":
            continue
        if e.get("all_day"):
            found.append((e["title"], e["start_date"][:10], e["end_date"][:10], off))
            continue
        zone = fixed(e["timezone"])
        start, end = (instant(datetime.fromisoformat(e[name]), zone) for name in ("start_date", "end_date"))
        found.append((e["title"], f"{start:%F %R}", f"{end:%F %R}", off))
    return found


def complete(text):
    """The components of a text that was cut off, as a calendar."""
    blocks = re.findall(r"^BEGIN:(?:VEVENT|VTIMEZONE)\n.*?^END:(?:VEVENT|VTIMEZONE)(?:\n|\Z)", text, re.S | re.M)
    head = text.split("BEGIN:VEVENT")[0].split("BEGIN:VTIMEZONE")[0]
    if not head.endswith("\n"):
        head = head[: head.rfind("\n") + 1]
    return head + "".join(block.rstrip("\n") + "\n" for block in blocks) + "END:VCALENDAR\n"


def window(events):
    """The events up to two years from now, since endless series end at different moments."""
    limit = f"{NOW + timedelta(days=700):%F}"
    return sorted(e for e in events if e[1] < limit)


def run(binary, *args):
    return subprocess.run([binary, *args], capture_output=True, text=True, timeout=120)


def check(binary, rnd, number, directory):
    kind = rnd.choice(["whole"] * 6 + ["joined"] * 2 + ["cut"] * 2)
    site = rnd.choice(SITES)
    parts = [Maker(rnd, f"{number}-{i}").text(kind == "cut") for i in range(rnd.randint(2, 3) if kind == "joined" else 1)]
    status = 0
    if kind == "cut":
        whole = parts[0]
        parts = [whole[: rnd.randrange(whole.index("BEGIN:VEVENT") if "BEGIN:VEVENT" in whole else 20, len(whole) - len("END:VCALENDAR\n"))]]
        status = 1
    name = os.path.join(directory, f"{number}.ics")
    newline = rnd.choice(["\r\n", "\n", "\r"])
    with open(name, "w", encoding="utf-8", newline="") as file:
        file.write("".join(parts).replace("\n", newline))
    data = os.path.join(directory, f"{number}")
    problems = []
    first = run(binary + "-move", "import", "-data", data, "-timezone", site, name)
    if first.returncode != status:
        problems.append(f"exit status {first.returncode}, want {status}: {first.stderr}")
    want = []
    for part in parts:
        want += Reader(complete(part) if kind == "cut" else part, site).events()
    before = run(binary, "export", "-data", data).stdout
    got, want = window(stored(before)), window(want)
    if got != want:
        problems += [f"  missing {e}" for e in want if e not in got] + [f"  more {e}" for e in got if e not in want] + [f"{len(got)} events, want {len(want)}"]
    run(binary + "-move", "import", "-data", data, "-timezone", site, name)
    if run(binary, "export", "-data", data).stdout != before:
        problems.append("the same file again changes something")
    if problems:
        print(f"calendar {number} ({kind}, site {site}):", *problems[:12], sep="\n  ")
        if os.environ.get("KEEP"):
            os.rename(name, os.path.join(os.environ["KEEP"], f"{number}.ics"))
    return bool(problems), len(want)


def main():
    binary, number, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    wrong = events = 0
    with tempfile.TemporaryDirectory() as directory:
        for n in range(number):
            bad, found = check(binary, random.Random(f"{seed}-{n}"), n, directory)
            wrong, events = wrong + bad, events + found
    print(f"{number} calendars with {events} events compared, seed {seed}: {wrong} wrong")
    sys.exit(bool(wrong or not events))


main()

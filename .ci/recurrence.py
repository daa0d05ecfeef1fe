"""Random recurrence sets, and the dates that python3-dateutil gives for them, a line of JSON each.

usage: recurrence.py NUMBER SEED

A line has the text of the set, from and before between which its dates are asked for, and the first
of them (at most MOST) in Unix time. Where dateutil reads RFC 5545 otherwise than package rrule, a line
has the names of these differences too (as in the table of the test that reads the lines), and what dateutil gives
for the same rule in words that leave it no choice.
"""

import itertools
import json
import random
import signal
import sys
import warnings
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from dateutil import rrule as dateutil_rrule
from dateutil.rrule import FREQNAMES, rrule, weekday

warnings.simplefilter("ignore")  # COUNT beside UNTIL: the end of the search
MOST = 8
FAILURES = (ValueError, IndexError, TypeError)  # of dateutil, where it should find nothing
ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Chatham", "America/St_Johns",
         "Asia/Tehran", "Africa/Monrovia", "Pacific/Apia", "Africa/Casablanca", "America/Sao_Paulo", "Asia/Kolkata", "UTC"]
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
# How far a rule is followed: days, by frequency.
SPAN = {"YEARLY": 14000, "MONTHLY": 3000, "WEEKLY": 2000, "DAILY": 1000, "HOURLY": 60, "MINUTELY": 3, "SECONDLY": 0.3}
NUMBERS = {"BYMONTH": (1, 12, False), "BYWEEKNO": (1, 53, True), "BYYEARDAY": (1, 366, True), "BYMONTHDAY": (1, 31, True),
           "BYHOUR": (0, 23, False), "BYMINUTE": (0, 59, False), "BYSECOND": (0, 60, False), "BYSETPOS": (1, 366, True)}


class Beyond(Exception):
    """The search of dateutil went beyond the end that is asked for."""


class TooSlow(Exception):
    """dateutil took too long."""


class Info(dateutil_rrule._iterinfo):
    """Stops a search, which dateutil otherwise goes on with to the year 9999 if it finds nothing."""

    end = datetime.max

    def rebuild(self, year, month):
        if (year, self.rrule._freq and month) > (Info.end.year, Info.end.month):  # a yearly rule has the month of its start
            raise Beyond
        return super().rebuild(year, month)


dateutil_rrule._iterinfo = Info


def too_slow(*_):
    raise TooSlow


def random_rule(rng):
    """Returns the parts of a rule that RFC 5545 allows, without an end."""
    freq = rng.choice(["YEARLY", "YEARLY", "MONTHLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"])
    parts = {"FREQ": freq}
    if rng.random() < 0.5:
        parts["INTERVAL"] = rng.randint(1, rng.choice([3, 12, 60]))
    if rng.random() < 0.3:
        parts["WKST"] = rng.choice(DAYS)
    for name, (least, most, signed) in NUMBERS.items():
        if name == "BYWEEKNO" and freq != "YEARLY" or name == "BYMONTHDAY" and freq == "WEEKLY" or \
                name == "BYYEARDAY" and freq in ("DAILY", "WEEKLY", "MONTHLY") or name == "BYSETPOS" or rng.random() > 0.2:
            continue
        parts[name] = sorted({number(rng, least, most, signed) for _ in range(rng.choice([1, 2, 5, 15]))})
    if rng.random() < 0.4:
        plain = freq not in ("MONTHLY", "YEARLY") or "BYWEEKNO" in parts or rng.random() < 0.5
        ordinals = [0] if plain else rng.choice([[0, 1, -1], [1, 2, 3, -1, -2], [5, -5, 20, -53]])
        days = {(rng.choice(ordinals), rng.choice(DAYS)) for _ in range(rng.choice([1, 2, 4]))}
        parts["BYDAY"] = [f"{n or ''}{day}" for n, day in sorted(days)]
    if rng.random() < 0.25 and any(name.startswith("BY") for name in parts):
        parts["BYSETPOS"] = sorted({number(rng, 1, rng.choice([3, 30, 366]), True) for _ in range(rng.choice([1, 1, 3]))})
    return parts


def number(rng, least, most, signed):
    n = rng.choice([least, most, rng.randint(least, most), rng.randint(least, most)])
    return -n if signed and rng.random() < 0.35 else n


def random_start(rng, zone):
    """Returns a reading: anywhere, at the end of a year, on a leap day, or a day before clocks change."""
    t = datetime(1950, 1, 1) + timedelta(seconds=rng.randrange(110 * 365 * 86400))
    way = rng.random()
    if way < 0.15:
        t = t.replace(month=12, day=rng.randint(26, 31))
    elif way < 0.25:
        t = t.replace(year=t.year // 4 * 4, month=2, day=29)
    elif way < 0.5 and zone:
        for _ in range(300):
            if (t + timedelta(days=1)).replace(tzinfo=zone).utcoffset() != t.replace(tzinfo=zone).utcoffset():
                break
            t += timedelta(days=1)
    return t.replace(second=rng.choice([0, t.second]))


def readings(parts, start, end, tz=None, count=None):
    """Yields what dateutil gives for a rule from a start on, up to an end."""
    args = {"dtstart": start.replace(tzinfo=tz), "interval": parts.get("INTERVAL", 1), "until": end, "count": count}
    if "WKST" in parts:
        args["wkst"] = DAYS.index(parts["WKST"])
    for name in NUMBERS:
        if name in parts:
            args[name.lower()] = parts[name]
    if "BYDAY" in parts:
        args["byweekday"] = [weekday(DAYS.index(d[-2:]), int(d[:-2] or 0) or None) for d in parts["BYDAY"]]
    Info.end = end + timedelta(days=2)  # in any zone
    try:
        yield from rrule(FREQNAMES.index(parts["FREQ"]), **args)
    except Beyond:
        pass


def week(t, wkst):
    """Returns the number of the week of a day, and of how many."""
    fourth = t - timedelta(days=(t.weekday() - wkst) % 7 - 3)
    last = datetime(fourth.year, 12, 31)
    n = (fourth.timetuple().tm_yday - 1) // 7 + 1
    return n, n + (last.timetuple().tm_yday - fourth.timetuple().tm_yday) // 7


def by_year(parts, start, end):
    """Does what readings does for a yearly rule with BYWEEKNO, year by year, with the days of the weeks listed."""
    wkst = DAYS.index(parts.get("WKST", "MO"))
    for year in range(start.year, end.year + 1, parts.get("INTERVAL", 1)):
        days, first = [], datetime(year, 1, 1)
        for i in range(366):
            t = first + timedelta(days=i)
            n, of = week(t, wkst)
            if t.year == year and (n in parts["BYWEEKNO"] or n - of - 1 in parts["BYWEEKNO"]):
                days.append(i + 1)
        days = [d for d in days if "BYYEARDAY" not in parts or
                {d, d - (datetime(year, 12, 31) - first).days - 2} & set(parts["BYYEARDAY"])]
        if days:
            one = {"BYHOUR": [start.hour], "BYMINUTE": [start.minute], "BYSECOND": [start.second], **parts, "BYYEARDAY": days, "INTERVAL": 1}
            del one["BYWEEKNO"]
            yield from (t for t in readings(one, first, min(end, datetime(year, 12, 31, 23, 59, 59))) if t >= start)


def by_week(parts, start, end):
    """Does what readings does for a weekly rule, from the first day of the week of the start on."""
    first = start - timedelta(days=(start.weekday() - DAYS.index(parts.get("WKST", "MO"))) % 7)
    whole = {"BYHOUR": [start.hour], "BYMINUTE": [start.minute], "BYSECOND": [start.second], "BYDAY": [DAYS[start.weekday()]], **parts}
    yield from (t for t in readings(whole, first.replace(hour=0, minute=0, second=0), end) if t >= start)


def explained(parts, start, end):
    """Returns the names of the differences that concern a rule, and its readings by dateutil without them."""
    names, parts, walk = [], dict(parts), readings
    if 60 in parts.get("BYSECOND", []):
        names.append("leap second")
        parts["BYSECOND"] = sorted({min(s, 59) for s in parts["BYSECOND"]})
    if "BYWEEKNO" in parts and not {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & set(parts):
        names.append("week without a day")
        parts["BYDAY"] = [DAYS[start.weekday()]]
    if {-52, -53, 52, 53} & set(parts.get("BYWEEKNO", [])):
        names.append("weeks at the edge of a year")
        walk = by_year
    if parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts:
        names.append("position in the first week")
        walk = by_week
    ordinal = [d for d in parts.get("BYDAY", []) if len(d) > 2]
    most = 5 if parts["FREQ"] == "MONTHLY" or "BYMONTH" in parts else 53
    if ordinal and len(ordinal) < len(parts["BYDAY"]):
        names.append("weekdays with and without a number")
        parts["BYDAY"] = ordinal + [f"{n}{d}" for d in parts["BYDAY"] if len(d) == 2 for n in range(1, most + 1)]
    if any(abs(int(d[:-2])) > most for d in ordinal):
        names.append("number of a weekday that a month does not have")
        parts["BYDAY"] = [d for d in parts["BYDAY"] if abs(int(d[:-2])) <= most]
        if not parts["BYDAY"]:
            return names, []
    try:
        return names, list(itertools.islice(walk(parts, start, end), 500))
    except FAILURES:  # no period can have such a time
        return names + ["refused"], []


def case(rng):
    zone = rng.choice(ZONES + [None, "DATE"])
    tz = ZoneInfo(zone) if zone in ZONES else None
    parts = random_rule(rng)
    start = random_start(rng, tz)
    if zone == "DATE":
        start = start.replace(hour=0, minute=0, second=0)
        for name in ("BYHOUR", "BYMINUTE", "BYSECOND"):
            parts.pop(name, None)
        if parts["FREQ"] in ("HOURLY", "MINUTELY", "SECONDLY") or not any(n.startswith("BY") and n != "BYSETPOS" for n in parts):
            parts = {"FREQ": "DAILY", "INTERVAL": rng.randint(1, 9)}
    span = timedelta(days=SPAN[parts["FREQ"]])
    if rng.random() < 0.7:  # a start that the rule gives, if there is one
        start = next(iter(explained(parts, start, start + span)[1]), start)
    end = min(start + span, datetime(2150, 1, 1))
    names, all_readings = explained(parts, start, end)
    if len(all_readings) == 500:
        end = all_readings[-1] - timedelta(seconds=1)
        all_readings.pop()

    form = "%Y%m%d" if zone == "DATE" else "%Y%m%dT%H%M%S"
    utc = zone == "UTC"
    ended, count, until = dict(parts), None, None
    way = rng.random()
    if way < 0.3:
        ended["COUNT"] = count = rng.randint(1, 30)
    elif way < 0.6:
        until = rng.choice(all_readings or [start]) + timedelta(seconds=rng.choice([-1, 0, 0, 86400]))
        until = max(until, start)
        if zone == "DATE":
            until = until.replace(hour=0, minute=0, second=0)
        if tz:
            until = max(until.replace(tzinfo=tz).astimezone(timezone.utc), start.replace(tzinfo=tz).astimezone(timezone.utc))
            until = until.replace(tzinfo=None)
        ended["UNTIL"] = until.strftime(form) + ("Z" if tz else "")
    unix = lambda t: int(t.replace(tzinfo=tz or timezone.utc).timestamp())  # a reading that is skipped has the offset before (PEP 495)
    until_unix = int(until.replace(tzinfo=timezone.utc).timestamp()) if until else 1 << 60

    rdates = [start + timedelta(days=rng.randint(0, 500)) for _ in range(rng.choice([0, 0, 0, 1, 3]))]
    exdates = [rng.choice(all_readings or [start]) for _ in range(rng.choice([0, 0, 0, 1, 3]))]
    param = {"DATE": ";VALUE=DATE", None: "", "UTC": ""}.get(zone, f";TZID={zone}")
    items = list(ended.items())
    rng.shuffle(items)
    text = lambda t: t.strftime(form) + ("Z" if utc else "")
    lines = [f"DTSTART{param}:{text(start)}",
             "RRULE:" + ";".join(f"{k}={','.join(map(str, v)) if isinstance(v, list) else v}" for k, v in items)]
    lines += [f"{name}{param}:{','.join(map(text, dates))}" for name, dates in (("RDATE", rdates), ("EXDATE", exdates)) if dates]

    # What dateutil gives for the rule as it stands.
    limit = datetime.fromtimestamp(min(until_unix, unix(end)), timezone.utc)
    try:
        raw = [unix(t) for t in readings(parts, start, limit if tz else limit.replace(tzinfo=None), tz, count)]
    except FAILURES:
        raw = []
    # And what it gives without the differences.
    after = [t for t in all_readings if t > start]
    moments = [unix(t) for t in (after if count is None else after[:count - 1])]
    plain = sorted({m for m in moments if unix(start) < m <= until_unix} | {unix(start)})
    if start not in all_readings:
        names.append("start that the rule does not give")
    if len({unix(t) for t in all_readings + [start]}) < len(set(all_readings + [start])) or \
            [unix(t) for t in all_readings] != sorted(unix(t) for t in all_readings):
        names.append("skipped readings")

    skipped = "skipped readings" in names or tz and end.replace(tzinfo=tz).astimezone(timezone.utc).astimezone(tz).replace(tzinfo=None) != end
    before = unix(end) - (86400 if skipped else 0)
    start_from = rng.choice([unix(start), unix(start), rng.randint(unix(start) - 9, raw[-1] if raw else unix(start))])
    if raw and rng.random() < 0.3:
        start_from = rng.choice(raw)
    finish = lambda all: [m for m in sorted(set(all) | {unix(t) for t in rdates})
                          if m not in {unix(t) for t in exdates} and start_from <= m < before][:MOST]
    line = {"text": "\n".join(lines), "from": start_from, "before": before, "dates": finish(raw)}
    if finish(plain) != finish(raw):
        line.update(differences=names, plain=finish(plain))
    return line


def main():
    signal.signal(signal.SIGVTALRM, too_slow)
    rng, slow = random.Random(int(sys.argv[2])), 0
    for _ in range(int(sys.argv[1])):
        line = None
        while line is None:
            try:
                signal.setitimer(signal.ITIMER_VIRTUAL, 2)
                line = case(rng)
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            except TooSlow:
                slow += 1
        print(json.dumps(line, separators=(",", ":")))
    print(f"{slow} other rules took dateutil more than 2 s each and are not compared", file=sys.stderr)


main()

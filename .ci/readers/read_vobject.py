"""Reads calendars with python3-vobject: a line of JSON comes in for each file, and one goes out, in the form that
calendars.py describes."""

import json
import sys
from datetime import datetime, timedelta, timezone

import vobject
from dateutil import tz


def instant(t):
    """Returns what a date or moment is in UTC, by the zone that the file describes."""
    if not isinstance(t, datetime):
        return t.isoformat()
    if t.tzinfo is None:
        return "floating " + t.isoformat()
    return t.astimezone(timezone.utc).replace(tzinfo=None).isoformat() + "Z"


def wall(t):
    return t.replace(tzinfo=None) if isinstance(t, datetime) else datetime(t.year, t.month, t.day)


def end_of(event):
    start = event.dtstart.value
    if hasattr(event, "dtend"):
        return event.dtend.value
    if hasattr(event, "duration"):
        return start + event.duration.value
    return start if isinstance(start, datetime) else start + timedelta(1)


def value(event, name):
    lines = event.contents.get(name)
    return lines[0].value if lines else None


def moment(event, name):
    v = value(event, name)
    return v and instant(v)


def facts(event, own):
    start = event.dtstart
    allday = not isinstance(start.value, datetime)
    zone = None
    if not allday:
        zone = start.params.get("X-VOBJ-ORIGINAL-TZID", ["UTC" if start.value.tzinfo else "floating"])[0]
    geo = value(event, "geo")
    return {
        "uid": event.uid.value, "own": own, "allday": allday, "zone": zone, "start": instant(start.value), "end": instant(end_of(event)),
        "summary": value(event, "summary"), "description": value(event, "description"), "location": value(event, "location"),
        "geo": geo and [float(part) for part in geo.split(";")],
        "categories": [c for line in event.contents.get("categories", []) for c in line.value], "url": value(event, "url"),
        "status": value(event, "status"), "created": moment(event, "created"), "modified": moment(event, "last-modified"),
        "stamp": moment(event, "dtstamp"), "organizer": value(event, "organizer"), "image": value(event, "image"),
        "timezone": value(event, "x-almanac-timezone"),
    }


def occurrences(events, horizon):
    """Yields what a series expands to before its horizon."""
    master, *others = events
    changed = {wall(e.recurrence_id.value): e for e in others}
    limit = datetime.fromisoformat(horizon) if horizon else None
    plain = facts(master, False)
    start = master.dtstart.value
    length = wall(end_of(master)) - wall(start)
    for n, date in enumerate(master.getrruleset(addRDate=True)):
        if limit and wall(date) >= limit:
            break
        if n > 6000:
            raise ValueError(f"{master.uid.value}: more than 6000 occurrences")
        e = changed.pop(wall(date), None)
        if e is not None:
            yield facts(e, True)
        elif isinstance(start, datetime):
            yield {**plain, "start": instant(date), "end": instant(date + length)}
        else:
            yield {**plain, "start": instant(date.date()), "end": instant((date + length).date())}
    if changed:
        raise ValueError(f"{master.uid.value}: changed dates that the rule has not: {sorted(changed)}")


def read(job):
    # Zones are known to the whole process, by their names.
    vobject.icalendar.__dict__["__tzidMap"].clear()
    vobject.icalendar.registerTzid("UTC", tz.tzutc())
    with open(job["path"], encoding="utf-8", newline="") as f:
        calendar = vobject.readOne(f.read())
    calendar.validate(raiseException=True)
    events, series = [], {}
    for e in getattr(calendar, "vevent_list", []):
        if hasattr(e, "rrule") or hasattr(e, "rdate") or hasattr(e, "recurrence_id"):
            series.setdefault(e.uid.value, []).append(e)
        else:
            events.append(facts(e, True))
    for uid, parts in series.items():
        parts.sort(key=lambda e: hasattr(e, "recurrence_id"))
        events.extend(occurrences(parts, job["horizons"].get(uid)))
    zones = [z.tzid.value for z in getattr(calendar, "vtimezone_list", [])]
    return {"zones": zones, "name": value(calendar, "name"), "events": events}


for line in sys.stdin:
    try:
        answer = read(json.loads(line))
    except Exception as e:  # whatever the reader complains of
        answer = {"complaint": repr(e)}
    print(json.dumps(answer), flush=True)

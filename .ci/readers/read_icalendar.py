"""Reads calendars with python3-icalendar, and expands series with python3-recurring-ical-events: a line of
JSON comes in for each file, and one goes out, in the form that calendars.py describes."""

import json
import sys
from datetime import date, datetime, timedelta, timezone

import icalendar
import recurring_ical_events


def instant(t):
    """Returns what a date or moment is in UTC, by the zone that the reader takes it to be in."""
    if not isinstance(t, datetime):
        return t.isoformat()
    if t.tzinfo is None:
        return "floating " + t.isoformat()
    return t.astimezone(timezone.utc).replace(tzinfo=None).isoformat() + "Z"


def end_of(event):
    start = event["DTSTART"].dt
    if "DTEND" in event:
        return event["DTEND"].dt
    if "DURATION" in event:
        return start + event["DURATION"].dt
    return start if isinstance(start, datetime) else start + timedelta(1)


def text(event, name):
    value = event.get(name)
    return None if value is None else str(value)


def moment(event, name):
    return instant(event[name].dt) if name in event else None


def facts(event, own):
    start = event["DTSTART"]
    allday = not isinstance(start.dt, datetime)
    categories = event.get("CATEGORIES", [])
    geo = event.get("GEO")
    return {
        "uid": text(event, "UID"), "own": own, "allday": allday, "zone": None if allday else start.params.get("TZID", "UTC"),
        "start": instant(start.dt), "end": instant(end_of(event)), "summary": text(event, "SUMMARY"),
        "description": text(event, "DESCRIPTION"), "styled": text(event, "STYLED-DESCRIPTION"), "location": text(event, "LOCATION"),
        "geo": geo and [geo.latitude, geo.longitude],
        "categories": [str(c) for line in (categories if isinstance(categories, list) else [categories]) for c in line.cats],
        "url": text(event, "URL"), "status": text(event, "STATUS"), "created": moment(event, "CREATED"),
        "modified": moment(event, "LAST-MODIFIED"), "stamp": moment(event, "DTSTAMP"), "organizer": text(event, "ORGANIZER"),
        "image": text(event, "IMAGE"), "timezone": text(event, "X-ALMANAC-TIMEZONE"),
    }


def occurrences(events, horizon):
    """Yields what a series expands to before its horizon."""
    calendar = icalendar.Calendar()
    own = set()
    for e in events:
        calendar.add_component(e)
        if "RECURRENCE-ID" in e:
            own.add(instant(e["RECURRENCE-ID"].dt))
    limit = datetime.fromisoformat(horizon) if horizon else datetime(2200, 1, 1)
    for e in recurring_ical_events.of(calendar).between(datetime(1900, 1, 1), limit + timedelta(2)):
        start = e["DTSTART"].dt
        date_ = e["RECURRENCE-ID"].dt if "RECURRENCE-ID" in e else start
        wall = date_.replace(tzinfo=None) if isinstance(date_, datetime) else datetime(date_.year, date_.month, date_.day)
        if wall < limit:
            yield facts(e, "RECURRENCE-ID" in e and instant(date_) in own)


def read(job):
    with open(job["path"], "rb") as f:
        calendar = icalendar.Calendar.from_ical(f.read())
    errors = [f"{c.name}: {e}" for c in calendar.walk() for e in c.errors]
    if errors:
        return {"complaint": "; ".join(errors)}
    events, series = [], {}
    for e in calendar.walk("VEVENT"):
        uid = str(e["UID"])
        if uid in series or "RRULE" in e or "RDATE" in e or "RECURRENCE-ID" in e:
            series.setdefault(uid, []).append(e)
        else:
            events.append(facts(e, True))
    for uid, parts in series.items():
        events.extend(occurrences(parts, job["horizons"].get(uid)))
    zones = [str(z["TZID"]) for z in calendar.walk("VTIMEZONE")]
    return {"zones": zones, "name": text(calendar, "NAME"), "events": events}


for line in sys.stdin:
    try:
        answer = read(json.loads(line))
    except Exception as e:  # whatever the reader complains of
        answer = {"complaint": repr(e)}
    print(json.dumps(answer), flush=True)

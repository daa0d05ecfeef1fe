"""What readers get wrong by themselves: each is here with the reason, and is counted."""

from datetime import datetime, timezone
from zoneinfo import ZoneInfo


def offset(e):
    """Returns the offset of the clocks at an event."""
    return datetime.fromisoformat(e["start"].removesuffix("Z")).replace(tzinfo=timezone.utc).astimezone(ZoneInfo(e["timezone"])).utcoffset()


def last_in_other_offset(events, e):
    return e is events[-1] and not e["allday"] and offset(e) != offset(events[0])


def several_a_day(events, e):
    """Reports whether an event is on the same day as another of its series."""
    def day(e):
        at = datetime.fromisoformat(e["start"].removesuffix("Z")).replace(tzinfo=timezone.utc)
        return at.astimezone(ZoneInfo(e["timezone"])).date()
    return sum(day(other) == day(e) for other in events) > 1


# Of each: the reader, the fields, whether an event is concerned (of all of its UID, or what was found), and why.
MISTAKES = {
    "the last date": ("icalendar", ("missing",), last_in_other_offset,
                      "python3-recurring-ical-events compares UNTIL in the offset that clocks had on the first date"),
    "one event a day": ("icalendar", ("missing",), several_a_day,
                        "python3-recurring-ical-events takes a changed date for all events of its series on that day"),
}


def mistake(reader, field, want, got):
    """Returns the name of the mistake that explains a difference, or None."""
    for name, (who, fields, concerns, _) in MISTAKES.items():
        if reader == who and field in fields and concerns(want, got):
            return name
    return None

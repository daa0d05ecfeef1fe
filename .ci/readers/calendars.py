"""What calendars have to say of events, by the JSON of these, and how that is compared with what readers find.

A reader is a process that takes a line of JSON for each file: {"path", "horizons"}, the latter with the wall
clock by UID before which a series is expanded. It answers with one: {"zones": the names of all VTIMEZONE, "name", "events"}
or {"complaint"}. Of each event it says uid, own (whether it has a VEVENT of its own), allday, zone (of DTSTART), start and
end (moments in UTC, days with an exclusive end), summary, description, styled, location, geo, categories, url, status,
created, modified, stamp, organizer, image and timezone (X-ALMANAC-TIMEZONE).
"""

import html
import json
import re
import subprocess
import urllib.parse
from collections import Counter
from datetime import date, timedelta
from html.parser import HTMLParser

from mistakes import mistake

# Of the events of a rule, all but those that are changed share these.
OF_ONE_DATE = ("url", "created", "modified", "stamp")


class Reader:
    """A program that reads calendars."""

    def __init__(self, name, command):
        self.name, self.read, self.mistakes = name, Counter(), Counter()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, path, horizons):
        self.process.stdin.write(json.dumps({"path": path, "horizons": horizons}) + "\n")
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"complaint": "the reader ended"}

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)


class Text(HTMLParser):
    """Text without tags: with the address behind each link, a mark before each item, and texts in the place of images."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts, self.lists, self.link = [], [], None

    def handle_data(self, data):
        if self.cdata_elem is None:  # of a script or style
            self.parts.append(data)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag in ("ul", "ol"):
            self.lists.append(0 if tag == "ol" else None)
        elif tag == "li":
            if self.lists and self.lists[-1] is not None:
                self.lists[-1] += 1
                self.parts.append(f"{self.lists[-1]}.")
            else:
                self.parts.append("-")
        elif tag == "img":
            self.parts.append(attrs.get("alt") or "")
        elif tag == "hr":
            self.parts.append("---")
        elif tag == "a":
            self.link = (len(self.parts), (attrs.get("href") or "").removeprefix("mailto:"))

    def handle_endtag(self, tag):
        if tag in ("ul", "ol") and self.lists:
            self.lists.pop()
        elif tag == "a" and self.link:
            at, to = self.link
            self.link = None
            if re.search("[:@]", to) and to not in "".join(self.parts[at:]):
                self.parts.append(f"({to})")


def text_of(markup):
    parser = Text()
    parser.feed(markup)
    parser.close()
    return "".join(parser.parts)


def plain(name):
    """Returns a title or name as a text without tags."""
    return html.unescape(re.sub(r"<!--.*?-->|<(script|style)\b.*?</\1>|</?[A-Za-z][^>]*>", "", name, flags=re.IGNORECASE | re.DOTALL))


TYPED = {"<": "", "‘": "'", "’": "'", "′": "'", "“": '"', "”": '"', "″": '"', "…": "...", "×": "x"}


def typed(text):
    """Returns a text with the characters of a keyboard: calendars have what was typed, and JSON its typography. Titles in
    calendars lack a "<" that opens no tag."""
    return re.sub("[-–—]+", "-", "".join(TYPED.get(c, c) for c in html.unescape(text or "")))


def dense(text):
    """Returns a text without white space and control characters, which readers, and the formats, keep in different ways."""
    return re.sub(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+", "", typed(text))


def spaced(text):
    """Returns a text with single spaces and without control characters."""
    return " ".join(re.sub(r"[\x00-\x08\x0e-\x1f\x7f]", "", typed(text)).split())


def listed(value):
    """Returns the items of a member that is one object, a list, or false."""
    return value if isinstance(value, list) else [value] if value else []


def place(venue):
    region = next((venue[m] for m in ("stateprovince", "state", "province") if venue.get(m)), "")
    parts = [venue.get(m) for m in ("address", "city")] + [region] + [venue.get(m) for m in ("zip", "country")]
    return ", ".join(p for p in [spaced(plain(venue.get("venue", "")))] + parts if p)


def image_of(event):
    """Returns the address of the image of an event, if programs elsewhere can use it."""
    address = event["image"]["url"] if event.get("image") else ""
    return re.sub(r"""[ "<>\\^`{|}]""", lambda c: f"%{ord(c[0]):02X}", address) if re.match("https?://", address) else ""


def announced(event):
    """Returns the title of an event behind the word for its state, as feeds in English have it."""
    word = {"canceled": "Cancelled: ", "postponed": "Postponed: "}.get(event["event_status"], "New date: " if "previous_start_date" in event else "")
    return word + plain(event["title"])


def utc(wall):
    return wall.replace(" ", "T") + "Z"


STATUS = {"canceled": "CANCELLED", "postponed": "TENTATIVE"}


def expected(event, uid):
    """Returns what a reader should find of an event."""
    venue = next(iter(listed(event["venue"])), None)
    organizer = next(iter(listed(event["organizer"])), None)
    e = {
        "uid": uid, "allday": bool(event.get("all_day")), "zone": None, "timezone": event["timezone"],
        "summary": announced(event), "description": event.get("event_status_reason", "") + text_of(event["description"]),
        "styled": event["description"] if dense(text_of(event["description"])) else "",
        "location": place(venue) if venue else "", "geo": None, "categories": [plain(c["name"]) for c in event["categories"]],
        "url": event["url"], "status": STATUS.get(event["event_status"], "CONFIRMED"),
        "created": utc(event["date_utc"]), "modified": utc(event["modified_utc"]),
        "organizer": "mailto:" + organizer["email"] if organizer and organizer.get("email") else "",
        "image": image_of(event),
    }
    if venue and venue.get("geo_lat") is not None:
        e["geo"] = [venue["geo_lat"], venue["geo_lng"]]
    if e["allday"]:
        e["start"] = event["start_date"][:10]
        last = date.fromisoformat(event["end_date"][:10])
        e["end"] = (last + timedelta(1)).isoformat() if last < date.max else None
    else:
        e["start"], e["end"], e["zone"] = utc(event["utc_start_date"]), utc(event["utc_end_date"]), event["timezone"]
    e["stamp"] = e["modified"]
    return e


def slug(event):
    """Returns the slug of an event in the form of a path."""
    return urllib.parse.quote(urllib.parse.unquote(event["slug"]), safe="")


def check_form(body, header, fail):
    """Checks what readers let pass: the lines, and the header fields."""
    lines = body.split(b"\r\n")
    if lines.pop() != b"" or any(len(line) > 75 or b"\n" in line or b"\r" in line for line in lines):
        fail("a line is too long, or does not end in CRLF")
    body.decode("utf-8")
    for line in lines:
        line.decode("utf-8")  # folded between characters
    if header["Content-Type"] != "text/calendar; charset=utf-8" or not header["ETag"]:
        fail(f"Content-Type {header['Content-Type']}, ETag {header['ETag']}")


def differences(want, got):
    """Yields the fields in which an event is not what it should be."""
    for field, value in want.items():
        if field not in got or field in OF_ONE_DATE and not got["own"]:
            continue
        found = got[field]
        if field == "timezone":
            # A line of its own says the zone where TZID does not, but that of whole days.
            same = want["allday"] or (found or got["zone"]) == value
        elif field == "zone":
            same = found == value or bool(got.get("timezone"))
        elif field in ("description", "styled"):
            same = dense(found) == dense(value)
        elif field in ("summary", "location"):
            same = spaced(found) == spaced(value)
        elif field in ("organizer", "image", "url"):
            same = urllib.parse.unquote(found or "") == urllib.parse.unquote(value)
        elif field == "categories":
            same = [spaced(c) for c in found] == [spaced(c) for c in value]
        elif field == "end":
            same = found == value or value is None
        else:
            same = found == value
        if not same:
            yield field, value, found


def same_starts(reader, uid, events, others, fail):
    """Returns the events that start when others do. That others have none is a difference."""
    left, kept = Counter(e["start"] for e in others), []
    for e in events:
        if left[e["start"]] > 0:
            left[e["start"]] -= 1
            kept.append(e)
            continue
        what = "too many" if "own" in e else "missing"
        name = mistake(reader.name, what, events, e)
        if name:
            reader.mistakes[name] += 1
        else:
            fail(f"{reader.name}: {uid} ({e['summary'][:40]!r}): {what}: {e['start']}")
    return kept


def compare(reader, want, answer, fail):
    """Compares what should be in a calendar with what a reader found."""
    if "complaint" in answer:
        fail(f"{reader.name} complains: {answer['complaint']}")
        return
    zones = answer["zones"]
    used = {e["zone"] for e in answer["events"]} - {None, "UTC"}
    if len(set(zones)) != len(zones) or not used <= set(zones):
        fail(f"{reader.name}: VTIMEZONE {zones}, used are {sorted(used)}")
    by_uid = {}
    for side, events in enumerate((want, answer["events"])):
        for e in events:
            by_uid.setdefault(e["uid"], ([], []))[side].append(e)
    for uid, sides in by_uid.items():
        wanted, found = (sorted(events, key=lambda e: (e["start"], e["end"] or "", spaced(e["summary"]))) for events in sides)
        if len(wanted) != len(found):
            wanted = same_starts(reader, uid, wanted, found, fail)
            found = same_starts(reader, uid, found, wanted, fail)
        for w, f in zip(wanted, found):
            reader.read["events"] += 1
            reader.read["of series, by their rule"] += not f["own"]
            for field in w:
                reader.read["facts"] += field in f
            for field, value, seen in differences(w, f):
                name = mistake(reader.name, field, w, f)
                if name:
                    reader.mistakes[name] += 1
                else:
                    fail(f"{reader.name}: {uid} ({w['summary'][:40]!r}, {w['start']}): {field} is {seen!r:.300}, not {value!r:.300}")

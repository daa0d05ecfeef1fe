"""Tables, as Python's csv reads them, beside the JSON of the same events."""

import csv
import io
import re

from calendars import listed, plain, spaced
from pages import organizers

csv.field_size_limit(1 << 30)
COMPUTED = tuple("=+-@\t\r")  # what a cell begins with that spreadsheets compute
TRUTH = {None: "", True: "TRUE", False: "FALSE"}
# Columns that are as a member of the event is.
SAME = {"TIMEZONE": "timezone", "GLOBAL ID": "global_id", "EVENT STATUS": "status", "EVENT STATE": "event_status", "EVENT SLUG": "slug",
        "EVENT PUBLISHED UTC": "date_utc", "EVENT MODIFIED UTC": "modified_utc", "EVENT PAGE": "url"}
FLAGS = {"ALL DAY EVENT": "all_day", "HIDE FROM EVENT LISTINGS": "hide_from_listings", "STICKY IN MONTH VIEW": "sticky",
         "FEATURE EVENT": "featured", "EVENT SHOW MAP": "show_map", "EVENT SHOW MAP LINK": "show_map_link"}
OF_VENUE = {"EVENT VENUE CITY": "city", "EVENT VENUE ZIP": "zip", "EVENT VENUE COUNTRY": "country", "EVENT VENUE ADDRESS": "address"}


def cell(text):
    """Returns what a cell holds, without the apostrophe that keeps spreadsheets from computing it."""
    behind = text.lstrip("'")
    return text[1:] if behind != text and behind.startswith(COMPUTED) else text


TYPED = [("\u2018", "'"), ("\u2019", "'"), ("\u201c", '"'), ("\u201d", '"'), ("\u2033", '"'), ("\u2032", "'"), ("\u2026", "..."),
         ("\u2014", "---"), ("\u2013", "--"), ("\u00d7", "x"), ("---", "-"), ("--", "-")]


def text_of(text):
    """Returns a title or name without what typography makes of it, since a table has it as it was typed."""
    text = spaced(plain(text))
    for shown, typed in TYPED:
        text = text.replace(shown, typed)
    return text


def items_of(text):
    """Returns the items of a cell that is a list."""
    return [re.sub(r"\\(.)", r"\1", item).strip() for item in re.findall(r"(?:\\.|[^,\\])+", cell(text), re.DOTALL) if item.strip()]


def table(run, world, query, found):
    fail = run.failing(world, "/events.csv", query)
    body, header = world.get("/events.csv", query)
    rows = list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline=""), strict=True))
    if not body.startswith(b"\xef\xbb\xbf") or not body.endswith(b"\r\n") or header.get_content_type() != "text/csv":
        fail(f"no byte order mark, no line end, or the type {header['Content-Type']}")
    names, rows = rows[0], rows[1:]
    if len(rows) != len(found) or any(len(row) != len(names) for row in rows):
        fail(f"{len(rows)} rows, not {len(found)}, or of another length")
    for row in rows:
        for name, text in zip(names, row):
            if text.startswith(COMPUTED) and not re.fullmatch(r"-?\d+(\.\d+)?", text):
                fail(f"the cell {text!r:.80} of {name} is computed")
    run.counts["cells of CSV"] += len(rows) * len(names)
    for e, row in zip(found, rows):
        run.check("CSV", e, row_facts(e, dict(zip(names, row))), fail)


def row_facts(e, row):
    """Returns what a row says: what is wanted, and what was found."""
    venue, series = next(iter(listed(e["venue"])), {}), e.get("recurrence", {})
    image = e["image"]["url"] if e.get("image") else ""
    facts = {
        "EVENT START DATE": (e["start_date"], f"{row['EVENT START DATE']} {row['EVENT START TIME']}"),
        "EVENT END DATE": (e["end_date"], f"{row['EVENT END DATE']} {row['EVENT END TIME']}"),
        "EVENT FEATURED IMAGE": (image, row["EVENT FEATURED IMAGE"]),
        "EVENT SERIES RULE": (series.get("rule", ""), row["EVENT SERIES RULE"]),
        "EVENT SERIES DATE": (series.get("start", ""), row["EVENT SERIES DATE"]),
        "EVENT NAME": (text_of(e["title"]), text_of(cell(row["EVENT NAME"]))),
        "EVENT STATE REASON": (e.get("event_status_reason", ""), cell(row["EVENT STATE REASON"])),
        "EVENT EXCERPT": (e["excerpt"], cell(row["EVENT EXCERPT"])),
        "EVENT DESCRIPTION": (e["description"], cell(row["EVENT DESCRIPTION"])),
        "EVENT VENUE NAME": (text_of(venue.get("venue", "")), text_of(cell(row["EVENT VENUE NAME"]))),
        # A table has the address at the other site too, by which an import finds the event again.
        "GLOBAL ID LINEAGE": (e["global_id_lineage"][1:], [i for i in items_of(row["GLOBAL ID LINEAGE"]) if not i.startswith("http")]),
        "EVENT CATEGORY": ([spaced(plain(c["name"])) for c in e["categories"]], [spaced(c) for c in items_of(row["EVENT CATEGORY"])]),
        "EVENT TAGS": ([spaced(plain(c["name"])) for c in e["tags"]], [spaced(c) for c in items_of(row["EVENT TAGS"])]),
        "EVENT ORGANIZER NAME": ([text_of(o) for o in organizers(e)], [text_of(o) for o in items_of(row["EVENT ORGANIZER NAME"])]),
    }
    for column, member in SAME.items():
        facts[column] = (e[member], cell(row[column]))
    for column, member in FLAGS.items():
        facts[column] = (TRUTH[e.get(member)], row[column])
    for column, member in OF_VENUE.items():
        facts[column] = (venue.get(member, ""), cell(row[column]))
    facts["EVENT VENUE GLOBAL ID"] = (venue.get("global_id_lineage", [""])[-1], row["EVENT VENUE GLOBAL ID"])
    for column, member in ("EVENT VENUE LATITUDE", "geo_lat"), ("EVENT VENUE LONGITUDE", "geo_lng"):
        facts[column] = (venue.get(member), float(row[column]) if row[column] else None)
    return facts

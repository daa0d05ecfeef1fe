"""Feeds of pages, for feed readers: RSS, Atom and JSON Feed, beside the JSON of the same events."""

import io
import json
import re
import uuid
from datetime import datetime, timezone

import feedparser

from calendars import announced, image_of, listed, plain, spaced, utc

feedparser.SANITIZE_HTML = 0
feedparser.RESOLVE_RELATIVE_URIS = 0
PAGE = {"per_page": 50, "page": 1}


def page_of(world, query):
    """Returns the events of a first page, newest publication first."""
    return json.loads(world.get("/events", {**query, **PAGE, "orderby": "date", "order": "desc"})[0])["events"]


def one_of_each(terms):
    return list(dict.fromkeys(spaced(plain(t["name"])) for t in terms))


def organizers(event):
    return [spaced(plain(o["organizer"])) for o in listed(event["organizer"])]


def without_controls(text):
    """Returns a text without the characters that XML 1.0 has not."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "", text)


def parsed(run, world, path, query, media):
    """Returns the entries of a feed as python3-feedparser reads it, each with the event that it should be."""
    fail = run.failing(world, path, query)
    body, header = world.get(path, {**query, **PAGE})
    feed = feedparser.parse(io.BytesIO(body), response_headers={"content-type": header["Content-Type"]})
    if feed.bozo or header["Content-Type"] != media:
        fail(f"feedparser complains: {feed.get('bozo_exception')}; the type is {header['Content-Type']}")
    events = page_of(world, query)
    if len(events) != len(feed.entries):
        fail(f"{len(feed.entries)} entries, not {len(events)}")
    addresses = [link.href for link in feed.feed.get("links", []) if link.rel == "self"]
    if len(addresses) != 1 or not addresses[0].startswith(world.api + path):
        fail(f"its own address is {addresses}")
    return list(zip(events, feed.entries)), fail


def moment(parts):
    return parts and datetime(*parts[:6], tzinfo=timezone.utc).isoformat().replace("+00:00", "Z")


def entry_facts(event, entry, ident):
    """Returns what RSS and Atom say alike: what is wanted, and what was found."""
    content = entry.get("content", [{}])[0].get("value", "")
    image = image_of(event)
    return {
        "title": (spaced(announced(event)), spaced(entry.get("title"))), "link": (event["url"], entry.get("link")),
        "id": (ident, entry.get("id")), "published": (utc(event["date_utc"]), moment(entry.get("published_parsed"))),
        "terms": (one_of_each(event["categories"] + event["tags"]), [spaced(t.term) for t in entry.get("tags", [])]),
        "description": (True, spaced(content).endswith(spaced(without_controls(event["description"])))),
        "when": (True, event["start_date"][:10 if event.get("all_day") else 16] in content),
        "enclosure": ([image] if image else [], [e.href for e in entry.get("enclosures", [])]),
    }


def rss(run, world, query):
    pairs, fail = parsed(run, world, "/events.rss", query, "application/rss+xml; charset=utf-8")
    for e, entry in pairs:
        facts = entry_facts(e, entry, e["global_id_lineage"][-1])
        facts["author"] = (True, not organizers(e) or spaced(entry.get("author")) in organizers(e))  # one of several is kept
        run.check("RSS", e, facts, fail)


def atom(run, world, query):
    pairs, fail = parsed(run, world, "/events.atom", query, "application/atom+xml; charset=utf-8")
    for e, entry in pairs:
        facts = entry_facts(e, entry, uuid.uuid5(uuid.NAMESPACE_URL, e["global_id_lineage"][-1]).urn)
        authors = [spaced(a.get("name")) for a in entry.get("authors", [])]
        facts["authors"] = (organizers(e) or authors, authors)
        facts["updated"] = (utc(e["modified_utc"]), moment(entry.updated_parsed))
        run.check("Atom", e, facts, fail)


# The members of JSON Feed 1.1 with their types: of the feed, of items, authors and attachments.
FEED = dict.fromkeys(("version", "title", "home_page_url", "feed_url", "description", "user_comment", "next_url", "icon", "favicon",
                      "language"), str) | {"authors": list, "expired": bool, "hubs": list, "items": list}
ITEM = dict.fromkeys(("id", "url", "external_url", "title", "content_html", "content_text", "summary", "image", "banner_image",
                      "date_published", "date_modified", "language"), str) | dict.fromkeys(("authors", "tags", "attachments"), list)
AUTHOR = dict.fromkeys(("name", "url", "avatar"), str)
ATTACHMENT = dict.fromkeys(("url", "mime_type", "title"), str) | dict.fromkeys(("size_in_bytes", "duration_in_seconds"), int)
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
ADDRESS = re.compile(r"https?://[^\s<>\"]+")


def check_object(value, members, demanded, where, fail):
    """Checks an object by the table of its members. Those of extensions begin with an underscore."""
    if not set(demanded) <= set(value):
        fail(f"{where} has no {set(demanded) - set(value)}")
    for name, member in value.items():
        if name.startswith("_"):
            good = isinstance(member, dict)
        else:
            good = type(member) is members.get(name)
        if name.endswith("url") or name in ("image", "banner_image", "icon", "favicon", "avatar"):
            good = good and ADDRESS.fullmatch(member)
        if name.startswith("date_"):
            good = good and DATE.fullmatch(member)
        if not good:
            fail(f"{where}: {name} is {member!r:.80}")


def json_feed(run, world, query):
    path = "/events.feed.json"
    fail = run.failing(world, path, query)
    body, header = world.get(path, {**query, **PAGE})
    feed = json.loads(body.decode("utf-8"))
    if header["Content-Type"] != "application/feed+json" or feed.get("version") != "https://jsonfeed.org/version/1.1":
        fail(f"the type is {header['Content-Type']}, the version {feed.get('version')}")
    check_object(feed, FEED, ("version", "title", "items"), "the feed", fail)
    events = page_of(world, query)
    if len(events) != len(feed["items"]) or len({i["id"] for i in feed["items"]}) != len(events):
        fail(f"{len(feed['items'])} items, not {len(events)}, or one twice")
    for e, item in zip(events, feed["items"]):
        check_object(item, ITEM, ("id",), "an item", fail)
        for author in item.get("authors", []):
            check_object(author, AUTHOR, (), "an author", fail)
        for attachment in item.get("attachments", []):
            check_object(attachment, ATTACHMENT, ("url", "mime_type"), "an attachment", fail)
        if "content_html" not in item and "content_text" not in item or not all(type(t) is str for t in item.get("tags", [])):
            fail("an item has no content, or tags that are no texts")
        image, ours = image_of(e), item["_almanac"]
        dates = ("start_date", "end_date", "timezone")
        run.check("JSON Feed", e, {
            "id": (e["global_id_lineage"][-1], item["id"]), "url": (e["url"], item.get("url")),
            "title": (spaced(announced(e)), spaced(item.get("title"))),
            "published": (utc(e["date_utc"]), item.get("date_published")), "modified": (utc(e["modified_utc"]), item.get("date_modified")),
            "terms": (one_of_each(e["categories"] + e["tags"]), [spaced(t) for t in item.get("tags", [])]),
            "authors": (organizers(e), [spaced(a["name"]) for a in item.get("authors", [])]), "image": (image, item.get("image", "")),
            "attachments": ([image] if image else [], [a["url"] for a in item.get("attachments", [])]),
            "description": (True, item["content_html"].endswith(e["description"])),
            "dates": ([e[m] for m in dates], [ours[m] for m in dates]), "all_day": (e.get("all_day"), ours.get("all_day")),
        }, fail)

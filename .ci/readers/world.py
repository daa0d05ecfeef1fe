"""Servers to read from, and what the JSON of their lists says."""

import json
import os
import subprocess
import urllib.parse
import urllib.request

ALL = {"ends_after": "1000-01-01"}  # a query for events of all times


class World:
    """A server that is running with a calendar."""

    def __init__(self, name, binary, *flags):
        self.name = name
        self.process = subprocess.Popen(
            [binary, "serve", "-addr", "127.0.0.1:0", "-exit-with-parent", *flags],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        ready = self.process.stdout.readline()
        if not ready:
            raise SystemExit(f"{name}: the server did not start")
        ready = json.loads(ready)
        self.api, self.token = ready["api"].rstrip("/"), ready.get("token")

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)

    def address(self, path, query):
        return self.api + path + ("?" + urllib.parse.urlencode(query) if query else "")

    def get(self, path, query=None, **headers):
        """Returns the answer that a stranger gets, with its header fields."""
        request = urllib.request.Request(self.address(path, query), headers=headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read(), answer.headers

    def write(self, method, path, body):
        request = urllib.request.Request(self.api + path, json.dumps(body).encode(), method=method, headers={
            "Authorization": "Bearer " + self.token, "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def listed(self, path, member, query):
        """Returns the items of all pages of a list."""
        items, page, pages = [], 1, 1
        while page <= pages:
            body = json.loads(self.get(path, {**query, "per_page": 50, "page": page})[0])
            items += body[member]
            page, pages = page + 1, body["total_pages"]
            if len(items) == body["total"]:
                break
        assert len(items) == body["total"], f"{path}: {len(items)} items of {body['total']}"
        return items

    def events(self, query):
        return self.listed("/events", "events", query)

    def series(self):
        return {s["id"]: s for s in self.listed("/series", "series", {})}


def imported(name, binary, file, directory, *flags):
    """Imports a file and serves it."""
    data = os.path.join(directory, name)
    done = subprocess.run([binary + "-move", "import", "-partial", "-quiet", "-data", data, *flags, file],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{name}: {done.stdout}")
    return World(name, binary, "-data", data, *flags)


def write_more(world):
    """Makes series of the sorts that the town has not: with dates that were changed, moved, cancelled and added, of whole
    days, and in hours that clocks skip or show twice; and texts that would break lines and values."""
    def make(title, start, end, recurrence, **more):
        made = world.write("POST", "/events", {"title": title, "start_date": start, "end_date": end, "recurrence": recurrence, **more})
        return made["recurrence"]["made"]

    def change(event, **members):
        world.write("PATCH", f"/events/{event}", members)

    choir = make("Chamber choir", "2026-11-30 19:00:00", "2026-11-30 21:00:00", {"rule": "FREQ=WEEKLY;COUNT=30"},
                 description="<p>Bring a pencil, a chair; and \\ a voice.</p><p>Every <b>Monday</b>.</p>")
    change(choir[2], title="Chamber choir, in the hall")
    change(choir[4], start_date="2026-12-29 18:30:00", end_date="2026-12-29 20:00:00")
    change(choir[7], description="<p>Ends early; bring cake.</p>", all_day=False)
    change(choir[9], all_day=True, start_date="2027-02-01", end_date="2027-02-02")
    for n in (5, 11, 15):
        world.write("DELETE", f"/events/{choir[n]}", {})
    change(choir[13], event_status="canceled", event_status_reason="The hall is flooded; we are sorry.")
    for title, start, members in (("A lecture", "2026-12-07 18:00:00", {"event_status": "canceled"}),
                                  ("An outing", "2026-12-08 09:00:00", {"event_status": "postponed"}),
                                  ("A tour", "2026-12-09 09:00:00", {"rescheduled": "true", "start_date": "2026-12-10 10:00:00"})):
        made = world.write("POST", "/events", {"title": title, "start_date": start, "end_date": "2026-12-11 22:00:00"})
        change(made["id"], **members)
    make("With dates beside the rule", "2026-12-02 10:00:00", "2026-12-02 11:30:00", {
        "rule": "FREQ=WEEKLY;BYDAY=WE,FR;UNTIL=20270501T000000Z", "rdates": ["2026-12-05 10:00:00", "2027-03-13 15:15:00"],
        "exdates": ["2026-12-09", "2027-04-14 10:00:00"]})
    make("Dates alone", "2026-12-01 10:00:00", "2026-12-01 11:00:00", {
        "rule": None, "rdates": ["2027-06-03 10:00:00", "2027-01-03 09:00:00"]})
    days = make("Whole days", "2026-12-04", "2026-12-06", {"rule": "FREQ=MONTHLY;BYDAY=1FR"}, all_day=True)
    world.write("DELETE", f"/events/{days[3]}", {})
    change(days[5], title="Whole days, the long one", end_date="2027-05-12")
    make("An hour that is missing", "2027-03-12 02:30:00", "2027-03-12 03:30:00", {"rule": "FREQ=DAILY;COUNT=5"})
    make("An hour that comes twice", "2027-11-05 01:30:00", "2027-11-05 02:30:00", {"rule": "FREQ=DAILY;COUNT=5"})
    make("Through the night in which clocks change", "2027-03-06 22:00:00", "2027-03-07 04:00:00", {
        "rule": "FREQ=WEEKLY;BYDAY=SA;COUNT=4"})
    make("Elsewhere", "2026-12-24 23:45:00", "2026-12-25 00:15:00", {"rule": "FREQ=MONTHLY;BYMONTHDAY=-1,24"},
         timezone="Australia/Lord_Howe")
    make("Last weekday", "2026-12-31 17:00:00", "2026-12-31 18:00:00", {
        "rule": "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=20"})
    make("=1+1\r\nEND:VEVENT", "2027-01-02 10:00:00", "2027-01-02 10:00:00", {"rule": "FREQ=DAILY;INTERVAL=3;COUNT=4"},
         description="]]>&amp;amp; <a href=\"https://example.org/?a=1&amp;b=2\">there</a><br>BEGIN:VALARM"
                     + " long" * 60 + "\U0001f389" * 90,
         excerpt="@cmd|' /C calc'!A0", website="https://example.org/a;b,c?d=\"e\"")

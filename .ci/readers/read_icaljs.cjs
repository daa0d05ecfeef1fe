// Reads calendars with ical.js: a line of JSON comes in for each file, and one goes out, in
// the form that calendars.py describes.
const fs = require("fs");
const readline = require("readline");
const module_ = require("ical.js");
const ICAL = module_.default || module_;

const pad = (n, digits) => String(n).padStart(digits, "0");
const day = (t) => `${pad(t.year, 4)}-${pad(t.month, 2)}-${pad(t.day, 2)}`;
const wall = (t) => `${day(t)}T${pad(t.hour, 2)}:${pad(t.minute, 2)}:${pad(t.second, 2)}`;

// What a date or moment is in UTC, by the zone that the file describes.
function instant(t) {
  if (t.isDate) return day(t);
  return wall(t.convertToZone(ICAL.Timezone.utcTimezone)) + "Z";
}

function facts(event, own) {
  const c = event.component;
  const value = (name) => {
    const v = c.getFirstPropertyValue(name);
    return v === null ? null : v;
  };
  const moment = (name) => (value(name) ? instant(value(name)) : null);
  return {
    uid: event.uid, own, allday: event.startDate.isDate, zone: event.startDate.isDate ? null : event.startDate.zone.tzid,
    start: instant(event.startDate), end: instant(event.endDate),
    summary: value("summary"), description: value("description"), styled: value("styled-description"), location: value("location"),
    geo: value("geo"), categories: c.getAllProperties("categories").flatMap((p) => p.getValues()), url: value("url"),
    status: value("status"), created: moment("created"), modified: moment("last-modified"), stamp: moment("dtstamp"),
    organizer: value("organizer"), image: value("image"), timezone: value("x-almanac-timezone"),
  };
}

// What a series expands to before its horizon.
function* occurrences(event, horizon) {
  const it = event.iterator();
  const plain = facts(event, false);
  for (let n = 0, t; (t = it.next()); n++) {
    if (horizon && wall(t) >= horizon) return;
    if (n > 6000) throw new Error(`${event.uid}: more than 6000 occurrences`);
    const d = event.getOccurrenceDetails(t);
    if (d.item !== event) yield facts(d.item, true);
    else yield { ...plain, start: instant(d.startDate), end: instant(d.endDate) };
  }
}

function read(job) {
  const calendar = new ICAL.Component(ICAL.parse(fs.readFileSync(job.path, "utf8")));
  ICAL.TimezoneService.reset();
  const zones = [];
  for (const z of calendar.getAllSubcomponents("vtimezone")) {
    const zone = new ICAL.Timezone(z);
    zones.push(zone.tzid);
    ICAL.TimezoneService.register(zone);
  }
  const components = calendar.getAllSubcomponents("vevent");
  const exceptions = {};
  for (const c of components) {
    if (c.hasProperty("recurrence-id")) (exceptions[c.getFirstPropertyValue("uid")] ??= []).push(c);
  }
  const events = [];
  for (const c of components) {
    if (c.hasProperty("recurrence-id")) continue;
    const event = new ICAL.Event(c, { exceptions: exceptions[c.getFirstPropertyValue("uid")] || [], strictExceptions: true });
    if (event.isRecurring()) events.push(...occurrences(event, job.horizons[event.uid]));
    else events.push(facts(event, true));
  }
  return { zones, name: calendar.getFirstPropertyValue("name"), events };
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  let answer;
  try {
    answer = read(JSON.parse(line));
  } catch (e) {
    answer = { complaint: String(e.stack || e) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});

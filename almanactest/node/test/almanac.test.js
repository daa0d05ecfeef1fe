import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { get } from "node:https";
import { test } from "node:test";
import { AlmanacError, fixtures, start } from "../index.js";

const concert = { title: "Concert", start_date: "@tomorrow 20:00", end_date: "@start+2h" };
const titles = async (world) => (await world.ask("GET", "events")).events.map((event) => event.title);
const almanac = await start({ seed: { events: [concert] }, clock: "2031-05-10 12:00:00", freeze: true, timezone: "Europe/Paris" });

test("a world begins as the server did, and nobody notices what is done in it", async (t) => {
  const [one, other] = [almanac.world(t), almanac.world(t)];
  const { events } = await one.ask("GET", "events");
  assert.equal(events[0].start_date, "2031-05-11 20:00:00");
  await one.ask("POST", "events", { title: "Fair", start_date: "2031-05-12", end_date: "2031-05-12" });
  assert.deepEqual([await titles(one), await titles(other), await titles(almanac)], [["Concert", "Fair"], ["Concert"], ["Concert"]]);
});

test("a world ends with its test", async (t) => {
  let name;
  await t.test("Märkte/音楽", async (t) => {
    const world = almanac.world(t);
    name = world.name;
    await world.clock.read();
    assert.ok((await almanac.worlds()).some((world) => world.name === name.toLowerCase()));
  });
  assert.ok(!(await almanac.worlds()).some((world) => world.name === name.toLowerCase()));
  await almanac.world(t).end(); // of which nobody has asked anything
});

test("the clock is set, moved, stopped and let go", async (t) => {
  const { clock } = almanac.world(t);
  assert.deepEqual(await clock.read(), {
    now: "2031-05-10T10:00:00Z",
    local: "2031-05-10 12:00:00",
    timezone: "Europe/Paris",
    frozen: true,
    real: false,
  });
  assert.equal((await clock.advance("48h")).local, "2031-05-12 12:00:00");
  assert.equal((await clock.set(new Date("2031-03-30T00:59:59Z"))).local, "2031-03-30 01:59:59");
  assert.equal((await clock.set("2031-03-30 03:00:00")).now, "2031-03-30T01:00:00Z");
  assert.equal((await clock.resume()).frozen, false);
  assert.equal((await clock.freeze()).frozen, true);
  assert.equal((await clock.real()).real, true);
  assert.equal((await almanac.clock.read()).now, "2031-05-10T10:00:00Z");
});

test("over TLS all is as without it, for who trusts the authority", async (t) => {
  const server = await start({ tls: true, seed: { events: [concert] } }, t);
  const world = server.world(t);
  const asked = (host, options) =>
    new Promise((resolve, reject) => get(`${world.api.replace("127.0.0.1", host)}events`, { ...options, headers: world.headers }, resolve).on("error", reject));
  for (const host of ["127.0.0.1", "localhost"]) assert.equal((await asked(host, { ca: world.ca })).resume().statusCode, 200);
  await assert.rejects(asked("localhost", {}), { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
  assert.deepEqual(await titles(world), ["Concert"]);
  const form = await world.fetch("events/1", { method: "DELETE", body: new URLSearchParams({ force: "true" }) });
  assert.deepEqual([form.status, form.headers.get("Content-Type"), (await form.json()).title], [200, "application/json; charset=UTF-8", "Concert"]);
  const { headers } = await world.fetch("events");
  assert.equal((await world.fetch("events", { headers: { "If-None-Match": headers.get("ETag") } })).status, 304);
  await world.fault({ reset: true });
  await assert.rejects(world.fetch("events"), (error) => !(error instanceof AlmanacError)); // the server is well
  assert.deepEqual((await world.requests()).map(({ method, status }) => [method, status]).at(-1), ["GET", 0]);
  process.kill(server.pid, "SIGKILL");
  await assert.rejects(world.ask("GET", "events"), /was ended by SIGKILL while the tests ran/);
  assert.equal(almanac.ca, undefined);
});

test("what was done is undone", async (t) => {
  const world = almanac.world(t);
  await world.snapshot("before");
  await world.ask("DELETE", "events/1");
  await world.restore("before");
  assert.deepEqual([await titles(world), await world.snapshots()], [["Concert"], ["before", "seeded"]]);
  await world.forget("before");
  await world.ask("DELETE", "events/1");
  await world.fault({ status: 503, count: 1 });
  await world.reset();
  assert.deepEqual([await titles(world), await world.snapshots(), await world.faults()], [["Concert"], ["seeded"], []]);
});

test("a world that was seeded is seeded again", async (t) => {
  const world = almanac.world(t);
  await world.seed({ venues: [{ $name: "hall", venue: "Town Hall" }], events: [{ ...concert, title: "Fair", venue: "$hall" }] });
  await world.seed({ events: [{ ...concert, title: "Ball", post_parent: 1 }] });
  await world.ask("DELETE", "events/1");
  await world.reset();
  assert.deepEqual([await titles(world), await titles(almanac)], [["Concert", "Fair", "Ball"], ["Concert"]]);
});

test("requests go wrong", async (t) => {
  const world = almanac.world(t);
  const busy = await world.fault({ path: "/cal/events/v1/events", status: 429, retry_after: "30s", count: 2 });
  const response = await world.fetch("events");
  assert.deepEqual([response.status, response.headers.get("Retry-After")], [429, "30"]);
  assert.equal((await world.faults())[0].fired, 1);
  await busy.remove();
  assert.equal((await world.fetch("events")).status, 200);
  await world.fault({ reset: true });
  await assert.rejects(world.fetch("events"), (error) => !(error instanceof AlmanacError)); // the server is well
  await world.clearFaults();
  assert.deepEqual(await titles(world), ["Concert"]);
});

test("what was asked is seen", async (t) => {
  const world = almanac.world(t);
  await fetch(`${world.api}events?per_page=1`, { headers: world.headers }); // the program that is tested
  await world.fetch(new Request(`${world.url}/cal/events/v1/tags`, { method: "POST", body: new URLSearchParams({ name: "free" }), headers: { "X-From": "here" } }));
  const seen = (await world.requests()).map(({ method, path, query, status, headers }) => [method, path, query, status, headers["X-From"]]);
  assert.deepEqual(seen, [
    ["GET", "/cal/events/v1/events", "per_page=1", 200, undefined],
    ["POST", "/cal/events/v1/tags", "", 201, ["here"]],
  ]);
  await world.clearRequests();
  assert.deepEqual(await world.requests(), []);
});

test("fetch tells other servers nothing", async (t) => {
  const world = almanac.world(t);
  const other = await start({}, t);
  await world.fetch(`${other.api}events`);
  const [{ headers }] = await other.requests();
  assert.deepEqual([headers.Authorization, headers["Almanac-World"]], [undefined, undefined]);
});

test("what is wrong is said, and what would be right", async (t) => {
  const empty = await start({}, t);
  const refused = (call, status, pattern) =>
    assert.rejects(call, (error) => {
      assert.ok(error instanceof AlmanacError);
      assert.deepEqual([error.status, typeof error.code], [status, "string"]);
      assert.match(error.message, pattern);
      return true;
    });
  const world = empty.world(t);
  await refused(world.seed({ events: [{ ...concert, start_date: "@tomorow" }] }), 400, /POST \/_almanac\/seed: 400 .*events\[0\]\.start_date: .*@today/);
  await refused(world.seed({ events: [{ ...concert, titel: "Concert" }] }), 400, /events\[0\]\.titel: means nothing in an event/);
  await refused(world.fault({ status: 200 }), 400, /status must be that of an error, 400 to 599/);
  await refused(world.fault({ path: "/nowhere", status: 500 }), 400, /is that of no route/);
  await refused(world.clock.set("noon"), 400, /now must be a time such as 2030-03-31T00:59:59Z/);
  await refused(world.restore("before"), 404, /no snapshot "before"/);
  await refused(world.ask("GET", "events/7"), 404, /GET events\/7: 404/);
  await world.seed({ venues: [{ $name: "hall", venue: "Town Hall" }], events: [{ ...concert, venue: "$hall" }] });
  await refused(world.seed({ events: [{ ...concert, id: 2 }] }), 400, /has the id 2, which another of the events has/);
  const { events } = await world.ask("GET", "events");
  assert.equal(events[0].venue.venue, "Town Hall");
});

test("200 tests beside each other are each alone", async (t) => {
  const server = await start({ clock: "2031-05-10 12:00:00", freeze: true }, t);
  await t.test("all", { concurrency: 200 }, async (t) => {
    const all = Array.from({ length: 200 }, (_, i) =>
      t.test(`one of them`, async (t) => {
        const world = server.world(t);
        await world.seed({ events: [{ ...concert, title: `Concert ${i}` }] });
        await world.clock.advance(`${i}m`);
        await world.fault({ method: "DELETE", status: 500 + (i % 100) });
        assert.deepEqual(await titles(world), [`Concert ${i}`]);
        assert.equal((await world.fetch("events/1", { method: "DELETE" })).status, 500 + (i % 100));
        assert.equal((await world.clock.read()).now, new Date(Date.UTC(2031, 4, 10, 12, i)).toISOString().replace(".000", ""));
        assert.equal((await world.requests()).length, 2);
      }),
    );
    await Promise.all(all);
  });
  assert.deepEqual(await server.worlds(), []);
});

test("vitest is given the same", async () => {
  const { almanac, world } = fixtures({ seed: "@small" }); // as test.extend takes them
  await almanac({}, async (server) => {
    await almanac({}, async (again) => assert.equal(again, server));
    await world({ almanac: server, task: { name: "a test" } }, async (world) => {
      assert.equal(world.name, "a-test-1");
      assert.notEqual((await world.ask("GET", "events")).total, 0);
    });
    assert.deepEqual(await server.worlds(), []);
    const ends = [];
    server.world({ task: { name: "another" }, onTestFinished: (end) => ends.push(end) });
    assert.equal(ends.length, 1);
    await server.stop();
  });
});

test("index.d.ts has what there is, and nothing else", async (t) => {
  const text = await readFile(new URL("../index.d.ts", import.meta.url), "utf8");
  const declared = (name) => {
    const [, body] = text.match(new RegExp(`(?:class|interface) ${name}\\b[^\n]*\\{\n(.*?)\n\\}`, "s"));
    return [...body.matchAll(/^  (?:readonly )?(\w+)[(:]/gm)].map((match) => match[1]).sort();
  };
  const members = (one, inherited = []) =>
    [...Object.keys(one), ...Object.getOwnPropertyNames(Object.getPrototypeOf(one))]
      .filter((name) => name !== "constructor" && !inherited.includes(name))
      .sort();
  const world = almanac.world(t);
  assert.deepEqual(declared("World"), members(world));
  assert.deepEqual(declared("Almanac"), members(almanac, members(world)));
  assert.deepEqual(declared("Clock"), members(world.clock));
});

test("with unexpected a world fails at its end for requests that no route took", async (t) => {
  const server = await start({ unexpected: "fail" });
  const [good, bad, reset] = ["good", "bad", "reset"].map((name) => server.world({ name }));
  for (const world of [good, bad, reset]) await world.fetch("events/99"); // there is no such record, and a route for it
  await good.fault({ path: "/**", status: 503 });
  await good.fetch("concerts");
  await good.end();
  const answer = await bad.fetch("event/3");
  assert.match((await answer.json()).message, /The nearest is GET,.* \/cal\/events\/v1\/events\/\{id\}\./);
  await assert.rejects(bad.end(), { name: "AlmanacError", status: 409, code: "almanac_unexpected_requests", message: /GET \/cal\/events\/v1\/event\/3\./ });
  await reset.fetch("concerts");
  await reset.reset();
  await reset.end();
  await server.fetch("/calendar");
  await assert.rejects(server.stop(), { name: "AlmanacError", code: "almanac_unexpected_requests", message: /World "" was asked for .*GET \/calendar\./ });
  const other = await start({}, t);
  await other.world(t).fetch("concerts");
});

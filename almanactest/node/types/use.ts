// Holds index.d.ts to how it is used: tsc --noEmit --strict --target es2022 --lib es2022,dom types/use.ts

import { AlmanacError, fixtures, start, type Almanac, type ClockState, type SeenRequest, type World } from "../index.js";

declare function test(name: string, run: (t: { name: string; after(end: () => Promise<void>): void }) => Promise<void>): void;

test("of node:test", async (t) => {
  const almanac: Almanac = await start({ seed: { events: [{ title: "Concert", start_date: "@today", end_date: "@start+2h" }] } }, t);
  const world: World = almanac.world(t);
  const state: ClockState = await world.clock.set(new Date(0));
  const fault = await world.fault({ status: 503, count: 1 + state.now.length });
  await fault.remove();
  const seen: SeenRequest[] = await world.requests();
  const status: number = seen[0].status + (await world.fetch("events")).status;
  throw new AlmanacError(`${status}`);
});

// The test context and test.extend of vitest.
interface VitestContext {
  task: { name: string };
  onTestFinished(end: (context: unknown) => unknown, timeout?: number): void;
}
type Fixture<T, Context> = (context: Context, use: (value: T) => Promise<void>) => Promise<void>;
declare function extend<A, W>(fixtures: { almanac: Fixture<A, {}>; world: Fixture<W, { almanac: A } & VitestContext> }): (
  name: string,
  run: (context: { almanac: A; world: W } & VitestContext) => Promise<void>,
) => void;

extend(fixtures({ timezone: "Europe/Paris" }))("of vitest", async ({ almanac, world, ...context }) => {
  await almanac.world(context).reset();
  await world.end();
});

start({ unexpected: "fail" });
start({ tls: true }).then((almanac) => almanac.world().ca?.startsWith("-----BEGIN"));

// @ts-expect-error: there is no such option.
start({ sed: "@small" });
// @ts-expect-error: an event needs dates.
start({ seed: { events: [{ title: "Concert" }] } });
// @ts-expect-error: there is no such member.
(world: World) => world.fault({ stats: 503 });
// @ts-expect-error: worlds come from servers.
(almanac: any) => new World(almanac, "");

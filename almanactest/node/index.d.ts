/**
 * Runs almanac, a real calendar server, in tests: in memory, on a free port, in milliseconds.
 *
 *     const almanac = await start();
 *
 *     test("a concert is listed", async (t) => {
 *       const world = almanac.world(t);
 *       await world.seed({ events: [{ title: "Concert", start_date: "@tomorrow 20:00", end_date: "@start+2h" }] });
 *       // Here your program reads world.api, and sends world.headers.
 *     });
 *
 * docs/testing.md of almanac describes worlds, seeds and faults.
 */

/** What goes wrong with a server, and what it refuses. */
export class AlmanacError extends Error {
  name: "AlmanacError";
  /** Of an answer: its status, the code in it, and what is wrong with each parameter. */
  status?: number;
  code?: string;
  params?: Record<string, string>;
}

/** How a server is started. */
export interface Options {
  /** The program; else the environment variable ALMANAC_BINARY names it, else it is almanac in PATH. */
  binary?: string;
  /** What the server and its worlds begin with: records, a file of them, or "@small", "@city" or "@torture". */
  seed?: Seed | string;
  /** The time at the start, by the clock of the site, as "2031-05-10 12:00:00"; else it is the real time. */
  clock?: string;
  /** With clock: it stands still. */
  freeze?: boolean;
  /** The time zone of the site, as "Europe/Paris"; else it is UTC. */
  timezone?: string;
  /** The token of the administrator; else one is made. */
  token?: string;
  /** The address to listen on; else it is a free port of this machine. */
  addr?: string;
  /** With "fail" the end of a world, and that of the server, throws if there were requests that no route took and no fault decided. */
  unexpected?: "ignore" | "fail";
  /** It serves over TLS, for localhost, 127.0.0.1 and ::1. */
  tls?: boolean;
  /** More arguments of `almanac serve`, as ["-per-page", "5"]. */
  args?: string[];
  /** Milliseconds that the start may take; else 30,000. */
  timeout?: number;
}

/** What a test of node:test or of vitest is given. */
export interface TestContext {
  name?: string;
  after?(end: () => Promise<void>): unknown;
  task?: { name: string };
  onTestFinished?(end: () => Promise<void>): unknown;
}

/** Records as docs/seeds.md of almanac describes them. Dates may be relative, and "$name" names a record. */
export interface Seed {
  events?: SeedEvent[];
  venues?: SeedRecord[];
  organizers?: SeedRecord[];
  categories?: SeedRecord[];
  tags?: SeedRecord[];
  images?: SeedRecord[];
}

export interface SeedRecord {
  $name?: string;
  [member: string]: unknown;
}

export interface SeedEvent extends SeedRecord {
  title: string;
  /** As "2031-05-10 20:00:00" or "@tomorrow 20:00". */
  start_date: string;
  /** As start_date, or "@start+2h". */
  end_date: string;
}

/** A world: records, a clock, faults and the requests seen, which no other world notices. */
export class World {
  protected constructor();
  /** As the header Almanac-World takes it; "" is the server's own. */
  readonly name: string;
  /** Of the server, as "http://127.0.0.1:54321". */
  readonly url: string;
  /** Of the API, with a slash at the end. */
  readonly api: string;
  /** Of the administrator. */
  readonly token: string;
  /** With tls, the certificate of the authority to trust, in PEM: for the option ca of node:https, or a file for NODE_EXTRA_CA_CERTS. */
  readonly ca: string | undefined;
  /** What a request has to say to be in this world: for the program that is tested. */
  readonly headers: Record<string, string>;
  readonly clock: Clock;

  /** Does what the global fetch does, in this world and as the administrator. Addresses are relative to api. With tls it follows no redirect. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Asks, with a body in JSON, and returns what was answered; throws AlmanacError if that is an error. */
  ask(method: string, path: string, body?: unknown): Promise<any>;

  /** Adds records to what the world holds. reset returns to that. A "$name" is known in its own seed; an id is known in all. */
  seed(records: Seed): Promise<void>;
  /** Returns to how the world began: its records, ids and clock; without faults and requests. */
  reset(): Promise<void>;
  /** Keeps records, ids and clock as they are, under a name. */
  snapshot(name: string): Promise<void>;
  snapshots(): Promise<string[]>;
  /** Returns to a snapshot. */
  restore(name: string): Promise<void>;
  /** Drops a snapshot. */
  forget(name: string): Promise<void>;

  /** Lets requests go wrong from now on. */
  fault(rule: Fault): Promise<ActiveFault & { remove(): Promise<void> }>;
  faults(): Promise<ActiveFault[]>;
  clearFaults(): Promise<void>;

  /** The last 1,000 requests with their answers, the oldest first. */
  requests(): Promise<SeenRequest[]>;
  clearRequests(): Promise<void>;

  /** Ends the world, with what it holds. */
  end(): Promise<void>;
}

/** A running server, which is a world too: that of requests which name none. */
export class Almanac extends World {
  readonly pid: number;
  /** The end of what the server printed on standard error. */
  readonly log: string;
  /** A world that begins as the server did. It ends with the test, if it is given one. */
  world(t?: TestContext): World;
  worlds(): Promise<{ name: string; requests: number }[]>;
  /** Ends the server. It ends with this process in any case. */
  stop(): Promise<void>;
}

/** The clock of a world. Each method returns what it shows then. */
export interface Clock {
  read(): Promise<ClockState>;
  /** A moment as "2031-05-10T12:00:00Z", or by the clock of the site as "2031-05-10 14:00:00". */
  set(now: Date | string): Promise<ClockState>;
  /** As "48h" or "-1m30s". */
  advance(duration: string): Promise<ClockState>;
  freeze(): Promise<ClockState>;
  resume(): Promise<ClockState>;
  /** Returns to the real time. */
  real(): Promise<ClockState>;
}

export interface ClockState {
  now: string;
  local: string;
  timezone: string;
  frozen: boolean;
  real: boolean;
}

/** Which requests go wrong, and how. Durations are texts, as "250ms". */
export interface Fault {
  method?: string;
  /** As "/cal/events/v1/events/{id}" or "/cal/events/v1/**". */
  path?: string;
  skip?: number;
  count?: number;
  probability?: number;
  seed?: number;
  /** The request takes effect, and only its answer goes wrong. */
  applied?: boolean;
  delay?: string;
  status?: number;
  code?: string;
  message?: string;
  retry_after?: string;
  reset?: boolean;
  cut?: number;
  malformed?: boolean;
  dribble?: string;
}

export interface ActiveFault extends Fault {
  id: number;
  /** How many requests went wrong by it. */
  fired: number;
}

/** A request that a world has seen, with its answer. Bodies that are no text are in base64. */
export interface SeenRequest {
  number: number;
  time: string;
  world: string;
  method: string;
  path: string;
  query: string;
  operation: string;
  headers: Record<string, string[]>;
  body?: string;
  body_base64?: string;
  status: number;
  answer_headers: Record<string, string[]>;
  answer?: string;
  answer_base64?: string;
  /** The id of the fault by which it went wrong, or 0. */
  fault: number;
  /** A body was longer than what is kept of one. */
  cut: boolean;
}

/** Starts a server. It ends with the test, if it is given one, and with this process. */
export function start(options?: Options, t?: TestContext): Promise<Almanac>;

/** Fixtures for `test.extend` of vitest: `almanac`, a server for all tests of a file, and `world`, one for each test. */
export function fixtures(options?: Options): {
  almanac: (context: {}, use: (almanac: Almanac) => Promise<void>) => Promise<void>;
  world: (context: { almanac: Almanac; task: { name: string } }, use: (world: World) => Promise<void>) => Promise<void>;
};

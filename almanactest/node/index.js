// Runs almanac, a real calendar server, in tests. index.d.ts describes all that is here.

import { AlmanacError, Process, unexpected } from "./process.js";

export { AlmanacError };

/** @param {import("./index.js").Options} options @param {import("./index.js").TestContext} [t] */
export async function start(options = {}, t) {
  const server = new Almanac(await Process.start(options));
  atEnd(t, () => server.stop());
  return server;
}

/** @param {import("./index.js").Options} [options] */
export function fixtures(options) {
  let server; // of all tests of the file
  return {
    almanac: async ({}, use) => use(await (server ??= start(options))),
    world: async ({ almanac, task }, use) => {
      const world = almanac.world({ name: task.name });
      await use(world);
      await world.end();
    },
  };
}

export class World {
  #process;

  constructor(process, name) {
    this.#process = process;
    this.name = name;
    this.url = process.url;
    this.api = process.api;
    this.token = process.token;
    this.ca = process.ca;
    this.headers = name ? { "Almanac-World": name } : {};
    this.clock = new Clock(this);
  }

  fetch = async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input, this.api), init);
    if (new URL(request.url).origin === this.url) {
      const more = { Authorization: `Bearer ${this.token}`, ...this.headers };
      for (const [name, value] of Object.entries(more)) request.headers.has(name) || request.headers.set(name, value);
    }
    try {
      return await this.#process.fetch(request);
    } catch (cause) {
      throw await this.#process.explain(cause);
    }
  };

  async ask(method, path, body) {
    const json = { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    const response = await this.fetch(path, { method, ...(body === undefined ? {} : json) });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    throw refused(method, path, response.status, text);
  }

  async seed(records) {
    await this.ask("POST", "/_almanac/seed", records);
  }

  async reset() {
    await this.ask("POST", "/_almanac/reset");
  }

  async snapshot(name) {
    await this.ask("POST", "/_almanac/snapshots", { name });
  }

  async snapshots() {
    return (await this.ask("GET", "/_almanac/snapshots")).snapshots.map((snapshot) => snapshot.name);
  }

  async restore(name) {
    await this.ask("POST", "/_almanac/restore", { name });
  }

  async forget(name) {
    await this.ask("DELETE", `/_almanac/snapshots/${encodeURIComponent(name)}`);
  }

  async fault(rule) {
    const fault = await this.ask("POST", "/_almanac/faults", rule);
    return { ...fault, remove: async () => void (await this.ask("DELETE", `/_almanac/faults/${fault.id}`)) };
  }

  async faults() {
    return (await this.ask("GET", "/_almanac/faults")).faults;
  }

  async clearFaults() {
    await this.ask("DELETE", "/_almanac/faults");
  }

  async requests() {
    return (await this.ask("GET", "/_almanac/requests")).requests;
  }

  async clearRequests() {
    await this.ask("DELETE", "/_almanac/requests");
  }

  async end() {
    await this.ask("DELETE", `/_almanac/worlds/${encodeURIComponent(this.name)}`).catch((error) => {
      if (error.code === unexpected) throw error; // else the server has ended, or nobody has asked the world anything
    });
  }
}

export class Almanac extends World {
  #process;
  #made = 0;

  constructor(process) {
    super(process, "");
    this.#process = process;
    this.pid = process.pid;
  }

  get log() {
    return this.#process.log;
  }

  world(t) {
    const words = t?.name ?? t?.task?.name ?? "world";
    const world = new World(this.#process, `${words.slice(0, 150).replace(/[^!-.0-~]/g, "-")}-${++this.#made}`);
    atEnd(t, () => world.end());
    return world;
  }

  async worlds() {
    return (await this.ask("GET", "/_almanac/worlds")).worlds;
  }

  end() {
    return this.stop();
  }

  stop() {
    return this.#process.stop();
  }
}

class Clock {
  #world;

  constructor(world) {
    this.#world = world;
  }

  read() {
    return this.#world.ask("GET", "/_almanac/clock");
  }

  #update(members) {
    return this.#world.ask("POST", "/_almanac/clock", members);
  }

  set(now) {
    return this.#update({ now });
  }

  advance(advance) {
    return this.#update({ advance });
  }

  freeze() {
    return this.#update({ frozen: true });
  }

  resume() {
    return this.#update({ frozen: false });
  }

  real() {
    return this.#update({ real: true });
  }
}

/** Lets a function be called at the end of a test, of node:test or of vitest. */
function atEnd(t, end) {
  (t?.after ?? t?.onTestFinished)?.call(t, end);
}

/** Makes the error of a request that was refused, with what is wrong of each member. */
function refused(method, path, status, text) {
  let answer = {};
  try {
    answer = JSON.parse(text);
  } catch {
    answer.message = text;
  }
  const { code, message, data } = answer;
  const about = [method, `${path}:`, status, code].filter(Boolean).join(" ");
  return new AlmanacError(`${about}: ${message}`, { status, code, params: data?.params });
}

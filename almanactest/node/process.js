// The process of a server: how it starts, what it says, and how it ends.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as overTLS } from "node:https";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

/** What goes wrong with a server, and what it refuses. */
export class AlmanacError extends Error {
  name = "AlmanacError";

  constructor(message, { cause, ...answer } = {}) {
    super(message, cause && { cause });
    Object.assign(this, answer);
  }
}

/** The code of the error of a world that ends and saw requests which nobody expected. */
export const unexpected = "almanac_unexpected_requests";

const stopTime = 10_000; // milliseconds, after which a server that was told to end is killed
const logLength = 1 << 16; // of what is kept of standard error

// A certificate of servers on this machine, with its key, and the authority that has signed it. Nobody has the
// key of that: who trusts it trusts no other certificate.
const pem = (name) => fileURLToPath(new URL(`tls/${name}.pem`, import.meta.url));

/** A process that serves. It ends with this one, however that does: the system closes its standard input. */
export class Process {
  log = ""; // the end of what it printed on standard error
  #child;
  #ended; // settles when it has ended: how it did, or the error for which it never began

  /** Starts a server, and returns it when it is ready. */
  static async start({ binary, seed, timeout = 30_000, ...options }) {
    if (typeof seed === "object") {
      const dir = await mkdtemp(join(tmpdir(), "almanac-"));
      try {
        await writeFile(join(dir, "seed.json"), JSON.stringify(seed, null, 1));
        return await Process.start({ binary, seed: join(dir, "seed.json"), timeout, ...options });
      } finally {
        await rm(dir, { recursive: true });
      }
    }
    const server = new Process(find(binary), flags({ seed, ...options }));
    if (options.tls) server.ca = readFileSync(pem("authority"), "utf8");
    await server.#ready(timeout);
    return server;
  }

  constructor({ file, missing }, args) {
    this.file = file;
    // In a session of its own: Ctrl-C reaches the tests alone, which then end it.
    this.#child = spawn(file, args, { stdio: "pipe", detached: true, windowsHide: true });
    this.#child.stdin.on("error", () => {}); // it has ended already
    this.#child.stderr.setEncoding("utf8").on("data", (text) => {
      this.log = (this.log + text).slice(-logLength);
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", (cause) => resolve(new AlmanacError(missing(cause), { cause })));
      this.#child.once("close", (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with status ${code}`));
    });
  }

  /** Waits for the line that says where the server is. */
  async #ready(timeout) {
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, timeout, `was not ready within ${timeout} ms`)));
    const said = await Promise.race([this.#line(), this.#ended, late]);
    clearTimeout(timer);
    if (said instanceof AlmanacError) throw said;
    if (said.url) {
      Object.assign(this, said);
      this.#hold(false); // the tests end when they are done, not when the server is
      return;
    }
    this.#kill();
    await this.#ended;
    throw new AlmanacError(`${this.file} ${said}${this.#words()}`);
  }

  /** Reads the first line of standard output. */
  async #line() {
    const { stdout } = this.#child;
    let text = "";
    stdout.setEncoding("utf8").on("data", (more) => text.includes("\n") || (text += more));
    while (!text.includes("\n")) await once(stdout, "data");
    try {
      return JSON.parse(text.slice(0, text.indexOf("\n")));
    } catch {
      return `printed ${JSON.stringify(text)}, which is not the line of a server`;
    }
  }

  /** What an error tells of standard error. */
  #words() {
    return this.log ? `:\n${this.log.trimEnd()}` : ", and said nothing on standard error";
  }

  /** Says whether this process lives for as long as the server. */
  #hold(yes) {
    const { stdin, stdout, stderr } = this.#child;
    for (const part of [this.#child, stdin, stdout, stderr]) yes ? part.ref() : part.unref();
  }

  /** Kills it, with what it has started. */
  #kill() {
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      this.#child.kill("SIGKILL"); // there are no groups of processes on Windows
    }
  }

  /** Does what fetch does. That cannot be told whom to trust. */
  async fetch(input) {
    if (!this.ca) return fetch(input);
    const request = new Request(input);
    const { method, url, signal } = request;
    const headers = Object.fromEntries(request.headers);
    const body = request.body && Buffer.from(await request.arrayBuffer());
    if (body) headers["content-length"] = body.length;
    const sent = overTLS(url, { method, headers, signal, ca: this.ca });
    sent.on("error", () => {}).end(body);
    const [answer] = await once(sent, "response");
    const fields = Object.entries(answer.headersDistinct).flatMap(([name, values]) => values.map((value) => [name, value]));
    const empty = [204, 205, 304].includes(answer.statusCode) && answer.resume();
    return new Response(empty ? null : Readable.toWeb(answer), { status: answer.statusCode, statusText: answer.statusMessage, headers: fields });
  }

  /** Returns why a request failed: because the server has ended, or for the reason that is given. */
  async explain(cause) {
    const alive = await this.fetch(`${this.url}/_almanac/worlds`).then((response) => response.text(), () => undefined);
    if (alive !== undefined) return cause;
    this.#hold(true);
    return new AlmanacError(`${this.file} ${await this.#ended} while the tests ran${this.#words()}`, { cause });
  }

  /** Ends the server, if it has not ended. */
  async stop() {
    this.#hold(true);
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#kill(), stopTime);
    await this.#ended;
    clearTimeout(timer);
    const words = this.log.split("\n").filter((line) => line.includes(unexpected));
    if (words.length) throw new AlmanacError(words.join("\n"), { code: unexpected });
  }
}

/** Finds the program: by the option, by ALMANAC_BINARY, or in PATH. */
function find(option) {
  const variable = process.env.ALMANAC_BINARY;
  const [from, file] = option ? ["the option binary", option] : ["ALMANAC_BINARY", variable];
  if (file) {
    const missing = ({ code }) => `${from} is ${JSON.stringify(file)}, which cannot be started (${code}); \`make build\` makes a program`;
    return { file: resolve(file), missing };
  }
  const missing = ({ code }) =>
    `there is no program almanac in PATH (${code}); \`make build\` makes one: name it in ALMANAC_BINARY or with the option binary`;
  return { file: "almanac", missing };
}

/** Returns the arguments that options stand for. */
function flags({ addr = "127.0.0.1:0", seed, clock, freeze, timezone, token, unexpected, tls, args = [], ...others }) {
  for (const name in others) {
    const known = "binary, seed, clock, freeze, timezone, token, addr, unexpected, tls, args and timeout";
    throw new AlmanacError(`a server has no option ${name}; there are ${known}`);
  }
  const values = { addr, seed, clock, freeze, timezone, token, unexpected, "world-ttl": "24h" }; // worlds end with their tests
  if (tls) values["tls-cert"] = values["tls-key"] = pem("server");
  const given = Object.entries(values).flatMap(([name, value]) => (value ? [`-${name}=${value}`] : []));
  return ["serve", "-memory", "-worlds", "-exit-with-parent", ...given, ...args];
}

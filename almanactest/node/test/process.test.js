import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { AlmanacError, start } from "../index.js";

const index = new URL("../index.js", import.meta.url).href;

async function directory(t) {
  const dir = await mkdtemp(join(tmpdir(), "almanac test "));
  t.after(() => rm(dir, { recursive: true }));
  return dir;
}

/** Makes a program of a shell script. */
async function script(t, text) {
  const file = join(await directory(t), "almanac");
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
  return file;
}

/** Fails unless a start fails with these words. */
function fails(options, ...patterns) {
  return assert.rejects(start(options), (error) => {
    assert.ok(error instanceof AlmanacError, error);
    for (const pattern of patterns) assert.match(error.message, pattern);
    return true;
  });
}

/** Returns when nobody answers at an address any more. */
async function gone(url) {
  const asked = () => fetch(url).then((response) => response.text().catch(() => "cut off"), () => undefined);
  while (await asked()) await new Promise(setImmediate);
}

/** Runs a program of Node that starts a server, and prints its address when it has done the rest. */
async function run(t, text) {
  text = `import { start } from ${JSON.stringify(index)}; const almanac = await start(); ${text}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", text], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  t.after(() => child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, url: (await lines.next()).value, lines };
}

test("a program that is missing", async (t) => {
  const { ALMANAC_BINARY, PATH } = process.env;
  t.after(() => Object.assign(process.env, { ALMANAC_BINARY, PATH }));
  await fails({ binary: "./nowhere" }, /the option binary is ".\/nowhere", which cannot be started \(ENOENT\)/, /make build/);
  await fails({ binary: await directory(t) }, /cannot be started \(EACCES\)/);
  process.env.ALMANAC_BINARY = "/nowhere/almanac";
  await fails({}, /ALMANAC_BINARY is "\/nowhere\/almanac", which cannot be started/);
  delete process.env.ALMANAC_BINARY;
  process.env.PATH = "/nowhere";
  await fails({}, /no program almanac in PATH/, /ALMANAC_BINARY or with the option binary/);
});

test("a program in PATH, and in a directory with spaces", async (t) => {
  const { ALMANAC_BINARY, PATH } = process.env;
  t.after(() => Object.assign(process.env, { ALMANAC_BINARY, PATH }));
  const dir = await directory(t);
  const file = join(dir, "almanac");
  await symlink(resolve(ALMANAC_BINARY), file);
  await start({ binary: file }, t);
  delete process.env.ALMANAC_BINARY;
  process.env.PATH = `${dir}:${PATH}`;
  await mkdir(join(dir, "a seed"));
  await writeFile(join(dir, "a seed", "of it.json"), `{"tags":[{"name":"free"}]}`);
  const almanac = await start({ seed: join(dir, "a seed", "of it.json") }, t);
  assert.equal((await almanac.ask("GET", "tags?hide_empty=false")).total, 1);
});

test("a port that is taken", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  t.after(() => other.close());
  await once(other, "listening");
  const addr = `127.0.0.1:${other.address().port}`;
  await fails({ addr }, /ended with status 2/, /address already in use/, /choose another, or port 0 for a free one/);
});

test("a seed that is wrong, and one that is missing", async (t) => {
  const { TMPDIR } = process.env;
  t.after(() => (TMPDIR === undefined ? delete process.env.TMPDIR : (process.env.TMPDIR = TMPDIR)));
  const dir = (process.env.TMPDIR = await directory(t));
  const events = [{ title: "Concert", start_date: "@tomorow 20:00", end_date: "@start+2h" }];
  await fails({ seed: { events } }, /ended with status 2/, /events\[0\]\.start_date: "@tomorow 20:00"/, /write "@today\+3d 19:00"/);
  await fails({ seed: "/nowhere.json" }, /-seed: open \/nowhere.json: no such file/);
  await fails({ seed: "@smal" }, /@small, @city, @torture/);
  assert.deepEqual(await readdir(dir), []);
});

test("options that are wrong", async () => {
  await fails({ sed: "@small" }, /a server has no option sed; there are binary, seed, /);
  await fails({ timezone: "Europe/Pari" }, /-timezone/, /Europe\/Pari/);
  await fails({ freeze: true }, /-freeze: give the time to stand still at with -clock/);
  await fails({ args: ["-per-pge", "5"] }, /there is no flag -per-pge; did you mean -per-page\?/);
});

test("programs that are not almanac", async (t) => {
  await fails({ binary: await script(t, "echo Hello.; cat") }, /printed "Hello\.\\n", which is not the line of a server/);
  await fails({ binary: await script(t, "exit 3") }, /ended with status 3, and said nothing on standard error/);
  await fails({ binary: await script(t, "kill -9 $$") }, /was ended by SIGKILL/);
  await fails({ binary: await script(t, "echo waiting >&2; sleep 1000; :"), timeout: 200 }, /not ready within 200 ms:\nwaiting/);
});

test("a start that takes its time, a line in pieces, and much on standard error", async (t) => {
  const slow = await script(t, `
    mkfifo "$0.line"
    { read -r line; half=\${line%%api*}; printf %s "$half"; sleep 0.1; printf '%s\\n' "\${line#"$half"}"; cat >/dev/null; } <"$0.line" &
    head -c 300000 /dev/zero | tr '\\0' x >&2
    exec "$REAL" "$@" >"$0.line"`);
  process.env.REAL = resolve(process.env.ALMANAC_BINARY);
  const almanac = await start({ binary: slow }, t);
  assert.equal((await almanac.ask("GET", "events")).total, 0);
  while (!/^x.*level=INFO msg=ready/s.test(almanac.log)) await new Promise(setImmediate);
});

test("many starts at once", async (t) => {
  const all = await Promise.all(Array.from({ length: 10 }, () => start({}, t)));
  assert.equal(new Set(all.map((almanac) => almanac.url)).size, 10);
});

test("a server that crashes says so", async () => {
  const almanac = await start();
  while (!almanac.log.includes("msg=ready")) await new Promise(setImmediate);
  process.kill(almanac.pid, "SIGKILL");
  const crashed = (error) => error instanceof AlmanacError && /was ended by SIGKILL while the tests ran:\n.*msg=ready/s.test(error.message);
  await assert.rejects(almanac.ask("GET", "events"), crashed);
  await assert.rejects(almanac.world().fetch("events"), crashed);
  await almanac.world().end();
  await almanac.stop();
});

test("a server ends when it is told to, also while it answers", async () => {
  const almanac = await start();
  await almanac.fault({ delay: "1h" });
  const waiting = assert.rejects(almanac.fetch("events"));
  while ((await almanac.requests()).length === 0);
  await almanac.stop();
  await almanac.stop();
  await waiting;
  await gone(almanac.url);
});

test("tests that are killed, interrupted or at their end leave no server", async (t) => {
  for (const signal of ["SIGKILL", "SIGINT", "SIGTERM"]) {
    const { child, url } = await run(t, `setInterval(() => {}, 1000); console.log(almanac.url);`);
    assert.equal((await fetch(url)).status, 200);
    process.kill(-child.pid, signal); // as Ctrl-C does, all that belongs to the terminal
    await gone(url);
  }
  for (const end of ["", "process.exit(1);", "throw new Error('on purpose');"]) {
    const { child, url } = await run(t, `console.log(almanac.url); ${end}`);
    await gone(url);
    assert.equal(child.exitCode ?? (await once(child, "exit"))[0], end ? 1 : 0);
  }
});

test("an interrupt reaches the tests before the server", async (t) => {
  const { child, lines } = await run(
    t,
    `const alive = setInterval(() => {}, 1000);
     process.on("SIGINT", async () => {
       console.log((await almanac.fetch("events")).status);
       await almanac.stop();
       clearInterval(alive);
     });
     console.log(almanac.url);`,
  );
  process.kill(-child.pid, "SIGINT");
  assert.equal((await lines.next()).value, "200");
  assert.equal((await lines.next()).done, true);
});

test("a worker that is terminated leaves no server", async () => {
  const worker = new Worker(
    `const { parentPort } = require("node:worker_threads");
     import(${JSON.stringify(index)}).then(({ start }) => start()).then((almanac) => parentPort.postMessage(almanac.url));
     setInterval(() => {}, 1000);`,
    { eval: true },
  );
  const [url] = await once(worker, "message");
  await worker.terminate();
  await gone(url);
});

// The server that is looked at: a town's year, at a time that stands still, and the
// addresses of its views.
"use strict";

const { execFile, spawn } = require("node:child_process");
const http = require("node:http");
const { promisify } = require("node:util");
const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");

const now = "2026-11-18 12:00:00", password = "open sesame", secret = "The key is under the third stone.";

// long is a description with what does not fit into a narrow window.
const long = `<h2>Programme</h2><p>Three evenings, <a href="https://voices.example.org/">all of them</a> sung.</p>
<ul><li>Friday: madrigals</li></ul>
<table><tr><th>Choir</th><th>Place</th><th>Begins</th><th>Seats that are left</th></tr>
<tr><td>Gesangverein Unterpfaffenhofen</td><td>Corn Exchange Theatre</td><td>19:30</td><td>112</td></tr></table>
<blockquote>„Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz“</blockquote>
<pre>Friday    Madrigals            Gesangverein Unterpfaffenhofen            19:30</pre>
<p>https://voices.example.org/a/very/long/address/that/nobody/broke/into/pieces/before/it/was/pasted/here?with=a&amp;query=too</p>`;

// picture returns a picture of hills below a sun, whose colours and shapes its name decides.
function picture(name, { width, height }) {
	const hue = [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7), colour = (h, l) => `hsl(${(hue + h) % 360} 45% ${l}%)`;
	const hill = (h, l, y) => `<path fill="${colour(h, l)}" d="M0 ${y}Q${hue % 70} ${y - 30} 60 ${y}T120 ${y - 8}V90H0Z"/>`;
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 120 90" preserveAspectRatio="none">` +
		`<path fill="${colour(0, 78)}" d="M0 0H120V90H0Z"/><circle cx="${20 + hue % 80}" cy="24" r="11" fill="${colour(180, 88)}"/>` +
		`${hill(20, 58, 55)}${hill(40, 42, 68)}${hill(60, 28, 80)}</svg>`;
}

// The pictures of events, by their slugs, in the sizes that their records say; of the last the record says none.
const pictures = {
	"open-mic-3": { width: 1200, height: 900 }, "museum-talk-bricks": { width: 900, height: 1200 }, "saturday-market-10": { width: 1600, height: 500 },
	"christmas-market": { width: 1200, height: 800 }, "lights-switch-on": { width: 600, height: 600 }, "friday-film-interval": {},
};

// gallery returns a server of pictures, on another host than the calendar's.
async function gallery() {
	const server = http.createServer(({ url }, response) => {
		const name = url.slice(1, -".svg".length);
		response.writeHead(pictures[name] ? 200 : 404, { "Content-Type": "image/svg+xml", "Cache-Control": "max-age=600" });
		response.end(pictures[name] && picture(name, { width: 1000, height: 700, ...pictures[name] }));
	});
	await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
	server.unref();
	return `127.0.0.1:${server.address().port}`;
}

// start returns the server of a binary, which ends with this program or with stop.
async function start(binary) {
	const pictureHost = await gallery();
	const flags = ["-exit-with-parent", "-addr", "127.0.0.1:0", "-memory", "-seed", "@city", "-clock", now, "-freeze", "-no-limits",
		"-site-name", "Harrowmere", "-picture-hosts", pictureHost, "-frame-ancestors", "https://choir.example.org"];
	const server = spawn(binary, ["serve", ...flags], { stdio: ["pipe", "pipe", "pipe"] });
	let said = "";
	server.stderr.on("data", (text) => { said += text; });
	const line = await new Promise((resolve, reject) => {
		server.once("exit", () => reject(new Error("the server did not start: " + said)));
		readline.createInterface({ input: server.stdout }).once("line", resolve);
	});
	const { url, api, token } = JSON.parse(line);

	async function ask(path, fields) {
		const headers = { Authorization: "Bearer " + token };
		const response = await fetch(api + path, fields ? { method: "POST", headers, body: new URLSearchParams(fields) } : { headers });
		if (!response.ok) {
			throw new Error(`${path}: ${response.status} ${await response.text()}`);
		}
		return response.json();
	}

	// load imports records.
	async function load(records) {
		const file = path.join(process.env.WORK, "records.json");
		fs.writeFileSync(file, JSON.stringify(records));
		await promisify(execFile)(`${binary}-move`, ["import", "-to", url, "-token", token, "-quiet", file]);
	}

	return { url, pictureHost, ask, load, stop: () => server.stdin.end() };
}

// write adds what the town does not have: pictures, a locked event, one with every kind of text, a postponed one, and
// a month of 200 events.
async function write(site) {
	const events = [];
	for (const [slug, size] of Object.entries(pictures)) {
		const image = { url: `http://${site.pictureHost}/${slug}.svg`, extension: "svg", ...size };
		events.push({ ...await site.ask("events/by-slug/" + slug), image, modified_utc: "2026-11-18 12:00:00" });
	}
	await site.load({ events });
	await site.ask("events", {
		title: "Committee of the Choir", start_date: "2026-11-26 19:00:00", end_date: "2026-11-26 21:00:00", password,
		description: `<p>${secret}</p>`,
	});
	await site.ask("events", {
		title: "Festival of Voices: Choirs, Orchestras and Everybody Who Sings in the Bath", start_date: "2026-12-11 19:30:00",
		end_date: "2026-12-13 18:00:00", timezone: "America/New_York", cost: "12.50", featured: "true", website: "https://voices.example.org/",
		venue: (await site.ask("venues/by-slug/market-square")).id, categories: "festivals",
		organizer: (await site.ask("organizers/by-slug/harrowmere-town-council")).id,
		tags: "winter,Donaudampfschifffahrtsgesellschaftskapitänsmütze", description: long,
	});
	await site.ask("events", { // whose bar has a cell of its own in one row of the month
		title: "Seminar of the Choir", start_date: "2026-11-21", end_date: "2026-11-23", all_day: "true", event_status: "postponed",
	});
	const titles = [];
	for (let page = 1; titles.length < 200; page++) {
		const { events } = await site.ask(`events?start_date=2026-01-01&per_page=50&page=${page}&_fields=events`);
		titles.push(...events.map((event) => event.title.replaceAll(/&#\d+;/g, "’")));
	}
	for (let i = 0; i < 200; i++) {
		const day = String(i % 30 + 1).padStart(2, "0"), hour = `2028-06-${day} ${String(8 + i % 12).padStart(2, "0")}`;
		await site.ask("events", { title: `${titles[i]} ${i + 1}`, start_date: hour + ":00", end_date: hour + ":45" });
	}
}

// views returns the addresses of all views, below the address of a language. Those that the
// program has no page for are left out, and named in missing.
async function views(site) {
	const all = {
		list: "/events/", month: "/events/month/", week: "/events/week/", day: "/events/2026-11-28/", event: "/event/christmas-market/",
		"long event": "/event/festival-of-voices-choirs-orchestras-and-everybody-who-sings-in-the-bath/",
		password: "/event/committee-of-the-choir/", venue: "/venue/market-square/", organizer: "/organizer/harrowmere-town-council/",
		category: "/events/category/markets/", tag: "/events/tag/winter/", featured: "/events/featured/", past: "/events/list/?eventDisplay=past",
		search: "/events/?tribe-bar-search=choir", "empty search": "/events/?tribe-bar-search=nothinghasthis", error: "/event/nothing-has-this/",
		"other picture": "/event/friday-film-interval/", "tall picture": "/event/museum-talk-bricks/",
		docs: "/docs", "docs group": "/docs/events", embed: "/embed/events/",
	};
	const missing = [];
	for (const name of ["docs group", "embed"]) {
		if (!(await fetch(site.url + all[name])).ok) {
			delete all[name];
			missing.push(name);
		}
	}
	return { all, missing };
}

// languages returns the tags of the languages that the calendar has pages in.
async function languages(site) {
	const text = await (await fetch(site.url + "/events/")).text();
	return [...text.matchAll(/<link rel="alternate" hreflang="([^"]+)"/g)].map((match) => match[1]).filter((tag) => tag !== "x-default");
}

module.exports = { start, write, views, languages, password, secret };

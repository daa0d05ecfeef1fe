// Each page of the desk in a browser: what axe-core and Lighthouse hold against it, what does not fit, what the console says, and
// what the Nu checker finds. With SHOTS, a directory, it takes pictures of each for people to look at.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const axe = require("axe-core");
const { serve, town, Person, day, wide, aWhile } = require("./desk");
const inside = require("./inside");

// A phone by its size alone: a page that becomes mobile, or ceases to be, is loaded again, and a form sent again.
const phone = { width: 390, height: 844 };
const looks = [["phone, dark", "dark", phone], ["wide, light", "light", wide], ["phone, light", "light", phone], ["wide, dark", "dark", wide]];
const tablet = { width: 768, height: 1024 };
const narrow = { "at 320 px": { width: 320, height: 700 }, "at 768 px": tablet, "at 200 %": { width: 640, height: 450, deviceScaleFactor: 2 } };

// Pages of every form, which Lighthouse measures also without -all; axe-core looks at each page.
const measuredAlways = new Set(["sign in", "home", "mistakes", "series", "similar", "venue", "pictures", "changes", "accounts", "feeds", "suggest",
	"waiting", "decision"]);

const long = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnungsverwaltungsangestelltenversammlung";

// prepare writes records of every state, with texts that are hard to show, and returns the addresses of the pages.
async function prepare(server, person) {
	const write = async (where, fields) => {
		const answer = await fetch(`${server.url}/cal/events/v1/${where}`, { method: "POST", headers: { Authorization: "Bearer " + server.token },
			body: new URLSearchParams(fields) });
		assert.ok(answer.ok, `${where}: ${answer.status}`);
		return (await answer.json()).id;
	};
	const on = (fields) => write("events", { start_date: day(1) + " 19:30", end_date: day(1) + " 21:00", ...fields });
	const venue = await write("venues", { venue: "بيت الموسيقى القديم", address: long, city: "القاهرة", status: "publish" });
	const hard = await on({ title: long, venue, description: long, tags: `${long},مهرجان`, cost: "12.50" });
	const canceled = await on({ title: "أمسية غنائية <b>لا تُنسى</b>", event_status: "canceled", event_status_reason: "العازفة مريضة", status: "private" });
	const series = await on({ title: "Rehearsal", recurrence: "FREQ=WEEKLY;COUNT=5" });
	const draft = await on({ title: "Draft of a talk", status: "draft" });
	const gone = await on({ title: "Gone" });
	await fetch(`${server.url}/cal/events/v1/events/${gone}`, { method: "DELETE", headers: { Authorization: "Bearer " + server.token } });
	const picture = await person.page.evaluate(async () => {
		const canvas = new OffscreenCanvas(1200, 900);
		canvas.getContext("2d").fillRect(0, 0, 900, 600);
		return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
	});
	const file = new FormData();
	file.append("file", new Blob([Buffer.from(picture)], { type: "image/png" }), `${long}.png`);
	const sent = await fetch(server.url + "/cal/events/v1/media", { method: "POST", headers: { Authorization: "Bearer " + server.token }, body: file });
	const upload = (await sent.json()).id;
	for (const title of ["Choir on the steps", long]) { // to merge with
		await fetch(`${server.url}/cal/events/v1/media?title=${encodeURIComponent(title)}`, { method: "POST", body: Buffer.from(picture),
			headers: { Authorization: "Bearer " + server.token, "Content-Type": "image/png", "Content-Disposition": 'attachment; filename="b.png"' } });
	}
	await person.go("/events/suggest/");
	await person.fill("title", long);
	await person.fill("date", day(3));
	await person.fill("sender", long.slice(0, 100));
	await person.fill("email", "ann@example.org");
	await aWhile();
	await person.click(".sheet button");
	const proposal = person.path();
	const first = async (kind) => (await server.ask(kind))[kind][0].id;
	const feed = (fields) => async (person) => { // each has another name, as each language makes them again
		await person.go("/desk/account/feeds");
		if (await person.page.$(".sheet [name=months]")) {
			await person.page.$eval("details.act", (e) => { e.open = true; });
			for (const [name, value] of Object.entries(fields)) {
				await person.fill(name, value || String(Math.random()));
			}
			await person.click("button[value=add]");
		}
	};
	await person.signIn();
	await feed({ name: long.slice(0, 60), query: `search=${long}&featured=true` })(person);
	await feed({ name: "كل ما في القاهرة", months: "12" })(person);
	await feed({ name: "Music", query: "categories=music" })(person);
	const stranger = (address) => (person) => person.go(`/${person.language}${address}`); // the language is in the address
	const post = (form) => async (person) => {
		await person.go(form);
		await person.click("button[value=publish], .buttons button");
	};
	return {
		"sign in": "/desk/sign-in", home: "/desk/", drafts: "/desk/?state=draft", nothing: "/desk/?search=nothinghasthis", new: "/desk/events/new",
		mistakes: post("/desk/events/new"), event: `/desk/events/${hard}`, canceled: `/desk/events/${canceled}`, series: `/desk/events/${series}`,
		preview: `/desk/events/${draft}/preview`, trash: `/desk/events/${gone}`,
		similar: async (person) => {
			await person.go("/desk/events/new");
			await person.fill("title", "Talk");
			await person.fill("date", day(3));
			await person.fill("venue", "Market Squar");
			await person.click("button[value=publish]");
		},
		conflict: async (person) => {
			await person.go(`/desk/events/${draft}`);
			await write(`events/${draft}`, { description: `${long} ${Math.random()}` });
			await person.fill("title", "My talk");
			await person.click(".sheet button[value=preview]");
		},
		"session over": async (person) => {
			await person.go(`/desk/events/${draft}`);
			const kept = await person.context.cookies();
			await person.context.deleteCookie(...kept);
			await person.click(".sheet button[value=preview]");
			await person.context.setCookie(...kept);
		},
		saved: async (person) => {
			await person.go(`/desk/events/${series}`);
			await person.click(".sheet button[value=save]");
		},
		link: (person) => person.page.goto(server.link()),
		venues: "/desk/venues", venue: `/desk/venues/${venue}`, "new venue": "/desk/venues/new", "venue mistakes": post("/desk/venues/new"),
		organizers: "/desk/organizers", organizer: `/desk/organizers/${await first("organizers")}`, categories: "/desk/categories",
		category: `/desk/categories/${await first("categories")}`, tags: "/desk/tags",
		pictures: "/desk/pictures", picture: `/desk/pictures/${upload}`, "new picture": "/desk/pictures/new", changes: `/desk/events/${draft}/changes`,
		"changes of a venue": `/desk/venues/${venue}/changes`, merge: `/desk/venues/${venue}/merge?same=Market+Square`,
		"picture merge": `/desk/pictures/${upload}/merge`,
		accounts: "/desk/accounts", server: "/desk/server", site: "/desk/site",
		bulk: async (person) => {
			await person.go("/desk/");
			if (await person.page.$(".rows [type=checkbox]")) {
				await person.press(".rows [type=checkbox]");
				await person.click(".bulk .danger");
			}
		},
		dates: async (person) => {
			await person.go("/desk/events/new");
			if (await person.page.$("button[value=dates]")) {
				await person.fill("title", "Choir");
				await person.fill("date", day(3));
				await person.press("summary", "");
				await person.fill("repeat", "weekly");
				await person.click("button[value=dates]");
			}
		},
		suggest: stranger("/events/suggest/"), proposal: stranger(proposal), "proposal form": stranger(proposal + "?change=1"), waiting: "/desk/waiting",
		"suggest mistakes": async (person) => {
			await stranger("/events/suggest/")(person);
			await aWhile();
			await person.click(".buttons button");
		},
		decision: `/desk/waiting/${proposal.split("/")[3]}`,
		account: "/desk/account", stolen: "/desk/account/stolen", feeds: "/desk/account/feeds", "new feed": feed({ name: "" }), "feed mistakes": feed({ name: "x", months: "9999" }),
		refused: (person) => person.go("/desk/events/999999"),
	};
}

// look yields what is wrong with a page, and takes pictures.
async function* look(person, looked, shot) {
	const { page } = person;
	await page.evaluate(() => document.querySelectorAll("details").forEach((each) => { each.open = true; }));
	for (const [name, scheme, size] of looked) {
		await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
		await page.setViewport(size);
		yield* (await page.evaluate(inside.violations, axe.source)).map((violation) => `breaks (${name}) ${violation}`);
		const found = await page.evaluate(inside.overflow);
		yield* found ? [`reaches out (${name}): ${found}`] : [];
		await shot(name);
	}
	for (const [name, size] of Object.entries(narrow)) {
		await page.setViewport(size);
		const found = await page.evaluate(inside.overflow);
		yield* found ? [`reaches out ${name}: ${found}`] : [];
	}
	await page.setViewport(wide);
}

// faultsOf returns what Lighthouse holds against the page that a person sees.
async function* faultsOf(person, address, scheme, language) {
	const { startFlow } = await import(require.resolve("lighthouse"));
	await person.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
	await person.page.setExtraHTTPHeaders({ "Accept-Language": language });
	const flags = { onlyCategories: ["accessibility", "best-practices"], disableStorageReset: true, skipAboutBlank: true };
	const flow = await startFlow(person.page, { flags });
	await (address ? flow.navigate(person.server.url + address) : flow.snapshot());
	const { steps: [{ lhr }] } = await flow.createFlowResult();
	for (const [name, { score, auditRefs }] of Object.entries(lhr.categories)) {
		const failed = auditRefs.filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1);
		if (score !== 1) {
			yield `Lighthouse: ${name} ${score * 100}: ${failed.map(({ id }) => `${id} ${JSON.stringify(lhr.audits[id].details?.items?.slice(0, 2) ?? "").slice(0, 300)}`)}`;
		}
	}
}

// nu returns the errors that the Nu checker finds in a directory of pages.
function nu(directory) {
	const flags = ["-jar", require.resolve("vnu-jar/build/dist/vnu.jar"), "--format", "json", "--exit-zero-always", "--stdout", directory];
	return JSON.parse(execFileSync("java", flags, { maxBuffer: 1 << 28 })).messages.filter(({ type }) => type === "error");
}

module.exports = async function({ browser, options, report }) {
	const directory = fs.mkdtempSync(path.join(process.env.WORK, "desk-")), html = path.join(directory, "html"), shots = process.env.SHOTS;
	const server = await serve(process.env.BINARY, path.join(directory, "data"), [...town, "-submissions", "admin"]);
	const languages = options.all || shots ? ["en", "de", "ar", "ja"] : ["en", "ar"], looked = options.all || shots ? looks : looks.slice(0, 2);
	fs.mkdirSync(html);
	try {
		let measured = 0;
		let all;
		const asked = process.env.VIEWS?.split(",");
		report.say("");
		report.say(`Pages of the desk, in ${languages.join(", ")}; ${looked.map(([name]) => name).join("; ")}`);
		for (const language of languages) {
			const person = await Person.enter(browser, server, { size: wide, language }), { page } = person, said = [];
			all ??= await prepare(server, person);
			await page.setBypassCSP(true); // axe-core is evaluated
			page.on("console", (message) => {
				if (!/Failed to load resource: .* 4\d\d /.test(message.text())) { // some pages say what was refused
					said.push("console: " + message.text());
				}
			});
			page.on("dialog", (dialog) => { dialog.accept(); });
			await person.signIn();
			for (const [name, address] of Object.entries(all)) {
				if (asked && !asked.includes(name)) {
					continue;
				}
				const faults = new Set();
				const answer = await (address.call ? address(person) : person.go(address));
				if (!address.call && answer.status() === 404) {
					report.say(`skipped: the program has no page ${name}`);
					continue;
				}
				fs.writeFileSync(path.join(html, `${language} ${name}.html`), await (address.call ? page.content() : (await page.reload()).text()));
				said.length = 0;
				const shot = async (size) => {
					if (shots) {
						const file = `${name}-${language}-${size}.png`.replace(/[ ,]+/g, "-");
						// Chromium shifts a whole page that is written from right to left and is no longer than its window.
						const fullPage = await page.evaluate(() => document.scrollingElement.scrollHeight > innerHeight);
						await page.screenshot({ path: path.join(shots, file), fullPage });
					}
				};
				for await (const fault of look(person, looked, shot)) {
					faults.add(fault);
				}
				const isMeasured = options.all || asked || language === "en" && measuredAlways.has(name);
				for (const scheme of shots || !isMeasured ? [] : options.all ? ["light", "dark"] : ["light"]) {
					for await (const fault of faultsOf(person, address.call ? "" : address, scheme, language)) {
						faults.add(`${scheme}: ${fault}`);
					}
					measured++;
				}
				said.forEach((line) => faults.add(line));
				faults.forEach((fault) => report.fault(`${name}, ${language}: ${fault}`));
			}
			await person.context.close();
		}
		report.say(`${Object.keys(all).length} pages, ${measured} of them measured by Lighthouse, in a language and a scheme each`);
		if (spawnSync("java", ["-version"]).error === undefined) {
			const errors = nu(html);
			report.say(`the Nu checker: ${errors.length} errors`);
			for (const each of new Map(errors.map((error) => [error.message, error])).values()) { // one of a kind
				report.fault(`${path.basename(decodeURI(each.url ?? ""))}:${each.lastLine}: ${each.message}: ${each.extract}`);
			}
		} else {
			report.say("skipped: no java for the Nu checker");
		}
	} finally {
		server.stop();
	}
};

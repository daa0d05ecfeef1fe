// The desk in a browser: people who keep the calendar, with scripts on and off, on a phone and in a wide window. The tasks are
// counted: each click, and each field that is filled in.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync, spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");

// New venues, of names that are not almost one that is there.
const venues = ["Old Granary", "Weavers Loft", "Kiln and Ferry House", "Seven Poplars"];

const phone = { width: 390, height: 844, hasTouch: true, isMobile: true }, wide = { width: 1280, height: 900 };

// day returns the date some days from now, as fields for dates have it.
const day = (days) => new Date(Date.now() + days * 864e5).toISOString().slice(0, 10);

// aWhile passes before a form of a stranger is taken: a person needs five seconds.
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 5500));

// town has the flags of a server with the calendar of a town.
const town = ["-seed", "@city", "-no-limits", "-site-name", "Harrowmere"];

// serve returns a server with a desk, in a directory of its own.
async function serve(binary, directory, flags = town) {
	const server = spawn(binary, ["serve", "-exit-with-parent", "-addr", "127.0.0.1:0", "-data", directory, ...flags], { stdio: ["pipe", "pipe", "pipe"] });
	let said = "";
	server.stderr.on("data", (text) => { said += text; });
	const line = await new Promise((resolve, reject) => {
		server.once("exit", () => reject(new Error("the server did not start: " + said)));
		readline.createInterface({ input: server.stdout }).once("line", resolve);
	});
	const { url, api, token, desk } = JSON.parse(line);
	const link = () => execFileSync(binary, ["users", "link", "-data", directory, "-url", url, "admin"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
	const ask = async (path) => (await fetch(api + path, { headers: { Authorization: "Bearer " + token } })).json();
	return { url, token, desk, link, ask, stop: () => server.stdin.end() };
}

// A Person acts in a window, by pointer and keyboard, on what is visible. Actions are counted.
class Person {
	actions = 0;

	static async enter(browser, server, { size, scripts = true, language = "en" }) {
		const person = new Person();
		person.server = server;
		person.scripts = scripts;
		person.language = language;
		person.context = await browser.createBrowserContext();
		person.page = await person.context.newPage();
		person.page.setDefaultTimeout(60_000);
		await person.page.setViewport(size);
		await person.page.setJavaScriptEnabled(scripts);
		await person.page.setExtraHTTPHeaders({ "Accept-Language": language });
		return person;
	}

	// found returns the first visible element of a selector that has a text.
	async found(selector, text = "") {
		for (const element of await this.page.$$(selector)) {
			if (await element.evaluate((e, part) => e.checkVisibility({ visibilityProperty: true }) && !e.closest(".hidden") && e.textContent.includes(part), text)) {
				return element;
			}
		}
		throw new assert.AssertionError({ message: `${this.page.url()} shows no ${selector} with ${JSON.stringify(text)}` });
	}

	async press(selector, text) {
		const element = await this.found(selector, text);
		this.actions++;
		await element.click();
	}

	// click presses what leads to another page.
	async click(selector, text) {
		const element = await this.found(selector, text);
		this.actions++;
		await Promise.all([this.page.waitForNavigation({ waitUntil: "load" }), element.click()]);
	}

	// fill puts a value into a field, in place of its text. What a field for dates takes from the keyboard depends on the language.
	async fill(name, value, within = "main") {
		const field = await this.found(`${within} [name="${name}"]`), kind = await field.evaluate((e) => e.type);
		this.actions++;
		if (["date", "time", "datetime-local"].includes(kind)) {
			await field.evaluate((e, text) => { e.value = text; e.dispatchEvent(new Event("input", { bubbles: true })); }, value);
		} else if (kind === "select-one") {
			await field.select(value);
		} else if (kind === "file") {
			await field.uploadFile(value);
			if (this.scripts) { // the small picture moves what stands below it
				await this.page.waitForFunction((e) => e.files[0].size < 2e6 && e.parentElement.querySelector("canvas.thumb"), { polling: 100 }, field);
			}
		} else {
			await field.focus();
			await field.evaluate((e) => e.select());
			await this.page.keyboard.press("Backspace");
			await this.page.keyboard.type(value);
		}
	}

	value = (name) => this.page.$eval(`main [name="${name}"]`, (e) => e.value);
	text = async (selector) => (await this.found(selector)).evaluate((e) => e.innerText.trim());
	go = (address) => this.page.goto(this.server.url + address, { waitUntil: "load" });
	path = () => new URL(this.page.url()).pathname;

	async signIn() {
		await this.page.goto(this.server.link());
		await this.click("main button");
		assert.equal(this.path(), "/desk/");
	}
}

// poster writes a picture that a camera might have made: noise, so that it has many bytes.
async function poster(browser, file) {
	const page = await browser.newPage();
	const data = await page.evaluate(async () => {
		const canvas = new OffscreenCanvas(4000, 3000), context = canvas.getContext("2d"), pixels = context.createImageData(4000, 3000);
		for (let i = 0; i < pixels.data.length; i += 65536) {
			crypto.getRandomValues(pixels.data.subarray(i, Math.min(i + 65536, pixels.data.length)));
		}
		context.putImageData(pixels, 0, 0);
		context.fillStyle = "#357";
		context.fillRect(0, 0, 4000, 2500);
		const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.95 });
		return new Promise((resolve) => {
			const reader = new FileReader();
			reader.onload = () => resolve(reader.result.split(",")[1]);
			reader.readAsDataURL(blob);
		});
	});
	await page.close();
	fs.writeFileSync(file, Buffer.from(data, "base64"));
}

// Ways through the desk. Each begins where the one before it ended.

async function begin(person, step) {
	await step("signs in by a link, whose button works once", async () => {
		const link = person.server.link();
		await person.page.goto(link);
		await person.click("main button");
		assert.equal(person.path(), "/desk/");
		await person.page.goto(link);
		assert.match(await person.text("p.done"), /used.*signed in/s);
		await person.found("nav.views");
	});
}

async function add(person, step, name, venue, scripts, file) {
	const title = `Evening of Songs ${name}`;
	await step("adds an event with a new venue, a repetition and a picture, and sees it before others do", async () => {
		await person.click("a.button");
		await person.fill("title", title);
		await person.fill("date", day(20));
		await person.fill("starts", "20:00");
		await person.fill("ends", "00:30");
		await person.fill("venue", venue);
		await person.fill("description", "Songs until after midnight.");
		await person.fill("picture", file);
		await person.fill("alt", "A choir on stairs");
		await person.press("summary", "repeats");
		await person.fill("repeat", "weekly");
		await person.fill("until", day(41));
		await person.click("button[value=preview]");
		await person.found(".strip");
		assert.equal((await person.server.ask("events?search=Evening&start_date=2000-01-01")).events.filter((e) => e.title === title && e.status === "publish").length, 0);
		assert.match(await person.text("h1"), /Evening of Songs/);
		assert.ok(await person.page.$eval("main img", (e) => e.complete && e.naturalWidth > 0));
	});
	await step("publishes it: readers, programs and calendars find it", async () => {
		await person.click(".strip button");
		await person.found("[role=status]");
		const { events } = await person.server.ask("events?per_page=50&search=" + encodeURIComponent(title));
		assert.equal(events.length, 4); // four weeks
		assert.equal(events[0].start_date, day(20) + " 20:00:00");
		assert.equal(events[0].end_date, day(21) + " 00:30:00");
		assert.equal(events[0].venue.venue, venue);
		assert.ok(events[0].image.width <= (scripts ? 3200 : 4000) && events[0].image.width >= 1600, String(events[0].image.width));
		const pageText = await (await fetch(events[0].url)).text(), calendar = await (await fetch(person.server.url + "/events/?ical=1")).text();
		assert.ok(pageText.includes(title) && !pageText.includes("/desk/") && !pageText.includes("<script src"));
		assert.ok(calendar.replaceAll("\r\n ", "").includes("SUMMARY:" + title));
	});
	return title;
}

async function change(person, step, title, scripts) {
	await step("asks which venue is meant if the name is almost one that is there", async () => {
		await person.go("/desk/");
		await person.click("a.button");
		await person.fill("title", "Morning " + title);
		await person.fill("date", day(25));
		await person.fill("venue", "Market Squar");
		await person.click("button[value=publish]");
		await person.found(".problems");
		await person.found(".pick label", "Market Square");
		await person.click("button[value=publish]");
		assert.equal(await person.value("venue"), "Market Square");
	});
	const form = person.path();
	await step("changes it", async () => {
		await person.fill("cost", "12");
		await person.click("button[value=save]");
		const id = form.split("/").at(-1);
		assert.match((await person.server.ask("events/" + id)).cost, /12/);
	});
	await step("chooses between both texts if somebody else changed it", async () => {
		const other = await person.context.newPage();
		await other.goto(person.server.url + form);
		await other.$eval("#f-description", (e) => { e.value = "Their text"; });
		await Promise.all([other.waitForNavigation(), other.click("button[value=save]:not(.hidden)")]);
		await other.close();
		await person.page.bringToFront();
		await person.fill("cost", "14");
		await person.click("button[value=save]");
		await person.found("fieldset.pick");
		await person.click("button[value=save]");
		const event = await person.server.ask("events/" + form.split("/").at(-1));
		assert.match(event.cost, /14/);
		assert.match(event.description, /Their text/);
	});
	await step("signs in inside of the page if the session is over, and loses nothing", async () => {
		await person.fill("description", "Typed for an hour");
		await person.context.deleteCookie(...(await person.context.cookies()).filter(({ name }) => name.endsWith("session")));
		await person.click("button[value=save]");
		await person.found(".problems");
		await person.fill("sign-in-login", "admin");
		await person.fill("sign-in-token", person.server.token);
		await person.click("main .sheet button");
		assert.match(await person.value("description"), /Typed for an hour/);
	});
	if (scripts) {
		await step("is warned of text that is not saved, and not when it is", async () => {
			let asked = 0;
			person.page.on("dialog", (dialog) => { asked++; dialog.accept(); });
			await person.go(form);
			await person.fill("title", "Morning of " + title);
			await person.click("header a");
			assert.equal(asked, 1);
			await person.go(form);
			await person.fill("title", "Late Morning " + title);
			await person.click("button[value=save]");
			await person.click("header a");
			assert.equal(asked, 1);
			await person.go(form);
		});
		await step("drops a picture on the page", async () => {
			await person.page.evaluate(async () => {
				const canvas = new OffscreenCanvas(60, 40), transfer = new DataTransfer();
				canvas.getContext("2d").fillRect(0, 0, 60, 40);
				transfer.items.add(new File([await canvas.convertToBlob()], "dropped.png", { type: "image/png" }));
				document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
			});
			await person.page.waitForSelector("canvas.thumb");
			await person.click("button[value=save]");
			await person.found("img.thumb");
		});
	}
	return form;
}

async function end(person, step, form, song, venue) {
	const go = async (below, name, look) => { // what the program may not have
		if ((await person.go(form + below)).ok()) {
			await step(name, look);
		}
	};
	await step("adds one like it", async () => {
		await person.click("main a", "one like this");
		assert.equal(await person.value("date"), "");
		await person.fill("date", day(30));
		await person.click("button[value=draft]");
		assert.notEqual(person.path(), form);
	});
	await step("cancels it with a sentence", async () => {
		await person.go(form);
		await person.press("summary", "Cancel");
		await person.fill("reason", "The pianist is ill.");
		await person.click("button[value=canceled]");
		const { url } = await person.server.ask("events/" + form.split("/").at(-1));
		assert.ok((await (await fetch(url)).text()).includes("The pianist is ill."));
	});
	await step("moves it to the trash, and restores it as a draft", async () => {
		await person.press("summary", "Remove");
		await person.click("button[value=trash]");
		await person.click("button[value=restore]");
		await person.found(".badge", "Draft");
	});
	const title = async () => (await person.server.ask("events/" + form.split("/").at(-1))).title, before = await title();
	await go("/changes", "undoes a change", async () => {
		await person.go(form);
		await person.fill("title", "Something else");
		await person.click(".sheet button[value=preview]");
		assert.equal(await title(), "Something else");
		await person.go(form + "/changes");
		await person.click("ol.rows button");
		assert.equal(await title(), before);
	});
	await person.go("/desk/venues?search=" + encodeURIComponent(venue));
	await person.click(".rows a", venue);
	if (await person.page.$("form[action$='/merge']")) {
		await step("merges the venue with another, and its events move along", async () => {
			await person.press("summary", "same as");
			await person.fill("same", "Roxy Cinema");
			await person.click("form[action$='/merge'] button");
			await person.click("main .danger");
			const { events } = await person.server.ask("events?per_page=50&search=" + encodeURIComponent(song));
			assert.deepEqual([...new Set(events.filter((event) => event.title === song).map((event) => event.venue.venue))], ["Roxy Cinema"]);
		});
	}
	await step("merges the picture with another, which its events show then", async () => {
		const pictures = async () => [...new Set((await person.server.ask("events?per_page=50&search=" + encodeURIComponent(song))).events
			.filter((event) => event.title === song).map((event) => event.image.id))];
		const headers = { Authorization: "Bearer " + person.server.token };
		const sent = await fetch(person.server.url + "/cal/events/v1/media?title=Other", { method: "POST", headers: { ...headers,
			"Content-Type": "image/gif" }, body: Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64") });
		const other = (await sent.json()).id, [shown] = await pictures();
		await person.go("/desk/pictures/" + shown);
		await person.click("main a", "same as");
		await person.press(`[name=into][value="${other}"]`);
		await person.click("main .danger");
		await person.found("main", "Merged");
		assert.deepEqual(await pictures(), [other]);
	});
	await step("signs out", async () => {
		await person.go("/desk/");
		await person.click("nav.views a", "admin");
		await person.click("main button", "Sign out");
		await person.go("/desk/");
		await person.found("[name=sign-in-login]");
	});
}

// Tasks, each from the home page, with the most actions that it may take.
const tasks = {
	"add a concert": [12, async (person, file) => {
		await person.click("a.button");
		await person.fill("title", "Concert");
		await person.fill("date", day(2));
		await person.fill("starts", "20:00");
		await person.fill("ends", "22:30");
		await person.fill("venue", "Market Square");
		await person.fill("cost", "12");
		await person.fill("description", "Songs of the sea.");
		await person.fill("picture", file);
		await person.fill("alt", "A choir");
		await person.click("button[value=preview]");
		await person.click(".strip button");
		assert.equal((await person.server.ask("events?search=concert&start_date=" + day(2))).events[0].start_date, day(2) + " 20:00:00");
	}],
	"move it a week": [4, async (person) => {
		await person.click(".rows a", "Concert");
		await person.fill("date", day(9));
		await person.click("button[value=save]");
		assert.equal((await person.server.ask("events?search=concert&start_date=" + day(8))).events[0].start_date, day(9) + " 20:00:00");
	}],
	"cancel one date of a series": [5, async (person) => {
		await person.click(".rows a", "Chess Night");
		await person.press("summary", "Cancel");
		await person.fill("reason", "The room is taken.");
		await person.click("button[value=canceled]");
		await person.go("/desk/?search=chess");
		assert.equal(await person.page.$$eval(".rows li", (all) => all.filter((each) => each.querySelector(".badge")).length), 1);
		assert.ok(await person.page.$$eval(".rows li", (all) => all.length) > 1);
	}],
	"correct a venue's street": [4, async (person) => {
		await person.click("nav.views a", "Places");
		await person.click(".rows a", "Roxy Cinema");
		await person.fill("address", "42 Station Road");
		await person.click("main .sheet button");
		assert.equal((await person.server.ask("venues/by-slug/roxy-cinema")).address, "42 Station Road");
	}],
};

// The page of accounts has this task where there is one.
const second = ["let a second editor in", [6, async (person) => {
	await person.click("nav.views a", "Accounts");
	await person.press("summary", "Add");
	await person.fill("login", "second");
	await person.fill("role", "editor");
	await person.click("button[value=add]");
	assert.match(await person.text("code.link"), /\/desk\/link\?token=/);
}]];

async function work(person, step, file, report) {
	const counts = [];
	const isThere = await person.page.$("a[href$='/desk/accounts']");
	for (const [task, [most, go]] of [...Object.entries(tasks), ...isThere ? [second] : []]) {
		await step(task, async () => {
			await person.go("/desk/");
			person.actions = 0;
			await go(person, file);
			counts.push(`${task} ${person.actions} of ${most}`);
			assert.ok(person.actions <= most, `${person.actions} actions, not ${most}`);
		});
	}
	report.say("  actions: " + counts.join(", "));
}

// bad returns a text that runs, or asks another host, on a page that does not escape it. No field is too short for it.
const bad = (field) => `evil ${field}"'></textarea></title><img src=//evil.test/ onerror=ran=1><script>ran=1</script>`;

// hostile are texts for the fields of a proposal, and for fields that its form does not have; wrong are texts that the form refuses.
const link = "<a href='javascript:window.ran=1'>a</a> [b](javascript:window.ran=1) ![c](https://evil.test/c.png) <iframe src=//evil.test></iframe>";
const hostile = {
	title: bad("title"), date: day(12), venue: bad("venue"), address: bad("address"), organizer: bad("organizer"), cost: bad("cost"),
	website: "https://evil.test/\"onfocus=window.ran=1/autofocus='", description: bad("text") + link, sender: bad("from"),
	email: "'onfocus=window.ran=1/autofocus='/x=`{{9*9}}`@evil.test", remark: bad("remark"), image: "https://evil.test/i.png", slug: bad("slug"),
};
const wrong = { ...hostile, date: bad("date"), starts: bad("starts"), ends: bad("ends"), last: bad("last"), website: "javascript:window.ran=1",
	email: bad("email") + "@evil.test", key: bad("key"), place: bad("place"), tag: bad("tag") };

// send puts raw values into the form of a proposal, whatever its fields take, and sends it.
async function send(person, fields) {
	await person.page.$eval("main form.sheet", (form, fields) => {
		for (const [name, value] of Object.entries(fields)) {
			const field = form.elements[name] ?? form.appendChild(Object.assign(document.createElement("input"), { name }));
			if (field.localName === "input") {
				field.type = "text";
			}
			field.value = value;
		}
	}, fields);
	await person.click("main form.sheet button");
}

// attack sends hostile proposals, and looks at each page that shows them. No policy of contents protects this browser.
async function attack(server, person, reader) {
	const asked = [];
	for (const { page } of [person, reader]) {
		await page.setBypassCSP(true);
		page.on("request", (request) => { asked.push(request.url()); });
		page.on("dialog", (dialog) => { dialog.accept(); }); // a warning of text that is not saved
	}
	const quiet = async (someone, isShown) => {
		const { page } = someone, address = page.url();
		assert.ok((await page.content()).includes("evil") || !isShown, address + " does not show the texts");
		const found = await page.evaluate(() => {
			const dead = ({ name, value }) => !/^on/.test(name) && (name === "value" || !/^\s*javascript:/i.test(value));
			const alive = [...document.querySelectorAll("*")].filter((e) => ![...e.attributes].every(dead) ||
				e.matches("iframe, object, embed, base, script:not([nonce], [type$=json])"));
			return [...window.ran ? ["ran"] : [], ...alive.map((e) => e.outerHTML.slice(0, 200))];
		});
		assert.deepEqual(found, [], address);
		assert.deepEqual(asked.filter((url) => !url.startsWith(server.url + "/") && !url.startsWith("data:")), [], address);
	};
	const look = async (someone, address, isShown = true) => {
		const answer = await someone.go(address);
		assert.ok(answer.ok() || answer.status() === 422, `${address}: ${answer.status()}`);
		await quiet(someone, isShown);
	};
	await reader.go("/events/suggest/");
	await aWhile();
	await send(reader, wrong);
	await reader.found(".problems");
	await quiet(reader, true);
	const proposals = [];
	for (const title of ["Second ", ""]) {
		await reader.go("/events/suggest/");
		await aWhile();
		await send(reader, { ...hostile, title: title + hostile.title });
		assert.match(reader.path(), /^\/events\/suggest\/\d+\/\w+\/$/, await reader.text("main"));
		await quiet(reader, true);
		proposals.push(reader.path());
	}
	await reader.go(`${reader.path()}?change=1`);
	await send(reader, { ...wrong, tag: "" });
	await reader.found(".problems");
	await quiet(reader, true);
	const [first, second] = proposals.map((path) => path.split("/")[3]);
	const event = await server.ask("events/" + second), venue = event.venue.id, organizer = event.organizer[0].id;
	const pages = ["waiting", "waiting?all=1", `waiting/${first}`, `waiting/${second}`, "?state=pending", `?search=evil`, `events/${second}`,
		`events/${second}/preview`, `events/${second}/changes`, "venues", `venues/${venue}`, `venues/${venue}/changes`,
		`venues/${venue}/merge?same=${encodeURIComponent(bad("venue"))}`, "organizers", `organizers/${organizer}`, `events/new?like=${second}`];
	for (const page of pages) {
		await look(person, "/desk/" + page, page !== "?search=evil" && !page.includes("new?") && !page.includes("merge"));
	}
	await person.go(`/desk/events/${second}`);
	const headers = { Authorization: "Bearer " + server.token }, body = new URLSearchParams({ description: bad("theirs") });
	await fetch(`${server.url}/cal/events/v1/events/${second}`, { method: "POST", headers, body });
	await person.fill("description", bad("ours"));
	await person.click(".sheet button[value=preview]");
	await person.found("fieldset.pick");
	await quiet(person, true);
	await person.go("/desk/waiting");
	await person.press(`.rows li:has(a[href$="/${first}"]) [type=checkbox]`);
	await person.click("button[value=decline]");
	await quiet(person, true);
	await person.fill("reason", bad("reason"));
	await person.click("main .danger");
	await quiet(person, false);
	await look(reader, proposals[0]);
	await person.go(`/desk/waiting/${second}`);
	await person.click("button[value=publish]");
	await quiet(person, false);
	for (const address of [proposals[1], "/events/", event.url.replace(/^https?:\/\/[^/]+/, ""), "/events/list/"]) {
		await look(reader, address, address !== proposals[1]);
	}
	await look(person, "/desk/");
}

// first is the way from the first start of a server to the first event, and a proposal of somebody without an account.
async function first(browser, step, directory, scripts) {
	const server = await serve(process.env.BINARY, directory, ["-submissions", "admin"]), person = await Person.enter(browser, server, { size: phone, scripts });
	try {
		await step("opens the first page by the address that the first start prints, names the calendar, and chooses its country", async () => {
			await person.page.goto(server.desk);
			await person.click("main button");
			assert.equal(person.path(), "/desk/site");
			await person.fill("name", "Weir Choir");
			await person.fill("region", "AT");
			if (!scripts) { // which show what is usual there at once
				await person.click("main button");
				await person.found("[role=status]", "Austria");
			}
			for (const [name, value] of Object.entries({ zone: "Europe/Vienna", currency: "EUR", first: "monday", clock: "24", language: "en" })) {
				assert.equal(await person.value(name), value);
			}
			const [, shown] = /(\d\d:\d\d)/.exec(await person.text(".there")), minutes = (time) => time.split(":")[0] * 60 + +time.split(":")[1];
			const there = new Intl.DateTimeFormat("en", { timeStyle: "short", hourCycle: "h23", timeZone: "Europe/Vienna" }).format();
			assert.ok((minutes(there) - minutes(shown) + 1440) % 1440 < 5, `${shown} is shown at ${there}`);
			await person.click("main button");
			assert.equal(person.path(), "/desk/events/new");
		});
		await step("adds the first event, which readers see below the name of the calendar", async () => {
			await person.fill("title", "First rehearsal");
			await person.fill("date", day(9));
			await person.fill("starts", "19:30");
			await person.fill("cost", "12");
			await person.click("button", "Publish");
			await person.go("/events/");
			assert.match(await person.text("body"), /Weir Choir[^]*First rehearsal[^]*19:30[^]*€\s?12/);
			const [event] = (await server.ask("events")).events;
			assert.deepEqual([event.start_date, event.timezone], [day(9) + " 19:30:00", "Europe/Vienna"]);
		});
		const reader = await Person.enter(browser, server, { size: phone, scripts });
		await step("takes the proposal of a reader, whose texts do nothing, and publishes it", async () => {
			await reader.go("/events/");
			await reader.click("a", "Suggest an event");
			await reader.fill("title", "Flea market <img src=x onerror=document.title='ran'>");
			await reader.fill("date", day(10));
			await reader.fill("sender", "Ann <b>Bird</b>");
			await reader.fill("email", "ann@example.org");
			await aWhile();
			await reader.click("main button", "Send");
			assert.match(reader.path(), /^\/events\/suggest\/\d+\/\w+\/$/);
			await person.go("/desk/waiting");
			await person.click("main li a", "Flea market");
			assert.ok((await person.text("body")).includes("Ann <b>Bird</b>"));
			await person.click("button", "Publish");
			await reader.go("/events/");
			assert.match(await reader.text("body"), /Flea market/);
			assert.ok(!(await reader.text("body")).includes("ann@example.org"));
			for (const someone of [person, reader]) {
				assert.notEqual(await someone.page.title(), "ran");
			}
		});
		await step("looks at proposals with hostile texts in each field, and nothing runs or asks another host", () => attack(server, person, reader));
		await step("declines all that wait with at most six actions", async () => {
			const [, stamp] = /name="stamp" value="([^"]*)"/.exec(await (await fetch(server.url + "/events/suggest/")).text());
			await aWhile();
			for (const title of ["Spam", "More spam", "Most spam"]) {
				const fields = { title, date: day(9), sender: "Bot", email: "bot@example.org", stamp, key: title.padEnd(26, "X") };
				const answer = await fetch(server.url + "/events/suggest/", { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
				assert.equal(answer.status, 303);
			}
			await person.go("/desk/");
			person.actions = 0;
			await person.click("nav.views a", "Waiting");
			await person.click("main a", "Tick all");
			await person.click("main button", "Decline");
			await person.fill("reason", "This is no event.");
			await person.click("main .danger");
			assert.equal(person.path(), "/desk/waiting");
			assert.equal((await person.page.$$("main .rows li")).length, 0);
			assert.ok(person.actions <= 6, `${person.actions} actions`);
		});
		await reader.context.close();
	} finally {
		await person.context.close();
		server.stop();
	}
}

module.exports = async function({ browser, report }) {
	const directory = fs.mkdtempSync(path.join(process.env.WORK, "desk-")), file = path.join(directory, "poster.jpg");
	const server = await serve(process.env.BINARY, path.join(directory, "data"));
	await poster(browser, file);
	const step = async (name, look) => {
		try {
			await look();
			report.say("  " + name);
		} catch (error) {
			report.fault(`${name}: ${error.message.replace(/\s+/g, " ").slice(0, 500)}`);
			throw error;
		}
	};
	try {
		for (const scripts of [true, false]) {
			for (const [window, size] of Object.entries({ "on a phone": phone, "in a wide window": wide })) {
				const name = `${window} with scripts ${scripts ? "on" : "off"}`, person = await Person.enter(browser, server, { size, scripts });
				const venue = venues.shift();
				report.say("");
				report.say(`The desk ${name}`);
				try {
					await begin(person, step);
					const title = await add(person, step, name, venue, scripts, file);
					const form = await change(person, step, title, scripts);
					if (scripts && size === phone) {
						await work(person, step, file, report);
						await person.go(form);
					}
					await end(person, step, form, title, venue);
				} catch (error) {
					if (process.env.FAULTS) {
						await person.page.screenshot({ path: path.join(process.env.FAULTS, "fault.png"), fullPage: true });
						console.log(error);
					}
				}
				await person.context.close();
			}
		}
	} finally {
		server.stop();
	}
	for (const scripts of [true, false]) {
		report.say("");
		report.say(`A new calendar on a phone with scripts ${scripts ? "on" : "off"}`);
		await first(browser, step, path.join(directory, `first-${scripts}`), scripts).catch((error) => process.env.FAULTS && console.log(error));
	}
};

Object.assign(module.exports, { serve, town, Person, day, phone, wide, aWhile });

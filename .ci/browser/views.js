// Every view in a browser: violations of accessibility rules (axe-core), what it loads, what
// the console says, what moves, what does not fit, and what other media hide.
"use strict";

const axe = require("axe-core");
const inside = require("./inside");

const wide = { width: 1280, height: 900 }, phone = { width: 390, height: 844, deviceScaleFactor: 2 };
const looks = [["wide, light", "light", wide], ["wide, dark", "dark", wide], ["phone, light", "light", phone],
	["phone, dark", "dark", phone]];
// 320 pixels are WCAG's narrowest, and a window of 1280 has 640 of CSS at 200 %.
const narrow = { "at 320 px": { width: 320, height: 700 }, "at 200 %": { width: 640, height: 450, deviceScaleFactor: 2 } };
const tested = ["en", "de", "ar", "ja"], styleMost = 8 * 1024, shiftMost = 0.01;

// A Window is a tab, and what was loaded and said in it.
class Window {
	static async open(browser) {
		const window = new Window();
		window.page = await browser.newPage();
		window.page.setDefaultTimeout(120_000);
		window.client = await window.page.createCDPSession();
		await window.client.send("Network.enable");
		await window.client.send("Network.setCacheDisabled", { cacheDisabled: true });
		window.client.on("Network.responseReceived", ({ requestId, response, type }) => {
			// Chromium draws controls of forms with data, and asks each site once for its icon.
			if (!response.url.startsWith("data:") && !response.url.endsWith("/favicon.ico")) {
				window.loaded.set(requestId, { type, url: response.url, bytes: 0 });
			}
		});
		window.client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
			if (window.loaded.has(requestId)) {
				window.loaded.get(requestId).bytes = encodedDataLength;
			}
		});
		window.page.on("console", (message) => {
			if (message.location().url !== window.missing) { // that a page is missing is said of every missing page
				window.said.push(`${message.text()} ${message.location().url ?? ""}`);
			}
		});
		return window;
	}

	// go opens an address, of a page that is missing or is not.
	async go(address, isMissing) {
		this.loaded = new Map();
		this.said = [];
		this.missing = isMissing ? address : undefined;
		await this.resize(wide);
		await this.pretend({});
		await this.page.goto(address, { waitUntil: "load" });
	}

	// bytes returns the bytes of what was loaded of a type, as they were sent.
	bytes(type) {
		return [...this.loaded.values()].filter((each) => each.type === type).reduce((sum, each) => sum + each.bytes, 0);
	}

	// pretend makes the page believe in a scheme of colours and other features, or in paper.
	pretend(features, media = "") {
		const list = Object.entries(features).map(([name, value]) => ({ name, value }));
		return this.client.send("Emulation.setEmulatedMedia", { media, features: list });
	}

	resize = (size) => this.page.setViewport(size);
	ask = (question, ...values) => this.page.evaluate(question, ...values);
}

// weigh yields what a page loads that it should not, what the console says, and what moves.
async function* weigh(window, address, pictureHost) {
	const shift = await window.ask(inside.shifts), { origin } = new URL(address);
	for (const { type, url } of window.loaded.values()) {
		const ours = new URL(url).origin === origin, isPicture = type === "Image" && new URL(url).host === pictureHost;
		if (!isPicture && (!ours || !["Document", "Stylesheet", "Image"].includes(type))) {
			yield `loads ${url} (${type})`;
		}
	}
	yield* window.said.map((line) => "console: " + line);
	if (window.bytes("Stylesheet") > styleMost) {
		yield `loads style sheets of ${window.bytes("Stylesheet")} bytes`;
	}
	if (shift > shiftMost) {
		yield `moves: the layout shifts by ${shift}`;
	}
}

// hide yields what forced colours and paper hide of a page.
async function* hide(window, scheme) {
	const features = { "prefers-color-scheme": scheme }, { texts } = await window.ask(inside.shown);
	for (const [name, more, media] of [["forced colours", { "forced-colors": "active" }], ["paper", {}, "print"]]) {
		await window.pretend({ ...features, ...more }, media);
		const seen = await window.ask(inside.shown), all = new Set(seen.texts);
		yield* (await window.ask(inside.untitled)).map((text) => `hides (${name}, the title of a bar): ${text}`);
		yield* texts.filter((text) => !all.has(text)).slice(0, 3).map((text) => `hides (${name}): ${text}`);
		yield* (media ? seen.pale : []).slice(0, 3).map((text) => `hides (${name}, too pale): ${text}`);
	}
	await window.pretend(features);
}

// fit yields what has to be scrolled sideways.
async function* fit(window) {
	for (const [name, size] of Object.entries(narrow)) {
		await window.resize(size);
		const found = await window.ask(inside.overflow);
		yield* found ? [`reaches out ${name}: ${found}`] : [];
	}
	await window.resize(wide);
	await window.ask(() => { document.documentElement.style.fontSize = "200%"; });
	const found = await window.ask(inside.overflow);
	yield* found ? [`reaches out with text of 200 %: ${found}`] : [];
}

// begin yields what of the first request of /docs, and of its answer, a phone shows only further down.
async function* begin(window) {
	await window.resize(phone);
	for (const part of ["first", "answer"]) {
		const end = await window.ask((id) => document.getElementById(id)?.getBoundingClientRect().bottom, part);
		yield* end > phone.height ? [`reaches out of a phone: #${part} ends at ${end} of ${phone.height}`] : [];
	}
}

// inspect yields all that is wrong with a page.
async function* inspect(window, address, pictureHost, looked, withRules) {
	yield* weigh(window, address, pictureHost);
	for (const [name, scheme, size] of looked) {
		await window.pretend({ "prefers-color-scheme": scheme });
		await window.resize(size);
		for (const violation of withRules ? await window.ask(inside.violations, axe.source) : []) {
			yield `breaks (${name}) ${violation}`;
		}
		yield* hide(window, scheme);
	}
	yield* begin(window);
	yield* fit(window);
}

module.exports = async function({ server, browser, views, languages, options, report }) {
	const looked = options.all ? looks : [looks[0], looks[3]], asked = options.all ? languages : ["en", "ar"];
	const rules = tested.filter((tag) => asked.includes(tag)), window = await Window.open(browser);
	report.say("");
	report.say(`Views, in ${asked.length} languages; axe-core in ${rules.join(", ")}, ${looked.map(([name]) => name).join("; ")}`);
	report.say("view          violations  loads more or moves  reaches out  hides  HTML and style, compressed");
	for (const [view, path] of Object.entries(views)) {
		const faults = new Map(), sizes = { Document: 0, Stylesheet: 0 };
		for (const language of asked) {
			const address = `${server.url}/${language}${path}`;
			await window.go(address, view === "error");
			for (const type of Object.keys(sizes)) {
				sizes[type] = Math.max(sizes[type], window.bytes(type));
			}
			for await (const fault of inspect(window, address, server.pictureHost, looked, rules.includes(language))) {
				faults.set(fault, language);
			}
		}
		const count = (...words) => String([...faults.keys()].filter((fault) => words.includes(fault.split(/[ :]/)[0])).length);
		report.say(view.padEnd(14) + count("breaks").padEnd(12) + count("loads", "console", "moves").padEnd(21) + count("reaches").padEnd(13) +
			count("hides").padEnd(7) + `${sizes.Document} and ${sizes.Stylesheet}`);
		faults.forEach((language, fault) => report.fault(`${view}, ${language}: ${fault}`));
	}
	await window.page.close();
};

// A visitor without scripts, who reads, clicks and types: what is visible is looked at in each step.
"use strict";

const assert = require("node:assert/strict");
const { password, secret } = require("./site");

// A Visit is a window without scripts. It acts as a person does, by pointer and keyboard, on
// what is visible.
class Visit {
	constructor(page, report) {
		this.page = page;
		this.report = report;
	}

	// found returns the first visible element of a selector that has a text.
	async found(selector, text = "") {
		for (const element of await this.page.$$(selector)) {
			if (await element.evaluate((e, part) => e.checkVisibility({ visibilityProperty: true }) && e.innerText.includes(part), text)) {
				return element;
			}
		}
		throw new assert.AssertionError({ message: `${this.page.url()} shows no ${selector} with ${JSON.stringify(text)}` });
	}

	text = async (selector) => (await this.found(selector)).evaluate((element) => element.innerText.trim());
	texts = (selector) => this.page.$$eval(selector, (all) => all.filter((e) => e.checkVisibility()).map((e) => e.innerText.trim()));
	path = () => new URL(this.page.url()).pathname;

	// load does what leads to another page, and waits for that.
	async load(act) {
		const [response] = await Promise.all([this.page.waitForNavigation({ waitUntil: "load" }), act()]);
		return response;
	}

	async click(selector, text) {
		const element = await this.found(selector, text);
		return this.load(() => element.click());
	}

	async step(name, look) {
		try {
			await look();
			this.report.say("  " + name);
		} catch (error) {
			this.report.fault(`${name}: ${error.message.replace(/\s+/g, " ").slice(0, 500)}`);
			throw error;
		}
	}
}

// walk goes the way of a visitor with a pointer.
async function walk(visit, server) {
	const { page } = visit;
	await visit.step("the month has its days and events, and says which is today", async () => {
		await page.goto(server.url + "/events/month/");
		assert.equal(await visit.text("h1"), "November 2026");
		assert.match(await visit.text("td[aria-current=date]"), /\b18\b/);
		assert.ok((await visit.texts("table td a")).includes("Saturday Market"));
	});
	await visit.step("next month", async () => {
		await visit.click("a[rel=next]");
		assert.equal(await visit.text("h1"), "December 2026");
		await visit.found("table td a", "Christmas Market");
		await visit.found("a[rel=prev]");
	});
	await visit.step("a day of it", async () => {
		await visit.click("table time[datetime='2026-12-03']");
		assert.match(await visit.text("h1"), /\b3\b/);
		assert.equal(visit.path(), "/events/2026-12-03/");
		await visit.found("main h2", "Christmas Market");
	});
	await visit.step("an event of the day", async () => {
		await visit.click("main h2 a", "Christmas Market");
		assert.equal(await visit.text("h1"), "Christmas Market");
		assert.match(await visit.text("main time"), /December\s3|3\sDecember/);
		await (await visit.found("main summary")).click();
		await visit.found("main a[href$='ical/'], main a[href*='.ics']");
	});
	await visit.step("its venue, with what is on there", async () => {
		await visit.click("main a[href*='/venue/']", "Market Square");
		assert.equal(await visit.text("h1"), "Market Square");
		await visit.found("address");
		assert.ok((await visit.texts("main h3 a, main h4 a")).includes("Saturday Market"));
	});
	await visit.step("back to the event", async () => {
		await visit.load(() => page.goBack());
		assert.equal(await visit.text("h1"), "Christmas Market");
	});
	await visit.step("search, typed and sent with Enter", async () => {
		await visit.click("header a", "Harrowmere");
		if (!await page.$eval("input[type=search]", (input) => input.checkVisibility())) {
			await (await visit.found("header summary")).click();
		}
		await (await visit.found("input[type=search]")).click();
		await page.keyboard.type("rehearsal");
		await visit.load(() => page.keyboard.press("Enter"));
		const titles = await visit.texts("article h3");
		assert.ok(titles.length > 0);
		titles.forEach((title) => assert.match(title, /rehearsal/i));
		assert.match(await visit.text("h1"), /rehearsal/);
		assert.equal(await page.$eval("input[type=search]", (input) => input.value), "rehearsal");
	});
	await visit.step("each line of an entry leads to its event", async () => {
		const missed = await page.$$eval(".entry", (entries) => entries.flatMap((entry) => [...entry.querySelectorAll(".when > *, .facts > span, .summary, img")]
			.filter((part) => part.checkVisibility() && !part.querySelector("a")).map((part) => {
				part.scrollIntoView({ block: "center" });
				const { left, top, width, height } = part.getBoundingClientRect();
				const pressed = document.elementFromPoint(left + width / 2, top + height / 2).closest("a");
				return pressed === entry.querySelector("a") ? "" : part.textContent;
			}).filter(Boolean)));
		assert.deepEqual(missed, []);
	});
	await visit.step("the search is lifted by its link", async () => {
		await visit.click(".said a");
		assert.equal(visit.path(), "/events/");
		assert.ok((await visit.texts("article h3")).some((title) => !/rehearsal/i.test(title)));
	});
	await visit.step("filter, opened and chosen with the keyboard", async () => {
		const select = await page.$("select[name=categories]");
		if (!await select.evaluate((element) => element.checkVisibility())) {
			await (await visit.found("header summary")).click();
		}
		await (await visit.found("select[name=categories]")).focus();
		await page.keyboard.type("Film");
		await visit.load(async () => (await visit.found("form button")).click());
		const { id } = (await server.ask("categories?search=film&per_page=1&_fields=categories")).categories[0];
		const { events } = await server.ask(`events?categories=${id}&_fields=events`);
		assert.deepEqual(await page.$$eval("article h3 a", (links) => links.map((link) => link.href)), events.map((event) => event.url));
		assert.match(await visit.text(".said"), /Film/);
	});
	await visit.step("the language switch stays on the page, and keeps the filter", async () => {
		const titles = await visit.texts("article h3"), query = new URL(page.url()).searchParams.get("categories");
		await (await visit.found("footer summary")).click();
		await visit.click("footer a[hreflang=de]");
		assert.equal(await page.$eval("html", (html) => html.lang), "de");
		assert.equal(visit.path(), "/de/events/");
		assert.equal(new URL(page.url()).searchParams.get("categories"), query);
		assert.deepEqual(await visit.texts("article h3"), titles);
		assert.match(await visit.text("article time"), /Uhr|\d\d:\d\d/);
	});
	await visit.step("right to left", async () => {
		await (await visit.found("footer summary")).click();
		await visit.click("footer a[hreflang=ar]");
		assert.equal(await page.$eval("html", (html) => getComputedStyle(html).direction), "rtl");
	});
}

// unlock opens a locked event.
async function unlock(visit, server) {
	const { page } = visit;
	const send = async (text) => {
		await (await visit.found("input[type=password]")).click();
		await page.keyboard.type(text);
		return visit.load(() => page.keyboard.press("Enter"));
	};
	await visit.step("a locked event shows a form and nothing inside", async () => {
		await page.goto(server.url + "/event/committee-of-the-choir/");
		await visit.found("input[type=password]");
		assert.ok(!(await page.content()).includes(secret));
	});
	await visit.step("a wrong password is said to be wrong, by the field", async () => {
		await send("open barley");
		assert.equal(await page.$eval("input[type=password]", (input) => input.getAttribute("aria-invalid")), "true");
		assert.ok(await visit.text("[role=alert]"));
		assert.ok(!(await page.content()).includes(secret));
	});
	await visit.step("the right one opens it", async () => {
		await send(password);
		await visit.found("main p", secret);
		assert.equal(await page.$("input[type=password]"), null);
	});
}

// keys goes by keyboard alone: past the header to the first event, and into it.
async function keys(visit, server) {
	const { page } = visit;
	const focused = () => page.evaluate(() => {
		const { activeElement: element } = document, box = element.getBoundingClientRect(), style = getComputedStyle(element);
		return {
			href: element.getAttribute("href"), inMain: document.querySelector("main").contains(element), outlined: style.outlineStyle !== "none",
			seen: box.width > 0 && box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight,
		};
	});
	await visit.step("by keyboard: Tab shows the link past the header", async () => {
		await page.goto(server.url + "/events/");
		await page.keyboard.press("Tab");
		assert.deepEqual(await focused(), { href: "#main", inMain: false, outlined: true, seen: true });
	});
	await visit.step("by keyboard: Enter and Tab lead to the content", async () => {
		await page.keyboard.press("Enter");
		await page.waitForFunction(() => location.hash === "#main", { polling: 50 });
		await page.keyboard.press("Tab");
		const { inMain, outlined, seen } = await focused();
		assert.deepEqual({ inMain, outlined, seen }, { inMain: true, outlined: true, seen: true });
	});
	await visit.step("by keyboard: the first event opens with Enter", async () => {
		while (!(await focused()).href.includes("/event/")) {
			await page.keyboard.press("Tab");
		}
		const title = await page.evaluate(() => document.activeElement.innerText);
		await visit.load(() => page.keyboard.press("Enter"));
		assert.equal(await visit.text("h1"), title);
	});
}

module.exports = async function({ server, browser, report }) {
	const phone = { width: 390, height: 844, hasTouch: true, isMobile: true };
	const sizes = { "in a wide window": { width: 1280, height: 900 }, "on a phone": phone };
	for (const [name, size] of Object.entries(sizes)) {
		const context = await browser.createBrowserContext(), page = await context.newPage();
		await page.setViewport(size);
		await page.setJavaScriptEnabled(false);
		page.setDefaultTimeout(120_000);
		report.say("");
		report.say(`A visit with scripts off, ${name}`);
		for (const way of [walk, unlock, keys]) {
			try {
				await way(new Visit(page, report), server);
			} catch (error) {
				if (!(error instanceof assert.AssertionError)) {
					throw error;
				}
			}
		}
		await context.close();
	}
};

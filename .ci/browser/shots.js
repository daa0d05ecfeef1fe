// Pictures of every view in four languages, light and dark, on a phone and in a wide window, to be looked at:
// one sheet for each view, size and turn of schemes.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const languages = ["en", "de", "ar", "ja"], schemes = ["light", "dark"];
const sizes = { phone: { width: 390, height: 844, columns: 4 }, wide: { width: 1280, height: 900, columns: 2 } };

// shoot returns what a page shows, as an <img>: its beginning, or what comes next.
async function shoot(page, address, scheme, { width, height }, isNext) {
	await page.setViewport({ width, height });
	await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
	await page.goto(address, { waitUntil: "load" });
	const whole = await page.evaluate(() => document.documentElement.scrollHeight);
	const y = isNext ? Math.min(height, Math.max(0, whole - height)) : 0;
	await page.evaluate((top) => scrollTo(0, top), y); // pictures are loaded where they are seen
	await new Promise((resolve) => { setTimeout(resolve, 150); });
	const data = await page.screenshot({ encoding: "base64" });
	return `<img src="data:image/png;base64,${data}" width="${width}">`;
}

module.exports = async function({ server, browser, views, report }) {
	const directory = process.env.SHOTS || "pages-shots", page = await browser.newPage();
	page.setDefaultTimeout(120_000);
	fs.mkdirSync(directory, { recursive: true });
	for (const [view, address] of Object.entries(views).filter(([name]) => !process.env.VIEWS || process.env.VIEWS.split(",").includes(name))) {
		for (const [name, size] of Object.entries(sizes)) {
			for (const turn of [0, 1]) {
				for (let from = 0; from < languages.length; from += size.columns) {
					const shots = [];
					for (let i = from; i < from + size.columns; i++) {
						shots.push(await shoot(page, `${server.url}/${languages[i]}${address}`, schemes[(i + turn) % 2], size, turn === 1));
					}
					await page.goto("about:blank");
					await page.setViewport({ width: size.columns * (size.width + 8), height: 100 });
					await page.setContent(`<body style="margin:0;background:#888;display:grid;gap:8px;align-items:start;grid-template-columns:repeat(${
						size.columns},${size.width}px)">${shots.join("")}`);
					const file = path.join(directory, `${view.replaceAll(" ", "-")}-${name}-${turn + 1}-${languages[from]}.png`);
					await page.screenshot({ path: file, fullPage: true });
					report.say(file);
				}
			}
		}
	}
	await page.close();
};

// What Lighthouse thinks of pages, on a phone and on a desktop.
"use strict";

const os = require("node:os");

const judged = ["accessibility", "best-practices", "seo"], onlyCategories = [...judged, "performance"];
const measured = ["list", "month", "day", "event", "venue", "search", "docs"];
const timings = { paint: "largest-contentful-paint", blocked: "total-blocking-time", shifted: "cumulative-layout-shift" };

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const least = (numbers) => Math.min(...numbers);

// faultsOf returns what Lighthouse holds against a page in the categories that are judged.
function* faultsOf({ categories, audits }) {
	for (const name of judged) {
		for (const { id, weight } of categories[name].auditRefs) {
			const { score, title, details } = audits[id];
			if (weight > 0 && score !== null && score < 1) {
				yield `${name}: ${title} ${JSON.stringify(details?.items?.slice(0, 3) ?? "").slice(0, 500)}`;
			}
		}
	}
}

module.exports = async function({ server, browser, views, options, report }) {
	const load = async (name) => (await import(require.resolve(name))).default;
	const lighthouse = await load("lighthouse"), desktop = await load("lighthouse/core/config/desktop-config.js");
	const port = Number(new URL(browser.wsEndpoint()).port);
	const devices = [["phone", undefined], ["desktop", desktop]].slice(0, options.all || options.parts.length === 1 ? 2 : 1);

	report.say("");
	report.say(`Lighthouse, ${options.runs} of each; performance and times are medians (and the least), other scores the least`);
	report.say("view    on       accessibility  best practices  SEO  performance  largest paint  blocked  shifted");
	for (const view of measured) {
		for (const [device, config] of devices) {
			const found = { paint: [], blocked: [], shifted: [] }, faults = new Set();
			for (let run = 0; run < options.runs; run++) {
				const { lhr } = await lighthouse(server.url + views[view], { port, logLevel: "silent", onlyCategories }, config);
				if (lhr.runtimeError) {
					throw new Error(`Lighthouse saw nothing of ${view}: ${lhr.runtimeError.message}`);
				}
				onlyCategories.forEach((name) => (found[name] ??= []).push(Math.round(lhr.categories[name].score * 100)));
				Object.entries(timings).forEach(([name, id]) => found[name].push(lhr.audits[id].numericValue));
				[...faultsOf(lhr)].forEach((fault) => faults.add(fault));
			}
			const [accessibility, practices, seo] = judged.map((name) => String(least(found[name])));
			report.say(view.padEnd(8) + device.padEnd(9) + accessibility.padEnd(15) + practices.padEnd(16) + seo.padEnd(5) +
				`${median(found.performance)} (${least(found.performance)})`.padEnd(13) + `${Math.round(median(found.paint))} ms`.padEnd(15) +
				`${Math.round(median(found.blocked))} ms`.padEnd(9) + median(found.shifted).toFixed(3));
			faults.forEach((fault) => report.fault(`${view}, ${device}, ${fault}`));
		}
	}
	report.say(`(the machine had ${os.loadavg()[1].toFixed(1)} programs to run on ${os.cpus().length} processors)`);
};

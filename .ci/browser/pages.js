// Looks at the pages of a server with a browser and prints tables of what it found.
//
// usage: see .ci/pages, which starts this
"use strict";

const fs = require("node:fs");
const puppeteer = require("puppeteer-core");
const site = require("./site");

const parts = ["lighthouse", "views", "html", "month", "visit", "desk", "desk-pages"];
const kept = "testdata/pages.txt";

// A Report prints lines, keeps them, and counts what is wrong.
class Report {
	lines = [];
	wrong = 0;

	say(line) {
		console.log(line);
		this.lines.push(line);
	}

	fault(line) {
		this.wrong++;
		this.say("  wrong: " + line);
	}
}

// readOptions returns what the arguments say.
function readOptions(args) {
	const options = { runs: 1, all: false, write: false, parts: [] };
	for (let i = 0; i < args.length; i++) {
		switch (args[i]) {
		case "-runs": options.runs = Number(args[++i]); break;
		case "-all": options.all = true; break;
		case "-write": options.all = options.write = true; break;
		default: options.parts.push(args[i]);
		}
	}
	const unknown = options.parts.find((part) => part !== "shots" && !parts.includes(part));
	if (unknown || !(options.runs >= 1)) {
		throw new Error(unknown ? `there is no part ${unknown}; there are ${parts.join(", ")}` : "-runs takes a number from 1 on");
	}
	if (options.parts.length === 0) {
		options.parts = parts;
	} else if (options.write) {
		throw new Error("-write keeps the tables of all parts, and takes none");
	}
	return options;
}

async function main() {
	const options = readOptions(process.argv.slice(2)), report = new Report();
	const server = await site.start(process.env.BINARY);
	let browser;
	try {
		// A container has no user namespaces for Chromium's sandbox; all that it loads is ours.
		const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
		browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args });
		await site.write(server);
		const { all, missing } = await site.views(server), languages = await site.languages(server);
		const version = (name) => require(require.resolve(name + "/package.json")).version;
		report.say(`${await browser.version()}, Lighthouse ${version("lighthouse")}, axe-core ${version("axe-core")}, Nu ${version("vnu-jar")}`);
		for (const name of missing) {
			report.say(`skipped: the program has no view ${name}`);
		}
		for (const part of options.parts) {
			const began = Date.now();
			await require("./" + part)({ server, browser, views: all, languages, options, report });
			console.log(`(${part}: ${Math.round((Date.now() - began) / 1000)} s)`);
		}
	} finally {
		await browser?.close();
		server.stop();
	}
	report.say(report.wrong ? `${report.wrong} wrong` : "nothing is wrong");
	if (options.write) {
		fs.writeFileSync(kept, report.lines.join("\n") + "\n");
	}
	process.exitCode = report.wrong ? 1 : 0;
}

main().catch((error) => {
	console.error(error);
	process.exitCode = 1;
});

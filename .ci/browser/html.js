// Errors that the Nu checker and tidy find in the HTML of every view in every language.
"use strict";

const { execFileSync, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const has = (program) => spawnSync(program, ["-version"]).error === undefined;

// nu returns what the Nu checker says of the files of a directory.
function nu(directory) {
	const flags = ["-jar", require.resolve("vnu-jar/build/dist/vnu.jar"), "--format", "json", "--exit-zero-always", "--stdout", directory];
	return JSON.parse(execFileSync("java", flags, { maxBuffer: 1 << 28 })).messages;
}

// tidy returns the lines of errors that tidy, which is older than <search>, says of a file.
function tidy(file) {
	const flags = ["-e", "-q", "-utf8", "--show-warnings", "no", "--new-blocklevel-tags", "search"];
	return spawnSync("tidy", [...flags, file], { encoding: "utf8" }).stderr.split("\n").filter((line) => line.includes(" Error: "));
}

module.exports = async function({ server, views, languages, report }) {
	const directory = fs.mkdtempSync(path.join(process.env.WORK, "html-")), files = [];
	const save = (name, html) => {
		files.push(path.join(directory, name + ".html"));
		fs.writeFileSync(files.at(-1), html);
	};
	for (const language of languages) {
		for (const [view, address] of Object.entries(views)) {
			save(`${language} ${view}`, await (await fetch(`${server.url}/${language}${address}`)).text());
		}
	}
	for (const language of languages) {
		const wrong = { method: "POST", body: new URLSearchParams({ password: "wrong" }) };
		save(`${language} wrong password`, await (await fetch(`${server.url}/${language}${views.password}`, wrong)).text());
	}
	report.say("");
	report.say(`HTML of ${files.length / languages.length} views in ${languages.length} languages`);
	if (has("java")) {
		const messages = nu(directory), errors = messages.filter((message) => message.type !== "info");
		const warnings = messages.filter((message) => message.subType === "warning");
		report.say(`the Nu checker: ${errors.length} errors, ${warnings.length} warnings`);
		for (const each of new Map(errors.map((error) => [error.message, error])).values()) { // one of a kind
			report.fault(`${path.basename(decodeURI(each.url ?? ""))}:${each.lastLine}: ${each.message}: ${each.extract}`);
		}
		new Set(warnings.map((warning) => warning.message)).forEach((text) => report.say("  warning: " + text));
	} else {
		report.say("skipped: no java for the Nu checker");
	}
	if (has("tidy")) {
		const errors = files.flatMap((file) => tidy(file).map((line) => [line.replace(/^.* Error: /, ""), path.basename(file) + ": " + line]));
		report.say(`tidy: ${errors.length} errors`);
		new Map(errors).forEach((line) => report.fault(line));
	} else {
		report.say("skipped: no tidy");
	}
};

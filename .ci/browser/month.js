// What a month of 200 events weighs.
"use strict";

const zlib = require("node:zlib");

const most = 20 * 1024;

module.exports = async function({ server, report }) {
	const response = await fetch(server.url + "/events/month/2028-06/", { headers: { "Accept-Encoding": "gzip" } });
	const html = Buffer.from(await response.arrayBuffer()); // fetch has unpacked it
	const size = Number(response.headers.get("content-length"));
	report.say("");
	if (response.headers.get("content-encoding") !== "gzip" || !size) {
		report.fault("the month of 200 events is not sent compressed, with its length");
		return;
	}
	report.say(`A month of 200 events is ${size} bytes compressed, ${html.length} unpacked, of at most ${most}`);
	if (size > most || zlib.gzipSync(html).length > most) {
		report.fault("it is heavier than that");
	}
};

// What ICU, by way of Intl in Node, writes for random times: a line of JSON for each
// language and pair of times, and one for what a language says of numbers and names.
//
// usage: node cldr.js NUMBER SEED      NUMBER pairs in each language
//
// The names of the members are those in the test that reads the lines.
"use strict";

const tags = ["ar", "cs", "da", "de", "en", "es", "fi", "fr", "he", "hu", "it", "ja", "nb", "nl", "pl", "pt-BR", "pt-PT", "ru", "sv", "zh-Hans"];
// Languages in regions. In others (en-AU, sv-FI) Intl makes dates by other patterns of CLDR than the full date and the time of a skeleton.
const regional = ["ar-MA", "ar-SA", "de-AT", "de-CH", "en-CA", "en-GB", "en-IE", "en-IN", "es-AR", "es-MX", "es-US", "fr-BE", "fr-CA", "fr-CH", "nl-BE"];
const [number, seed] = process.argv.slice(2).map(Number);

let state = seed;
function random(n) { // mulberry32: the same numbers for the same seed everywhere
	state = (state + 0x6d2b79f5) | 0;
	let t = Math.imul(state ^ (state >>> 15), 1 | state);
	t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
	return ((t ^ (t >>> 14)) >>> 0) % n;
}

// runs writes a list with how often each item comes after itself: "one other*9".
function runs(list) {
	return list.join(" ").replace(/\b(\w+)( \1\b)+/g, (run, item) => item + "*" + run.split(" ").length);
}

const minute = 60000, day = 1440 * minute;
const spans = [() => 0, () => random(60) * minute, () => random(1440) * minute, () => random(4) * day, () => random(40) * day + random(1440) * minute,
	() => random(500) * day];
const long = { weekday: "long", month: "long", day: "numeric" }, full = { ...long, year: "numeric" };
const medium = { year: "numeric", month: "short", day: "numeric" };

for (const tag of tags.concat(regional)) {
	const make = (options) => new Intl.DateTimeFormat(tag + "-u-nu-latn-ca-gregory", { ...options, timeZone: "UTC" });
	const names = (options, of) => of.map((t) => make(options).format(t));
	// Intl writes an hour with as many digits as it is told, and not as the language does.
	const short = make({ timeStyle: "short" }), time = { hour: short.format(4 * 60 * minute).startsWith("0") ? "2-digit" : "numeric", minute: "2-digit" };
	const formats = {
		full: make({ dateStyle: "full" }), fullNoYear: make(long), medium: make(medium), month: make({ year: "numeric", month: "long" }),
		dayMonth: make({ month: "long", day: "numeric" }),
		shortYear: make({ ...medium, weekday: "short" }), time: short,
		fullTime: make({ dateStyle: "full", timeStyle: "short" }), mediumTime: make({ ...medium, ...time }),
	};
	const intervals = { full: make(full), medium: formats.medium, short: formats.shortYear, fullTime: make({ ...full, ...time }), mediumTime: formats.mediumTime };
	const months = Array.from({ length: 12 }, (_, i) => Date.UTC(2026, i, 15)), days = Array.from({ length: 7 }, (_, i) => Date.UTC(2026, 10, 22 + i));
	const numbers = [0, 7, 999, 1000, 9999, 10000, 123456, 1234567], plural = new Intl.PluralRules(tag);
	const locale = new Intl.Locale(tag), week = locale.getWeekInfo ? locale.getWeekInfo() : locale.weekInfo;
	const lists = [["A"], ["A", "B"], ["A", "B", "C"], ["A", "B", "C", "D"], ["Ana", "Isabel"], ["agua", "hielo"], ["x", "y", "hijos"], ["א", "ב"]];
	if (tags.includes(tag)) console.log(JSON.stringify({
		tag, icu: process.versions.icu, cldr: process.versions.cldr,
		months: names({ month: "long" }, months),
		weekdays: names({ weekday: "long" }, days), shortWeekdays: names({ weekday: "short" }, days),
		plurals: runs([...Array(1001).keys(), 1000000, 3000000, 1000001].map((n) => plural.select(n))),
		numbers: numbers.map((n) => [n, new Intl.NumberFormat(tag + "-u-nu-latn").format(n)]),
		lists: lists.map((items) => [items, new Intl.ListFormat(tag).format(items)]),
		week: [week.firstDay % 7, ...week.weekend.map((d) => d % 7)],
	}));
	for (let i = 0; i < number; i++) {
		const from = Date.UTC(1990, 0, 1) + random(60 * 365) * day + random(1440) * minute, to = from + spans[i % spans.length]();
		const texts = {};
		for (const [name, format] of Object.entries(formats)) {
			texts[name] = format.format(from);
		}
		for (const [name, format] of Object.entries(intervals)) {
			texts[name + "Interval"] = format.formatRange(from, to);
		}
		if (Math.floor(from / day) === Math.floor(to / day)) {
			texts.timeInterval = make(time).formatRange(from, to);
		}
		console.log(JSON.stringify({ tag, from: from / 1000, to: to / 1000, texts }));
	}
}

for (const region of "001 AD AE AF AU BD BR CA CN DE DZ EG FR GB GT IL IN IR JP KW MV MX NP NZ PT QA RU SA SY TR UG US YE ZA ZZ".split(" ")) {
	const locale = new Intl.Locale("und-" + region), week = locale.getWeekInfo ? locale.getWeekInfo() : locale.weekInfo;
	console.log(JSON.stringify({ region, week: [week.firstDay % 7, ...week.weekend.map((d) => d % 7)] }));
}

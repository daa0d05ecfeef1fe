// What is asked inside of a page, by way of the debugging protocol: each function stands for
// itself, since its text is sent there.
"use strict";

// overflow returns what reaches out of the window, so that it has to be scrolled sideways; ""
// for nothing.
function overflow() {
	const { scrollWidth, clientWidth } = document.scrollingElement;
	if (scrollWidth <= clientWidth) {
		return "";
	}
	const out = [...document.body.querySelectorAll(":not(.skip)")].filter((element) => {
		const { left, right } = element.getBoundingClientRect();
		return right > clientWidth + 0.5 || left < -0.5;
	});
	return `${scrollWidth} px in a window of ${clientWidth}: ${out.slice(-3).map((element) => element.outerHTML.slice(0, 120)).join(" | ")}`;
}

// shown returns the texts of the content that a reader sees, but for navigation, forms, what opens others and what is
// for a screen alone, and those of them that cannot be read on white paper.
function shown() {
	const luminance = (colour) => {
		const [red, green, blue] = colour.match(/[\d.]+/g).map((value) => {
			const part = value / 255;
			return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	};
	const texts = [], pale = [], walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) {
		const element = walk.currentNode.parentElement, text = walk.currentNode.data.trim();
		const other = element.closest("nav, form, search, summary, .add, .hidden, [aria-hidden], a[href^='#'], script, style, " +
			".word, .narrow, .said a, .empty ul, .terms, .beside, a[rel~=external], section:has(> p > a[rel~=external])");
		if (!text || other || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) {
			continue;
		}
		texts.push(text);
		if (1.05 / (luminance(getComputedStyle(element).color) + 0.05) < 4.5) {
			pale.push(text);
		}
	}
	return { texts, pale };
}

// untitled returns the bars of a month that show nothing of their title.
function untitled() {
	return [...document.querySelectorAll(".grid .bar bdi")].filter((title) => title.checkVisibility()).filter((title) => {
		const own = title.getBoundingClientRect(), bar = title.closest(".bar").getBoundingClientRect();
		return own.width < 8 || own.top >= bar.bottom;
	}).map((title) => title.textContent);
}

// shifts returns how far the layout has moved since the page came (the cumulative layout shift).
function shifts() {
	return new Promise((resolve) => {
		let sum = 0;
		const observer = new PerformanceObserver((list) => list.getEntries().forEach((entry) => { sum += entry.value; }));
		observer.observe({ type: "layout-shift", buffered: true });
		requestAnimationFrame(() => setTimeout(() => resolve(sum), 50));
	});
}

// violations returns the rules of axe-core, whose source it is given, that a page breaks.
async function violations(source) {
	if (!globalThis.axe) {
		(0, eval)(source);
	}
	const found = await globalThis.axe.run({ rules: { "target-size": { enabled: true } }, resultTypes: ["violations"] });
	return found.violations.map(({ id, help, nodes: [{ html, any }, ...more] }) => {
		return `${id} (${help}): ${more.length + 1}, as ${html.slice(0, 160)} ${any[0]?.message ?? ""}`;
	});
}

module.exports = { overflow, shown, untitled, shifts, violations };

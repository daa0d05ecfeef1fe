// The script of the desk. Each page works without it. It warns of text that was not saved, takes pictures that are dropped or
// pasted, makes large ones smaller before they are sent, and suggests names also after the first one of a field.
"use strict";

// Text that was not saved. A form with the attribute data-unsaved had such text when it came.

const isChanged = (control) => {
	switch (control.type) {
	case "checkbox": case "radio": return control.checked !== control.defaultChecked;
	case "output": return false;
	case "file": return control.files.length > 0;
	case "select-one": return control.selectedIndex !== Math.max(0, [...control.options].findIndex((option) => option.defaultSelected));
	}
	const isFilledByBrowser = /^(username|current-password)$/.test(control.autocomplete);
	return "defaultValue" in control && control.value !== control.defaultValue && !isFilledByBrowser;
};

const isUnsaved = (form) => "unsaved" in form.dataset || [...form.elements].some(isChanged);

let sent; // the form that leads to the next page

addEventListener("submit", ({ target }) => { sent = target; });
addEventListener("pageshow", () => { sent = undefined; });
addEventListener("beforeunload", (event) => {
	if ([...document.querySelectorAll("form.sheet")].some((form) => form !== sent && isUnsaved(form))) {
		event.preventDefault();
	}
});

// Pictures. Photographs of a phone have many times the pixels and bytes that a page shows.

const sideMost = 3200, bytesMost = 2 << 20, quality = 0.88;

// draw returns a picture on a canvas, of at most sideMost pixels on each side. Transparent pixels become white, as on paper.
async function draw(file) {
	const picture = await createImageBitmap(file), scale = Math.min(1, sideMost / Math.max(picture.width, picture.height));
	const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
	canvas.width = Math.max(1, Math.round(picture.width * scale));
	canvas.height = Math.max(1, Math.round(picture.height * scale));
	context.fillStyle = "#fff";
	context.fillRect(0, 0, canvas.width, canvas.height);
	context.imageSmoothingQuality = "high";
	context.drawImage(picture, 0, 0, canvas.width, canvas.height);
	return { canvas, isSmaller: scale < 1 };
}

// A Chooser is the field of a form that takes a picture.
class Chooser {
	turn = 0; // of the picture that was chosen last

	constructor(input) {
		this.input = input;
		this.kinds = input.accept.split(",");
		input.addEventListener("change", () => this.take(input.files[0]));
	}

	put(file) {
		const transfer = new DataTransfer();
		transfer.items.add(file);
		this.input.files = transfer.files;
	}

	show(canvas, name) {
		this.input.parentElement.querySelector("canvas")?.remove();
		if (canvas) {
			canvas.className = "thumb";
			canvas.setAttribute("role", "img");
			canvas.setAttribute("aria-label", name);
			this.input.before(canvas);
		}
	}

	// take shows a picture, and has a JPEG sent in its place if it is large. The server judges what canvas cannot read.
	async take(file) {
		const turn = ++this.turn, drawn = file && await draw(file).catch(() => undefined);
		if (turn !== this.turn) {
			return;
		}
		this.show(drawn?.canvas, file?.name);
		const isKnown = this.kinds.includes(file?.type);
		if (!drawn || isKnown && !drawn.isSmaller && file.size <= bytesMost) {
			return;
		}
		const blob = await new Promise((resolve) => { drawn.canvas.toBlob(resolve, "image/jpeg", quality); });
		if (turn === this.turn && blob && (!isKnown || blob.size < file.size)) {
			this.put(new File([blob], file.name.replace(/\.\w*$/, "") + ".jpg", { type: blob.type }));
		}
	}

	// offer takes the first picture of some files that were dropped or pasted.
	offer(files) {
		const file = [...files].find(({ type }) => type.startsWith("image/"));
		if (file) {
			this.put(file);
			this.take(file);
			this.input.scrollIntoView({ block: "nearest" });
		}
	}
}

const pictureInput = document.querySelector("input[type=file][name=picture]"), chooser = pictureInput && new Chooser(pictureInput);

// A dropped file would take the place of the page, and with it the text in its form.
addEventListener("dragover", (event) => {
	if (event.dataTransfer.types.includes("Files")) {
		event.preventDefault();
		event.dataTransfer.dropEffect = chooser ? "copy" : "none";
	}
});
addEventListener("drop", (event) => {
	if (event.dataTransfer.types.includes("Files")) {
		event.preventDefault();
		chooser?.offer(event.dataTransfer.files);
	}
});

// Text from an office program comes with a picture of it: there the text is meant.
addEventListener("paste", ({ clipboardData: { types, files } }) => {
	if (!types.includes("text/plain")) {
		chooser?.offer(files);
	}
});

// Suggestions. A browser compares them with the whole field, so after a separator they begin with what stands before it.

for (const field of document.querySelectorAll("input[data-separator]")) {
	const options = [...field.list.options].map((option) => [option, option.value]);
	field.addEventListener("input", () => {
		const before = field.value.slice(0, field.value.lastIndexOf(field.dataset.separator) + 1);
		options.forEach(([option, name]) => { option.value = before ? before + " " + name : name; });
	});
}

// Where the calendar is. The country fills in what is usual there, and the time there is shown. On the first page of a new calendar the
// browser knows where it is.

const place = document.querySelector("form:has(.there)"), placeField = (name) => place?.querySelector("#f-" + name);

// pick chooses an option of a field. One that is picked before anybody looks is no text that was not saved.
function pick(name, value, isDefault) {
	const option = [...placeField(name)?.options ?? []].find((each) => each.value === value);
	if (!option) {
		return;
	}
	if (isDefault) {
		for (const each of placeField(name).options) {
			each.defaultSelected = each === option;
		}
	}
	option.selected = true;
}

// tell shows the time in the zone.
function tell() {
	const output = place.querySelector(".there output"), timeZone = placeField("zone")?.value;
	if (output && timeZone) {
		const hourCycle = placeField("clock")?.value === "12" ? "h12" : "h23", lang = document.documentElement.lang + "-u-nu-latn";
		try {
			const time = new Intl.DateTimeFormat(lang, { timeStyle: "short", hourCycle, timeZone }).format();
			output.value = output.dataset.sentence.replace("{time}", time);
		} catch {
			output.value = ""; // the browser is older than the zone
		}
	}
}

// settle fills in what is usual in the country.
function settle(isDefault) {
	const country = placeField("region").selectedOptions[0], [near, far] = placeField("zone")?.children ?? [];
	if (far && country.value) {
		const zones = [...placeField("zone").options].sort((a, b) => a.text < b.text ? -1 : 1);
		near.replaceChildren(...zones.filter((zone) => zone.dataset.in === country.value));
		far.replaceChildren(...zones.filter((zone) => zone.dataset.in !== country.value));
		near.label = country.text;
	}
	for (const name of ["zone", "currency", "first", "clock"]) {
		if (country.dataset[name]) {
			pick(name, country.dataset[name], isDefault);
		}
	}
	place.elements.filled.value = country.value;
}

if (place) {
	placeField("region")?.addEventListener("change", () => { settle(); tell(); });
	for (const name of ["zone", "clock"]) {
		placeField(name)?.addEventListener("change", tell);
	}
	if ("guess" in place.dataset) {
		const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
		const isHere = ({ value }) => { // by another name, as Asia/Calcutta
			try {
				return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone === timeZone;
			} catch {
				return false;
			}
		};
		const zones = [...placeField("zone")?.options ?? []].filter((zone) => zone.dataset.in);
		const zone = zones.find(({ value }) => value === timeZone) ?? zones.find(isHere);
		const country = zone?.dataset.in ?? new Intl.Locale(navigator.language).region;
		if (placeField("region") && country) {
			pick("region", country, true);
			settle(true);
		}
		if (zone) {
			pick("zone", zone.value, true);
		}
	}
	tell();
}

document.querySelector(".problems, .done[role]")?.focus();

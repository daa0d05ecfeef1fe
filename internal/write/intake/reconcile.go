// Records that come by two ways: the API of a site, which hides some members and links, and an
// export, which has all. Both show one version of a record, and neither takes away what came by the
// other.

package intake

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/text/markup"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
	stored "almanac/store/record"
)

// reconcile takes members out of a draft by which it would take away what its way does not show of
// the stored record.
func (im *importer) reconcile(d *draft, old store.Record) {
	if !im.comesByWays(d) {
		return
	}
	p := store.PostOf(old)
	said := d.file.Modified
	isSame := said.Said && said.At.Equal(p.Modified.Truncate(time.Second))
	if !im.item.Whole {
		keepFields(d, p)
	}
	if isSame {
		im.keepTexts(d, p)
	}
	switch old := old.(type) {
	case *store.Event:
		keepCost(d, old, isSame)
		if d.flag("protected") && old.Password != "" {
			delete(d.members, "status")
		}
	case *store.Venue:
		if isSame || !im.item.Whole {
			keepPlace(d, old, isSame)
			keepPlain(d, stored.VenueFields, old, isSame)
		}
	case *store.Organizer:
		if isSame || !im.item.Whole {
			keepPlain(d, stored.OrganizerFields, old, isSame)
		}
	}
}

// comesByWays reports whether a record of a site is shown by its API and by its export.
func (im *importer) comesByWays(d *draft) bool {
	return d.file.Form == write.List && !im.isNative() && !d.partial && d.has("global_id") &&
		im.item.As != Overwrite
}

// keepFields keeps the values of custom fields of which lists show the first.
func keepFields(d *draft, p *store.Post) {
	for i, field := range d.file.CustomFields {
		for _, known := range p.CustomFields {
			if known.Key == field.Key && strings.HasPrefix(known.Value, field.Value+", ") {
				d.file.CustomFields[i].Value = known.Value
			}
		}
	}
}

// shortcode is what a site makes other text of: the API shows that, and an export the shortcode.
var shortcode = regexp.MustCompile(`\[/?[a-z][a-z0-9_-]*[\s\]=]`)

// keepTexts keeps the texts of one version that differ in markup alone, or by shortcodes.
func (im *importer) keepTexts(d *draft, p *store.Post) {
	isKept := func(sent, stored string) bool {
		return stored != "" && (markup.Plain(sent) == markup.Plain(stored) ||
			shortcode.MatchString(sent) || shortcode.MatchString(stored))
	}
	if sent, ok := d.members["description"].(string); ok && isKept(sent, p.Description) {
		d.members["description"] = im.withUploads(d.record, p.Description)
	}
	if sent := d.file.Excerpt; sent != nil && isKept(*sent, p.Excerpt) {
		d.file.Excerpt = new(im.withUploads(d.record, p.Excerpt))
	}
	if sent, ok := d.members["image"].(params.ImageRef); ok && sent.ID == 0 && !d.has("image") {
		delete(d.members, "image")
	}
}

// keepCost keeps the currency, which the API takes from the settings of the site if an event has
// none.
func keepCost(d *draft, old *store.Event, isSame bool) {
	sent := d.file.Cost
	if isSame && sent != nil && sent.Symbol == "" && sent.Code == "" &&
		slices.Equal(sent.Values(), old.Cost.Values()) {
		d.file.Cost = &old.Cost
	}
}

// keepPlain keeps texts that lists leave out because they are "0", and all that one version lacks.
func keepPlain[T any](d *draft, fields []stored.Field[T], old *T, isSame bool) {
	for _, f := range stored.PlainFields(fields, "", "") {
		text, isText := f.At(old).(*string)
		if isText && d.text(f.Name) == "" && (isSame || *text == "0" && !d.has(f.Name)) {
			delete(d.members, f.Name)
		}
	}
}

// keepPlace keeps the coordinates of a venue, which lists have with an extension alone, unless it
// has another address.
func keepPlace(d *draft, old *store.Venue, isSame bool) {
	isMoved := false
	for _, f := range stored.PlainFields(stored.VenueFields, "address", "phone") {
		text, isText := f.At(old).(*string)
		sent, isSent := d.members[f.Name].(string)
		isMoved = isMoved || isText && isSent && sent != *text && (sent != "" || *text != "0")
	}
	if d.text("geo_lat") == "" && (isSame || !isMoved && !d.has("geo_lat")) {
		delete(d.members, "geo_lat")
		delete(d.members, "geo_lng")
	}
}

// keepLinks returns the links of an event: terms have no order, and lists leave out venues and
// organizers that strangers may not see.
func (im *importer) keepLinks(k store.Kind, sent, old []int64) []int64 {
	if k == store.Categories || k == store.Tags {
		if slices.Equal(slices.Sorted(slices.Values(sent)), slices.Sorted(slices.Values(old))) {
			return old
		}
		return sent
	}
	if im.item.Whole {
		return sent
	}
	var hidden []int64
	for _, id := range old {
		p := store.PostOf(im.tx.Get(k, id))
		if p != nil && p.Status != store.Publish && !slices.Contains(sent, id) {
			hidden = append(hidden, id)
		}
	}
	isHidden := func(id int64) bool { return slices.Contains(hidden, id) }
	if slices.Equal(sent, slices.DeleteFunc(slices.Clone(old), isHidden)) {
		return old
	}
	return append(sent, hidden...)
}

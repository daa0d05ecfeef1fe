// Members that events, venues and organizers share: author, dates, status, slug and image.

package write

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/text/markup"
	"almanac/internal/wire/params"
	"almanac/store"
)

// scheduleFrom is the minimum distance from now at which a published record becomes scheduled.
const scheduleFrom = time.Minute

// writePost sets the common members that were sent; old is nil for a new record.
func (ed Editor) writePost(tx *store.Tx, d Draft, p, old *store.Post) error {
	if d.Has("author") {
		author := d.Int("author")
		if author != p.Author && !ed.Caller.May(account.NameAuthor) {
			return ErrForbidden
		}
		p.Author = author
	}
	if d.Has("description") && !d.shows(d.Text("description"), p.Description, contents) {
		p.Description = ed.html(d.Text("description"))
	}
	if d.Has("image") {
		id, err := ed.imageID(tx, d.Image("image"))
		if err != nil {
			return err
		}
		p.Image = id
	}
	if d.File != nil {
		return ed.writeFile(d, p, old)
	}
	if err := ed.writeDates(d, p, old); err != nil {
		return err
	}
	if old == nil && p.Status.Unpublished() {
		return nil // a new unpublished record was never modified
	}
	p.Modified = ed.Now
	if old == nil {
		p.Modified = p.Date
	}
	return nil
}

// writeDates sets date and status, which depend on each other: a published record with a date
// ahead becomes scheduled, and a scheduled record without one becomes published.
func (ed Editor) writeDates(d Draft, p, old *store.Post) error {
	date := p.Date
	sent := true
	switch {
	case d.Has("date_utc"):
		date = caltime.UTC().Instant(d.Date("date_utc", caltime.UTC()).Wall)
	case d.Has("date"):
		date = ed.Site.Instant(d.Date("date", ed.Site).Wall)
	default:
		sent = false
	}
	date = date.Truncate(time.Second)
	if year := date.Year(); sent && (year < 1 || year > 9999) {
		return invalid("date", "date must be from the year 1 to the year 9999, in UTC too.")
	}
	if old != nil && date.Equal(p.Date) {
		sent = false // the client returned the stored date
	}
	p.Date = date
	if d.Has("status") || old == nil {
		p.Status = ed.status(d.Values)
	}
	keepDraft(p, old)
	switch {
	case sent:
		p.Undated, p.LocalDate = false, p.Status.Unpublished() && !d.Has("date_utc")
	case old == nil:
		p.Date, p.Undated = ed.Now.Truncate(time.Second), p.Status.Unpublished()
	case !p.Status.Unpublished():
		ed.settleDate(p)
	}
	ed.schedule(p, sent || old == nil || old.Status != store.Publish)
	return nil
}

// schedule publishes a scheduled record without a date ahead. If it may, it makes a published
// record with one a scheduled record.
func (ed Editor) schedule(p *store.Post, may bool) {
	switch ahead := p.Date.Sub(ed.Now) >= scheduleFrom; {
	case p.Status == store.Publish && ahead && may:
		p.Status = store.Future
	case p.Status == store.Future && !ahead:
		p.Status = store.Publish
	}
}

// keepDraft records whether a record was unpublished when it went to the trash, which decides its
// readers there. old is nil for a record that was created in the trash.
func keepDraft(p, old *store.Post) {
	switch {
	case p.Status != store.Trash:
		p.WasDraft = false
	case old == nil || old.Status != store.Trash:
		p.WasDraft = old == nil || old.Status.Unpublished()
	}
}

// settleDate sets the date of a record that becomes published, if it has none.
func (ed Editor) settleDate(p *store.Post) {
	if p.Undated {
		p.Date = ed.Now.Truncate(time.Second)
	}
	p.Undated = false
	p.LocalDate = false
}

// status returns the status that was sent, or the nearest status that the caller may set.
func (ed Editor) status(values params.Values) store.Status {
	may := ed.Caller.May(account.Publish)
	s := store.Status(values.Text("status"))
	switch {
	case !values.Has("status") && may:
		return store.Publish
	case !values.Has("status"):
		return store.Draft
	case !may && (s == store.Publish || s == store.Future || s == store.Private):
		return store.Pending
	}
	return s
}

// html removes the markup that the caller may not store.
func (ed Editor) html(text string) string {
	if ed.Caller.May(account.RawHTML) {
		return text
	}
	return markup.Sanitize(text)
}

// title removes the markup that the caller may not store in a title or name.
func (ed Editor) title(text string) string {
	if ed.Caller.May(account.RawHTML) {
		return text
	}
	return markup.SanitizeTitle(text)
}

// imageID returns the id of an image. A new address creates an image, and is not fetched. The
// check of the parameter has ensured that the caller may do that.
func (ed Editor) imageID(tx *store.Tx, ref params.ImageRef) (int64, error) {
	if ref.URL == "" {
		return ref.ID, nil
	}
	if known := tx.ByURL(ref.URL); known != nil {
		return known.ID, nil
	}
	image := &store.Image{URL: ref.URL, Extension: Extension(ref.URL)}
	err := tx.Put(image)
	return image.ID, err
}

// Extension returns the file extension in an address, or "".
func Extension(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	ext := strings.TrimPrefix(path.Ext(u.Path), ".")
	if len(ext) > 5 ||
		strings.Trim(strings.ToLower(ext), "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return ""
	}
	return ext
}

// trashedSlug matches the suffix of slugs in the trash.
var trashedSlug = regexp.MustCompile(`__trashed(-\d+)?$`)

// writeSlug sets the slug of a record for its status: a published record without one gets a slug
// made of its name, the trash frees the slug, and a record that comes back takes it again. sent is
// the slug that was asked for, or "".
func (ed Editor) writeSlug(tx *store.Tx, k store.Kind, p, old *store.Post, sent, name string) {
	wanted := p.Slug
	switch {
	case sent != "":
		wanted = sent
	case old != nil && old.Status == store.Trash && p.Status != store.Trash:
		wanted = trashedSlug.ReplaceAllString(p.Slug, "")
	case old != nil && old.Status != store.Trash && p.Status == store.Trash:
		wanted = p.Slug + "__trashed"
	}
	if wanted == "" && (k != store.Events || !p.Status.Unpublished()) {
		wanted = ed.NameSlug(tx, k, name, p.ID)
	}
	if wanted == "" {
		p.Slug = ""
		return
	}
	p.Slug = OwnSlug(tx, k, wanted, p.Slug, p.ID)
}

// OwnSlug returns the slug of a record that wants one and has another: the one that it has, if that
// is wanted with a number, and else FreeSlug.
func OwnSlug(tx *store.Tx, k store.Kind, wanted, has string, id int64) string {
	if other := tx.BySlug(k, wanted); other != nil && other.Key() != id && IsNumbered(has, wanted) {
		return has
	}
	return FreeSlug(tx, k, wanted, id)
}

// IsNumbered reports whether a slug is another one with a number.
func IsNumbered(slug, wanted string) bool {
	n, err := strconv.Atoi(slug[strings.LastIndexByte(slug, '-')+1:])
	return err == nil && n >= 2 && markup.Suffix(wanted, n) == slug
}

// NameSlug returns the slug for a name: its id, or its future id, if the name has no letters or
// digits.
func (ed Editor) NameSlug(tx *store.Tx, k store.Kind, name string, id int64) string {
	return cmp.Or(
		markup.SlugIn(ed.Language, name),
		strconv.FormatInt(cmp.Or(id, tx.NextID(k)), 10),
	)
}

// FreeSlug returns a slug that no other record of the kind has: wanted, or wanted with a number.
func FreeSlug(tx *store.Tx, k store.Kind, wanted string, id int64) string {
	return markup.FreeSlug(wanted, func(slug string) bool {
		other := tx.BySlug(k, slug)
		return other != nil && other.Key() != id
	})
}

// trash moves a record to the trash. The caller stores it.
func (ed Editor) trash(tx *store.Tx, p *store.Post, k store.Kind) {
	old := *p
	p.Status = store.Trash
	keepDraft(p, &old)
	ed.settleDate(p)
	p.Modified = ed.Now
	ed.writeSlug(tx, k, p, &old, "", "")
}

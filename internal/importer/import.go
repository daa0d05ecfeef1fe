// Applying records to a transaction: what is the same for all kinds.

package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"almanac/internal/caltime"
	"almanac/internal/jsonin"
	"almanac/internal/markup"
	"almanac/store"
)

// An importer takes the records of one batch.
type importer struct {
	Options
	tx     *store.Tx
	state  State
	report Report
	item   Item     // being taken
	undo   []func() // takes back what this record did outside the transaction
	later  []func() // for seeds: what is done when all records are there

	ported map[store.Kind]map[string]int64 // of portless
	dated  map[int64]int64                 // series whose dates came, with the event that was changed last, or 0

	// For seeds: where the ids of records without one begin.
	seed               bool
	exact              bool // the record that is taken is
	nextPost, nextTerm int64
}

func newImporter(tx *store.Tx, o Options, s State) *importer {
	if o.Zones == nil {
		o.Zones = &caltime.Zones{}
	}
	if s.Categories == nil {
		s.Categories = map[string]int64{}
	}
	if s.Children == nil {
		s.Children = map[string][]int64{}
	}
	if s.Occasions == nil {
		s.Occasions = map[string][]int64{}
	}
	return &importer{Options: o, tx: tx, state: s, ported: map[store.Kind]map[string]int64{}, dated: map[int64]int64{}}
}

// take takes one record, whole or not at all, and reports what became of it.
func (im *importer) take(item Item) {
	if item.Value == nil {
		item.Value = &jsonin.Value{Raw: item.Record}
	}
	im.item, im.exact, im.undo = item, item.Exact && im.seed, nil
	var r *record
	err := errors.New(item.Reject)
	if item.Reject == "" {
		if r, err = parse(item.Value); err == nil {
			r.partial = item.Row
		}
	}
	k, ok := KindOf(item.Kind)
	if err == nil && (!ok || (k == store.Images || k == store.AllSeries) && !im.seed) {
		err = fmt.Errorf("is of the kind %q; there are events, venues, organizers, categories and tags", item.Kind)
	}
	if err == nil {
		err = im.try(func() error {
			_, err := im.put(k, r)
			return err
		})
	}
	if err != nil {
		im.refuse(item.Kind, r, err)
	}
}

// put stores a record of a kind and returns its id here.
func (im *importer) put(k store.Kind, r *record) (id int64, err error) {
	im.look(k, r)
	switch k {
	case store.Events:
		if im.item.Form == calendarForm || im.item.Row && r.has("calendar") {
			id, err = im.calendarEvent(r)
			break
		}
		id, err = im.event(r)
	case store.Venues:
		id, err = im.venue(r)
	case store.Organizers:
		id, err = im.organizer(r)
	case store.Images:
		id, err = im.planted(r)
	case store.AllSeries:
		id, err = im.series(r)
	default:
		id, err = im.term(k, r)
	}
	if err != nil && r.wrong != nil {
		err = r.wrong // why the rest made no sense
	}
	return id, err
}

// look reports the members of a record that have no place here.
func (im *importer) look(k store.Kind, r *record) {
	for _, key := range r.unknown(k) {
		if key == "calendar" && (im.item.Form == calendarForm || im.item.Row) {
			continue
		}
		im.report.unknown(UnknownKey{k, key, im.item.File})
	}
}

// try runs f, and takes back all that it did when it fails.
func (im *importer) try(f func() error) error {
	mark := len(im.undo)
	err := im.tx.Try(f)
	if err != nil {
		for i := len(im.undo) - 1; i >= mark; i-- {
			im.undo[i]()
		}
		im.undo = im.undo[:mark]
	}
	return err
}

// refuse reports a record that cannot be taken; r is nil when it is none.
func (im *importer) refuse(kind string, r *record, reason error) {
	refusal := Refusal{Kind: kind, File: im.item.File, Position: im.item.Position, Line: im.item.Line, Reason: reason.Error()}
	refusal.At = im.item.Value.At
	if r != nil {
		refusal.ID, refusal.Embedded = r.name(), r.embedded
	}
	var wrong *fieldError
	if im.seed && errors.As(reason, &wrong) {
		refusal.Field, refusal.At, refusal.Reason = wrong.field, wrong.at, wrong.err.Error()
	}
	im.undo = append(im.undo, im.report.refuse(refusal))
}

// note reports what became of a record.
func (im *importer) note(k store.Kind, id int64, outcome Outcome) {
	im.undo = append(im.undo, im.report.note(k, id, outcome))
}

// set sets an entry of a map of the state.
func set[V any](im *importer, m map[string]V, key string, value V) {
	before, had := m[key]
	m[key] = value
	im.undo = append(im.undo, func() {
		if m[key] = before; !had {
			delete(m, key)
		}
	})
}

// unset removes an entry of a map of the state and returns what it was.
func unset[V any](im *importer, m map[string]V, key string) V {
	before, had := m[key]
	if had {
		delete(m, key)
		im.undo = append(im.undo, func() { m[key] = before })
	}
	return before
}

// commit stores a record that was made of r, and returns its id. meta is the
// record's, with the id of the one whose place it takes, or 0; post is too, nil
// for terms and images. What would not change is left alone.
func (im *importer) commit(r *record, next store.Record, meta *store.Meta, post *store.Post) (int64, error) {
	if r.wrong != nil {
		return 0, r.wrong
	}
	outcome := Created
	if meta.ID != 0 {
		if same(im.tx.Get(next.Kind(), meta.ID), next) {
			im.note(next.Kind(), meta.ID, Unchanged)
			return meta.ID, nil
		}
		outcome = Updated
		if post != nil && !im.stamp(r, "modified").said {
			post.Modified = im.Now
		}
	} else if im.seed {
		if err := im.identify(r, next.Kind(), &meta.ID); err != nil {
			return 0, err
		}
	}
	if err := im.tx.Put(next); err != nil {
		return 0, err
	}
	im.remember(next)
	im.note(next.Kind(), meta.ID, outcome)
	return meta.ID, nil
}

// same reports whether two records would be the same on disk.
func same(a, b store.Record) bool {
	x, first := json.Marshal(a)
	y, second := json.Marshal(b)
	return first == nil && second == nil && bytes.Equal(x, y)
}

// slug returns a slug that no other record of the kind has: the one wanted, or
// that with a number behind it. has is the slug that the record has already.
func (im *importer) slug(k store.Kind, id int64, has, wanted string) string {
	other := im.tx.BySlug(k, wanted)
	if other == nil || other.Key() == id && id != 0 {
		return wanted
	}
	if i := strings.LastIndexByte(has, '-'); i > 0 {
		if n, err := strconv.Atoi(has[i+1:]); err == nil && n >= 2 && markup.Suffix(wanted, n) == has {
			return has // from an import before
		}
	}
	return markup.FreeSlug(wanted, func(slug string) bool { return im.tx.BySlug(k, slug) != nil })
}

// wantedSlug returns the slug that a record brings, as slugs are stored, or "".
func wantedSlug(r *record) string { return asStored(r.text("slug")) }

// asStored returns a slug as slugs are stored, or "".
func asStored(slug string) string {
	if strings.Trim(slug, "abcdefghijklmnopqrstuvwxyz0123456789-_%") == "" && len(slug) <= 200 {
		return slug
	}
	return markup.Slug(slug)
}

// typed are the signs that rendering makes of those that a keyboard has.
var typed = strings.NewReplacer("&#8216;", "'", "&#8217;", "'", "&#8242;", "'", "&#8220;", `"`, "&#8221;", `"`, "&#8243;", `"`,
	"&#8211;", "-", "&#8212;", "--", "&#8230;", "...", "&#215;", "x")

// plain decodes the entities of a title or name, once. It prefers the text as
// it was typed at the source, when that is rendered to the same signs again.
// Where decoding would make a tag or an entity of what is none, the text stays
// as it is.
func plain(shown string) string {
	shown = strings.TrimSpace(shown)
	decoded := markup.Unescape(shown)
	if visible(decoded) != visible(shown) {
		return shown
	}
	if source := markup.Unescape(typed.Replace(shown)); visible(markup.Title(source)) == visible(shown) {
		return source
	}
	return decoded
}

// visible returns the text that people see.
func visible(html string) string { return markup.Unescape(markup.StripTags(html)) }

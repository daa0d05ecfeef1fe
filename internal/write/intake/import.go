// Applying records of all kinds to a transaction.

package intake

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/text/caltime"
	"almanac/internal/text/jsonio"
	"almanac/internal/text/markup"
	"almanac/internal/write"
	"almanac/store"
)

// An importer applies the records of one batch.
type importer struct {
	reader
	tx       *store.Tx
	state    State
	report   Report
	stored   store.Record // the item became it; nil if nothing
	older    bool         // the record here changed after the item
	gone     bool         // the record went to the trash
	dateless bool         // the item is a series without a date
	taken    []*Taken
	later    []func() // for seeds: runs after the last record

	at       int               // place of item in the batch
	waits    bool              // a record whose password is not hashed waits for it
	sealed   map[secret]string // stored forms of passwords; nil hashes in the transaction
	unsealed []secret          // to be hashed before the records are taken

	ported map[store.Kind]map[string]int64 // cache of portless
	looked int                             // at namesakes and links, in this transaction
	parts  int                             // members and custom fields of records, in this transaction
	passed map[namesake]int64              // ids up to which items became the records with a name
	places map[namesake]map[string]int64   // records by name and place, of this transaction
	dated  map[int64]int64                 // series with imported dates: event that changed last, or 0

	next [2]int64 // of seeds, as Seed.Next
}

func newImporter(tx *store.Tx, o Options, s State) *importer {
	if o.Zones == nil {
		o.Zones = &caltime.Zones{}
	}
	return &importer{
		reader: reader{Options: o},
		tx:     tx,
		state:  s,
		ported: map[store.Kind]map[string]int64{},
		dated:  map[int64]int64{},
		passed: map[namesake]int64{},
		places: map[namesake]map[string]int64{},
	}
}

// take applies one record, entirely or not at all, and reports the outcome. It returns false if
// the record waits for its password.
func (im *importer) take(item Item) bool {
	if item.Value == nil {
		item.Value = &jsonio.Value{Raw: item.Record}
	}
	im.item = item
	im.exact = item.Exact
	im.stored = nil
	im.older = false
	im.gone = false
	im.dateless = false
	var r *record
	err := errors.New(item.Reject)
	if item.Reject == "" {
		if r, err = parse(item.Value); err == nil {
			r.partial = item.Row
		}
	}
	k, ok := KindOf(item.Kind)
	if err == nil && (!ok || (k == store.Images || k == store.AllSeries) && !im.isNative()) {
		err = fmt.Errorf(
			"is of the kind %q; there are events, venues, organizers, categories and tags",
			item.Kind,
		)
	}
	if err == nil && item.Form != "" && item.Form != CalendarForm {
		err = fmt.Errorf(
			"is in the form %q, which this server does not know; almanac-move makes drafts of files",
			item.Form,
		)
	}
	if err == nil {
		err = im.tx.Try(func() error {
			if item.Gone && item.Base != nil {
				if err := im.admits(k, r); err != nil {
					return err
				}
				return im.remove(r)
			}
			id, err := im.put(k, r)
			if own := r.integer("id"); err == nil && own != 0 && im.exact && !im.seed {
				set(im, &im.state.Exported, im.exportKey(k, own), id)
			}
			if err == nil && im.waits && len(im.unsealed) > 0 {
				return ErrUnsealed
			}
			return err
		})
	}
	if errors.Is(err, ErrUnsealed) {
		return false
	}
	if err != nil {
		if im.stored = nil; im.waits {
			im.unsealed = nil
		}
		im.refuse(item.Kind, r, err)
	}
	if item.As != "" {
		im.taken = append(im.taken, im.became())
	}
	return true
}

// put stores a record of a kind and returns its id here.
func (im *importer) put(k store.Kind, r *record) (id int64, err error) {
	if err := r.checkSize(); err != nil && !im.seed {
		return 0, err
	}
	im.parts += r.parts()
	im.look(k, r)
	if err := im.admits(k, r); err != nil {
		return 0, err
	}
	switch k {
	case store.Events:
		if im.item.Form == CalendarForm || im.item.Row && r.has("calendar") {
			id, err = im.calendarEvent(r)
			break
		}
		id, err = im.event(r)
	case store.Venues, store.Organizers:
		id, err = im.linkedRecord(k, r)
	case store.Images:
		id, err = im.planted(r)
	case store.AllSeries:
		id, err = im.series(r)
	default:
		id, err = im.term(k, r)
	}
	if err != nil && r.wrong != nil {
		err = r.wrong // the cause of later errors
	}
	return id, err
}

// look reports the members of a record that the store does not keep, or not as they are. They
// include objects of extensions, which are empty on a plain site, and that an event is online if no
// address says where.
func (im *importer) look(k store.Kind, r *record) {
	for _, key := range r.names(func(name string) bool {
		row, ok := MemberOf(k, name)
		isExtension := name == "meta" && !r.Member(name).IsEmpty() ||
			name == "is_virtual" && r.flag(name) && r.text("virtual_url") == "" ||
			name == "virtual_url" && r.text(name) != "" && im.online(r) == "" ||
			name == "recurrence" && !r.Member(name).IsEmpty() && r.Member(name).Kind() != '{'
		isPart := name == "calendar" && (im.item.Form == CalendarForm || im.item.Row)
		return !isPart && (!ok || isExtension || !im.takes(row))
	}) {
		im.report.unknown(UnknownKey{Kind: k, Key: key, File: im.item.File})
	}
	if _, isPost := tables[k]; isPost && im.isLimited() && im.isAhead(im.written(r, "modified").At) {
		im.report.unknown(UnknownKey{k, "modified_utc", im.item.File, aheadReason})
	}
}

// refuse reports a record that cannot be taken; r is nil if the item has no record.
func (im *importer) refuse(kind string, r *record, reason error) {
	refusal := Refusal{
		Kind:     kind,
		File:     im.item.File,
		Position: im.item.Position,
		Line:     im.item.Line,
		Reason:   reason.Error(),
	}
	refusal.At = im.item.Value.At
	if r != nil {
		refusal.ID = r.name()
		refusal.Embedded = r.embedded
	}
	var wrong *fieldError
	if errors.As(reason, &wrong) {
		refusal.Field = wrong.field
	}
	if wrong != nil && im.seed {
		refusal.At = wrong.at
		refusal.Reason = wrong.err.Error()
	}
	im.tx.OnUndo(im.report.refuse(refusal))
}

func (im *importer) note(k store.Kind, id int64, outcome write.Outcome) {
	im.tx.OnUndo(im.report.note(k, id, outcome))
}

// set sets an entry of a map of the state, and can be reverted.
func set[V any](im *importer, m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	before, had := (*m)[key]
	(*m)[key] = value
	im.tx.OnUndo(func() {
		if (*m)[key] = before; !had {
			delete(*m, key)
		}
	})
}

// wait makes a record wait for a parent.
func (im *importer) wait(waiting *map[string][]int64, parent string, id int64) {
	if ids := (*waiting)[parent]; !slices.Contains(ids, id) {
		set(im, waiting, parent, append(slices.Clip(ids), id))
	}
}

// unset removes an entry of a map of the state and returns its value.
func unset[V any](im *importer, m map[string]V, key string) V {
	before, had := m[key]
	if had {
		delete(m, key)
		im.tx.OnUndo(func() { m[key] = before })
	}
	return before
}

// commit stores a record that was made of r, and returns its id. meta is the record's; its id is
// that of the stored record to replace, or 0.
func (im *importer) commit(r *record, next store.Record, meta *store.Meta) (int64, error) {
	if r.wrong != nil {
		return 0, r.wrong
	}
	isNew := meta.ID == 0
	if isNew && im.seed {
		if err := im.identify(r, next.Kind(), &meta.ID); err != nil {
			return 0, err
		}
	}
	isDated := im.stamp(r, "modified").Said
	outcome, err := im.editor().Store(im.tx, next, isNew, isDated)
	switch {
	case errors.Is(err, write.ErrForbidden) && r.embedded && !isNew:
		outcome = write.Unchanged
	case errors.Is(err, write.ErrForbidden):
		return 0, errForbidden
	case err != nil:
		return 0, err
	}
	if outcome != write.Unchanged {
		im.remember(next)
		if len(im.places) > 0 {
			im.enter(next)
		}
	}
	im.note(next.Kind(), meta.ID, outcome)
	im.stored = next
	return meta.ID, nil
}

func (rd *reader) wantedSlug(r *record) string {
	if rd.exact {
		return r.text("slug")
	}
	return asStored(r.text("slug"))
}

// asStored returns the stored form of a slug, or "".
func asStored(slug string) string {
	if strings.Trim(slug, "abcdefghijklmnopqrstuvwxyz0123456789-_%") == "" && len(slug) <= 200 {
		return slug
	}
	return markup.Slug(slug)
}

// typed reverses typography: typographic characters become those of a keyboard.
var typed = strings.NewReplacer(
	"&#8216;",
	"'",
	"&#8217;",
	"'",
	"&#8242;",
	"'",
	"&#8220;",
	`"`,
	"&#8221;",
	`"`,
	"&#8243;",
	`"`,
	"&#8211;",
	"-",
	"&#8212;",
	"--",
	"&#8230;",
	"...",
	"&#215;",
	"x",
)

// plain decodes the entities of a title or name, once. It prefers the text that was typed at the
// source, if rendering gives the same characters. A text stays as it is if decoding would create a
// tag or an entity.
func plain(shown string) string {
	shown = strings.TrimSpace(shown)
	decoded := markup.Unescape(shown)
	if markup.Visible(decoded) != markup.Visible(shown) {
		return shown
	}
	if source := markup.Unescape(typed.Replace(shown)); markup.Visible(
		markup.Title(source),
	) == markup.Visible(
		shown,
	) {
		return source
	}
	return decoded
}

// Records of sources that are read again and again.

package intake

import (
	"slices"
	"time"

	"almanac/internal/write"
	"almanac/store"
)

// Values of Item.As: the version that holds, if a record is here already.
const (
	Keep      = "keep"      // that of the item, unless the record changed here
	Once      = "once"      // the record here
	Overwrite = "overwrite" // that of the item
)

// A Taken is the record here that an item became.
type Taken struct {
	Kind     store.Kind `json:"kind"`
	ID       int64      `json:"id"`
	Modified time.Time  `json:"modified,omitzero"`
	Changed  bool       `json:"changed,omitempty"` // here, after the source did
	Trashed  bool       `json:"trashed,omitempty"`
	Gone     bool       `json:"gone,omitempty"` // moved to the trash, because the source lacks it
	Until    time.Time  `json:"until,omitzero"` // end of the last event; zero for a series without end
}

// isChanged reports whether the record of Base changed since.
func (t *Taken) isChanged(p *store.Post) bool {
	return t.Changed || !p.Modified.Equal(t.Modified) || (p.Status == store.Trash) != t.Trashed
}

// remove moves the future event of Base to the trash, or the future events of its series.
func (im *importer) remove(r *record) error {
	known := im.tx.Get(im.item.Base.Kind, im.item.Base.ID)
	scope := write.This
	var events []*store.Event
	switch known := known.(type) {
	case *store.Event:
		events = []*store.Event{known}
	case *store.Series:
		events = im.tx.Instances(known.ID)
		scope = write.Following
	}
	im.stored = known
	p := store.PostOf(known)
	id := r.text("global_id")
	switch {
	case p == nil || id != "" && !slices.ContainsFunc(p.Origins, func(o string) bool { return sameGlobal(o, id) }): // it is another one
		im.stored = nil
		return nil
	case im.item.As != Overwrite && im.item.Base.isChanged(p):
		im.older = true
		return nil
	}
	for _, e := range events {
		zone, err := im.Zones.Load(e.Timezone)
		if err != nil {
			return err
		}
		if e.Status == store.Trash || !zone.Instant(e.Start.Time()).After(im.Now) {
			continue
		}
		_, report, err := im.editor().DeleteEvent(im.tx, scope, e)
		im.gone = err == nil
		if im.note(store.Events, e.ID, write.Updated); report != nil {
			im.noteAll(report.Removed, write.Updated)
		}
		return err
	}
	return nil
}

// became returns the record that the item became, or nil.
func (im *importer) became() *Taken {
	if im.dateless {
		return &Taken{Kind: store.AllSeries, Trashed: true, Gone: im.gone}
	}
	if im.stored == nil {
		return nil
	}
	known := im.tx.Get(im.stored.Kind(), im.stored.Key())
	p := store.PostOf(known)
	if p == nil {
		return nil
	}
	t := &Taken{
		Kind:     known.Kind(),
		ID:       known.Key(),
		Modified: p.Modified,
		Trashed:  p.Status == store.Trash,
		Gone:     im.gone,
		Changed:  im.older,
	}
	last, _ := known.(*store.Event)
	if s, ok := known.(*store.Series); ok && s.Horizon == 0 {
		for _, e := range im.tx.Instances(s.ID) {
			last = e
		}
	}
	if last != nil {
		zone, _ := im.Zones.Load(last.Timezone) // was loaded to store it
		t.Until = zone.Instant(last.End.Time())
	}
	return t
}

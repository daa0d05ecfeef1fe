// Records of sources that are read again and again.

package intake

import (
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
	Until    time.Time  `json:"until,omitzero"` // end of the event, or of the last event of a series that ends
}

// stays reports whether a known record of a source stays as it is. A record that was removed for good does not come back.
func (im *importer) stays() bool {
	base := im.item.Base
	if base == nil || im.item.As == Overwrite {
		return false
	}
	p := store.PostOf(im.tx.Get(base.Kind, base.ID))
	isChanged := p == nil || base.Changed || !p.Modified.Equal(base.Modified) || (p.Status == store.Trash) != base.Trashed
	return isChanged || im.item.As == Once && !im.item.Gone
}

// stay leaves a known record alone.
func (im *importer) stay() *Taken {
	switch known := im.tx.Get(im.item.Base.Kind, im.item.Base.ID).(type) {
	case nil:
		return nil
	case *store.Series:
		im.leave(known)
	default:
		im.note(known.Kind(), known.Key(), Unchanged)
	}
	return im.item.Base
}

// remove moves a future event that a source lacks to the trash, or the future events of a series.
func (im *importer) remove() error {
	known, scope := im.tx.Get(im.item.Base.Kind, im.item.Base.ID), write.This
	var events []*store.Event
	switch known := known.(type) {
	case *store.Event:
		events = []*store.Event{known}
	case *store.Series:
		events, scope = im.tx.Instances(known.ID), write.Following
	}
	im.stored = known
	for _, e := range events {
		zone, err := im.Zones.Load(e.Timezone)
		if err != nil {
			return err
		}
		if e.Status == store.Trash || !zone.Instant(e.Start.Time()).After(im.Now) {
			continue
		}
		_, report, err := im.editor().DeleteEvent(im.tx, scope, e)
		if im.note(store.Events, e.ID, Updated); report != nil {
			im.noteAll(report.Removed, Updated)
		}
		return err
	}
	return nil
}

// became returns the record that the item became, or nil.
func (im *importer) became() *Taken {
	if im.stored == nil {
		return nil
	}
	known := im.tx.Get(im.stored.Kind(), im.stored.Key())
	p := store.PostOf(known)
	if p == nil {
		return nil
	}
	t := &Taken{Kind: known.Kind(), ID: known.Key(), Modified: p.Modified, Trashed: p.Status == store.Trash}
	t.Changed = im.older || t.Trashed && !im.item.Gone
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

// Effects of a transaction on each record, by comparing with the record before.

package store

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// An Effect is the effect of a transaction on a record.
type Effect struct {
	Kind Kind
	ID   int64

	// Verb is created, changed, published, trashed, restored or removed, of accounts
	// also disabled or enabled, or written for a record that may have been there before
	// the log begins.
	Verb string
	Name string // title, name or address; last one if removed, "" if unknown

	// Members are the names on disk of the changed members, sorted, for tokens each with its
	// change; nil without a record before.
	Members []string
}

// A Past remembers every record as the last transaction left it. The zero value
// is the past of a log that is about to be read.
type Past struct {
	records map[Removal]Record
	whole   bool // from line 1 on
}

// Effects tells what a transaction did: records that others link to first,
// removals last. Transactions have to be given in their order, all of them.
func (p *Past) Effects(t Transaction) ([]Effect, error) {
	if p.records == nil {
		p.records, p.whole = map[Removal]Record{}, t.Seq == 1
	}
	var effects []Effect
	var err error
	t.Change.each(func(r Record) {
		key := Removal{r.Kind(), r.Key()}
		e := Effect{Kind: key.Kind, ID: key.ID, Name: titleOf(r)}
		old := p.records[key]
		was, _ := old.(*Account)
		now, isAccount := r.(*Account)
		switch {
		case isAccount && (was != nil || p.whole || now.Removed):
			e = accountEffect(was, now)
		case old != nil:
			e.Verb = verb(old, r)
			var failed error
			if e.Members, failed = changedMembers(old, r); failed != nil {
				err = failed
			}
		case p.whole:
			e.Verb = "created"
		default:
			e.Verb = "written"
		}
		p.records[key] = r
		effects = append(effects, e)
	})
	for _, gone := range t.Change.Removed {
		e := Effect{Kind: gone.Kind, ID: gone.ID, Verb: "removed"}
		if old := p.records[gone]; old != nil {
			e.Name = titleOf(old)
		}
		delete(p.records, gone)
		effects = append(effects, e)
	}
	return effects, err
}

// verb tells what became of a record.
func verb(old, r Record) string {
	was, is := postOf(old), postOf(r)
	switch {
	case is == nil || was.Status == is.Status:
		return "changed"
	case is.Status == Trash:
		return "trashed"
	case was.Status == Trash:
		return "restored"
	case is.Status == Publish:
		return "published"
	}
	return "changed"
}

// titleOf returns what people call a record.
func titleOf(r Record) string {
	switch r := r.(type) {
	case *Event:
		return r.Title
	case *Image:
		return r.URL
	case *Series:
		return r.Event.Title
	case *Account:
		return r.Login
	}
	name, _ := nameOf(r)
	return name
}

// changedMembers returns the names of members that differ, but for rev, which
// always does.
func changedMembers(old, r Record) ([]string, error) {
	var was, is map[string]json.RawMessage
	for _, m := range []struct {
		of   Record
		into *map[string]json.RawMessage
	}{{old, &was}, {r, &is}} {
		text, err := appendJSON(nil, m.of)
		if err == nil {
			err = json.Unmarshal(text, m.into)
		}
		if err != nil {
			return nil, err
		}
	}
	names, all := []string{}, maps.Clone(was)
	maps.Copy(all, is)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name != "rev" && !bytes.Equal(was[name], is[name]) {
			names = append(names, name)
		}
	}
	return names, nil
}

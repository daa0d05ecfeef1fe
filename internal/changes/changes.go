// Package changes tells what has changed in lists since a token, for clients that keep a copy.
//
//	page, known := changes.Since(view, caller, oldest, token, most)
//
// It computes the changes from the steps that the store remembers and the present state. Each record is told once: how
// it was at the token and how it is now. So a client that reads created and changed records again, and forgets removed
// ones, has the contents of the lists. A token tells its holder nothing, and is bound to one caller.
package changes

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"time"

	"almanac/internal/access"
	"almanac/internal/account"
	"almanac/store"
)

const (
	changesMost = 1000 // changes in an answer
	// looksMost is how many steps are looked at for one answer, and staysMost how many that the
	// caller sees nothing of leave his token as it is: so it tells nothing of them.
	looksMost = 8192
	staysMost = looksMost / 2
)

// A change tells how a record differs from its state at the token.
type change struct {
	Kind      string `json:"kind"`
	ID        int64  `json:"id"`
	Operation string `json:"operation"`
	Modified  string `json:"modified"` // when that was, UTC
}

// A Page is some changes, in their order.
type Page struct {
	Changes []change `json:"changes"`
	Token   string   `json:"token"` // for what comes after them
	More    bool     `json:"more"`  // there is something already
}

// A reader reads the changes that a caller may see.
type reader struct {
	*store.View
	caller account.Account
	oldest int64 // time of the oldest change that is told, in nanoseconds
}

// Since returns at most as many changes after a token as are asked for; without a token, none and the token of now. It
// reports false for a token that is not known to this server and this caller, or is from before the oldest time.
func Since(v *store.View, caller account.Account, oldest int64, token string, most int64) (Page, bool) {
	r := reader{v, caller, oldest}
	if token == "" {
		return Page{[]change{}, r.tokenOf(r.latest()), false}, true
	}
	at, known := r.placeOf(token)
	if !known || at.number < v.Steps().Last() && v.Steps().At(at.number+1).Time <= oldest {
		return Page{}, false
	}
	return r.changesSince(at, int(min(most, changesMost))), true
}

// A place is how much of the steps was told: up to one with a number, and of the next one the
// record and those linked to it that have smaller ids than next, unless that is 0.
type place struct{ number, next int64 }

// tokenOf returns the token of a place: the name of a state and the caller's identity, hidden and bound to the
// caller, since other callers see other changes. A caller who cannot see the full history can derive nothing.
func (r reader) tokenOf(at place) string {
	state, left := r.Steps().Place(at.number)
	b := binary.BigEndian.AppendUint32(nil, uint32(left))
	b = binary.BigEndian.AppendUint64(b, uint64(at.next))
	binding := r.binding(state, b)
	return hex.EncodeToString(slices.Concat(state.Name[:], binding, hidden(state, binding, b)))
}

// binding is a MAC of the contents of a token with its state and the caller.
func (r reader) binding(m store.StateID, text []byte) []byte {
	b := slices.Concat([]byte("seal "), m.Name[:], m.Key[:], text, []byte(r.caller.Role))
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(b, uint64(r.caller.ID)))
	return sum[:8]
}

// hidden hides what a token says, or shows it again.
func hidden(m store.StateID, binding, text []byte) []byte {
	pad := sha256.Sum256(slices.Concat([]byte("pad "), m.Key[:], binding))
	b := slices.Clone(text)
	subtle.XORBytes(b, b, pad[:])
	return b
}

// placeOf returns the place of a token, if it is one of the caller and known.
func (r reader) placeOf(token string) (at place, known bool) {
	b, err := hex.DecodeString(token)
	if err != nil || len(b) != 8+8+12 || hex.EncodeToString(b) != token {
		return place{}, false
	}
	state, last, known := r.Steps().Find([8]byte(b))
	text := hidden(state, b[8:16], b[16:])
	if !known || subtle.ConstantTimeCompare(r.binding(state, text), b[8:16]) != 1 {
		return place{}, false
	}
	at = place{last - int64(binary.BigEndian.Uint32(text)), int64(binary.BigEndian.Uint64(text[4:]))}
	return at, at.number >= r.Steps().First()-1
}

// lists reports whether the caller finds a record of a kind in lists that stands so.
func (r reader) lists(k store.Kind, s store.Standing) bool {
	p := &store.Post{Author: s.Author, Status: s.Status}
	switch {
	case s.Status == "" || k == store.Images:
		return false
	case k == store.AllSeries:
		return access.MayRead(r.caller, p)
	}
	return access.ViewerOf(r.caller).Sees(p)
}

// latest returns the place of now: that of the last step that the caller sees something of.
func (r reader) latest() place {
	steps := r.Steps()
	n := steps.Last()
	for looks := 0; n >= steps.First() && looks < looksMost; n-- {
		step := steps.At(n)
		if r.lists(step.Kind, step.Was) || r.lists(step.Kind, store.StandingOf(r.Get(step.Kind, step.ID))) {
			break
		}
		looks++
	}
	if n >= steps.First() { // the rest of its transaction does not concern the caller
		_, left := steps.Place(n)
		n += int64(left)
	}
	return place{number: n}
}

// changesSince returns the changes from a place on.
func (r reader) changesSince(from place, most int) Page {
	page, at := Page{Changes: []change{}}, from
	// Of each record its first step says how it was. One that is told for what it shows of
	// another may have a step of its own after that.
	type telling struct {
		at  int // in page; -1 for nothing
		own bool
	}
	told := map[store.Removal]telling{}
	add := func(k store.Kind, id int64, operation string, own bool, when time.Time) {
		key := store.Removal{Kind: k, ID: id}
		t, again := told[key]
		switch {
		case operation == "" && !again:
			t.at = -1
		case !again:
			t.at, page.Changes = len(page.Changes), append(page.Changes, change{Kind: k.String(), ID: id, Operation: operation})
		case own && !t.own && operation != "":
			page.Changes[t.at].Operation = operation
		}
		if t.own = t.own || own; t.at >= 0 {
			page.Changes[t.at].Modified = when.Format(time.RFC3339)
		}
		told[key] = t
	}
	steps, looks := r.Steps(), 0
	for ; at.number < steps.Last() && !page.More; looks++ {
		if page.More = len(page.Changes) >= most || looks == looksMost; page.More {
			break
		}
		step := steps.At(at.number + 1)
		operation := operationOf(r.lists(step.Kind, step.Was), r.lists(step.Kind, store.StandingOf(r.Get(step.Kind, step.ID))))
		before := told[store.Removal{Kind: step.Kind, ID: step.ID}]
		if at.next == 0 {
			add(step.Kind, step.ID, operation, true, step.When())
		}
		if !before.own && (operation == "created" || operation == "removed") {
			for _, id := range r.linkedTo(step.Kind, step.ID, at.next) {
				if page.More = len(page.Changes) >= most; page.More {
					at.next = id
					break
				}
				add(store.Events, id, "changed", false, step.When())
			}
		}
		if !page.More {
			at = place{number: at.number + 1}
		}
	}
	if len(page.Changes) == 0 && !page.More && looks <= staysMost && (looks == 0 || steps.At(from.number+1).Time > r.youth()) {
		at = from
	}
	page.Token = r.tokenOf(at)
	return page
}

// operationOf returns what happened to a record that was listed or not, and is so now or not;
// "" for nothing.
func operationOf(was, is bool) string {
	switch {
	case was && is:
		return "changed"
	case is:
		return "created"
	case was:
		return "removed"
	}
	return ""
}

// youth returns since when a token is far from being too old.
func (r reader) youth() int64 {
	if r.oldest == math.MinInt64 {
		return r.oldest
	}
	return r.oldest + (r.Now().UnixNano()-r.oldest)/2
}

// linkedTo returns the ids, from one on, of the listed events that look different to the caller when a record
// of a kind comes or goes: the events that are linked to it and that he sees inside.
func (r reader) linkedTo(k store.Kind, id, from int64) (ids []int64) {
	switch k {
	case store.Events, store.Venues, store.Organizers, store.AllSeries:
	default:
		return nil // events lose a term themselves
	}
	for _, e := range r.EventsOf(k, id) {
		if e.ID >= from && r.lists(store.Events, store.StandingOf(e)) && (e.Password == "" || access.MayEdit(r.caller, &e.Post)) {
			ids = append(ids, e.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

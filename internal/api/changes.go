// Changes of the records in lists, for clients that keep a copy.

package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"math"
	"net/http"
	"slices"
	"time"

	"almanac/internal/access"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// Changes answers with the changes since a token, as far as the caller finds the records in lists. They are
// computed from the steps that the store remembers and the present state. Each record is told once: how it was
// at the token and how it is now. So a client that reads created and changed records again, and forgets removed
// ones, has the contents of the lists.
var Changes = Unlisted(Negotiated(&Op{Name: "changes", Params: params.Changes, Serve: serveChanges}))

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

// changes is some of them, in their order.
type changes struct {
	Changes []change `json:"changes"`
	Token   string   `json:"token"` // for what comes after them
	More    bool     `json:"more"`  // there is something already
}

// errForgotten answers a token that says nothing to this server.
var errForgotten = &Error{Status: http.StatusGone, Code: "rest_changes_forgotten",
	Message: "What has changed since this token is not known: it is not one of this server and of your account, or more than " +
		"131,072 changes came after it, or it is older than the server keeps its log, or than a snapshot before its last start. " +
		"Begin again: ask without since for a new token, then read the lists anew."}

// A changeLog reads the changes that a caller may see.
type changeLog struct{ *Call }

// serveChanges answers GET /changes.
func serveChanges(call *Call) (*respond.Response, error) {
	r := changeLog{call}
	page, err := r.changes()
	if err != nil {
		return nil, err
	}
	return &respond.Response{Status: http.StatusOK, Body: jsonBody(page), Header: map[string]string{"Cache-Control": "no-store"}}, nil
}

// changes returns the changes after the token of the request; without one, none and the token of now.
func (r changeLog) changes() (page changes, err error) {
	err = r.InView(func(v *store.View, values params.Values) error {
		most, since := int(min(values.Int("per_page"), changesMost)), values.Text("since")
		if since == "" {
			page = changes{[]change{}, r.tokenOf(v.Steps(), r.latest(v)), false}
			return nil
		}
		at, known := r.placeOf(v.Steps(), since)
		if !known || at.number < v.Steps().Last() && v.Steps().At(at.number+1).Time <= r.Store.Oldest() {
			return errForgotten
		}
		page = r.changesSince(v, at, most)
		return nil
	})
	return page, err
}

// A place is how much of the steps was told: up to one with a number, and of the next one the
// record and those linked to it that have smaller ids than next, unless that is 0.
type place struct{ number, next int64 }

// tokenOf returns the token of a place: the name of a state and the caller's identity, hidden and bound to the
// caller, since other callers see other changes. A caller who cannot see the full history can derive nothing.
func (r changeLog) tokenOf(steps *store.Steps, at place) string {
	state, left := steps.Place(at.number)
	b := binary.BigEndian.AppendUint32(nil, uint32(left))
	b = binary.BigEndian.AppendUint64(b, uint64(at.next))
	binding := r.binding(state, b)
	return hex.EncodeToString(slices.Concat(state.Name[:], binding, hidden(state, binding, b)))
}

// binding is a MAC of the contents of a token with its state and the caller.
func (r changeLog) binding(m store.StateID, text []byte) []byte {
	b := slices.Concat([]byte("seal "), m.Name[:], m.Key[:], text, []byte(r.Caller.Role))
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(b, uint64(r.Caller.ID)))
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
func (r changeLog) placeOf(steps *store.Steps, token string) (at place, known bool) {
	b, err := hex.DecodeString(token)
	if err != nil || len(b) != 8+8+12 || hex.EncodeToString(b) != token {
		return place{}, false
	}
	state, last, known := steps.Find([8]byte(b))
	text := hidden(state, b[8:16], b[16:])
	if !known || subtle.ConstantTimeCompare(r.binding(state, text), b[8:16]) != 1 {
		return place{}, false
	}
	at = place{last - int64(binary.BigEndian.Uint32(text)), int64(binary.BigEndian.Uint64(text[4:]))}
	return at, at.number >= steps.First()-1
}

// lists reports whether the caller finds a record of a kind in lists that stands so.
func (r changeLog) lists(k store.Kind, s store.Standing) bool {
	p := &store.Post{Author: s.Author, Status: s.Status}
	switch {
	case s.Status == "" || k == store.Images:
		return false
	case k == store.AllSeries:
		return r.MayRead(p)
	}
	return access.ViewerOf(r.Caller).Sees(p)
}

// latest returns the place of now: that of the last step that the caller sees something of.
func (r changeLog) latest(v *store.View) place {
	steps := v.Steps()
	n := steps.Last()
	for looks := 0; n >= steps.First() && looks < looksMost; n-- {
		step := steps.At(n)
		if r.lists(step.Kind, step.Was) || r.lists(step.Kind, store.StandingOf(v.Get(step.Kind, step.ID))) {
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
func (r changeLog) changesSince(v *store.View, from place, most int) changes {
	page, at := changes{Changes: []change{}}, from
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
	steps, looks := v.Steps(), 0
	for ; at.number < steps.Last() && !page.More; looks++ {
		if page.More = len(page.Changes) >= most || looks == looksMost; page.More {
			break
		}
		step := steps.At(at.number + 1)
		operation := operationOf(r.lists(step.Kind, step.Was), r.lists(step.Kind, store.StandingOf(v.Get(step.Kind, step.ID))))
		before := told[store.Removal{Kind: step.Kind, ID: step.ID}]
		if at.next == 0 {
			add(step.Kind, step.ID, operation, true, step.When())
		}
		if !before.own && (operation == "created" || operation == "removed") {
			for _, id := range r.linkedTo(v, step.Kind, step.ID, at.next) {
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
	if len(page.Changes) == 0 && !page.More && looks <= staysMost && (looks == 0 || steps.At(from.number+1).Time > r.youth(v)) {
		at = from
	}
	page.Token = r.tokenOf(steps, at)
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
func (r changeLog) youth(v *store.View) int64 {
	oldest := r.Store.Oldest()
	if oldest == math.MinInt64 {
		return oldest
	}
	return oldest + (v.Now().UnixNano()-oldest)/2
}

// linkedTo returns the ids, from one on, of the listed events that look different to the caller when a record
// of a kind comes or goes: the events that are linked to it and that he sees inside.
func (r changeLog) linkedTo(v *store.View, k store.Kind, id, from int64) (ids []int64) {
	switch k {
	case store.Events, store.Venues, store.Organizers, store.AllSeries:
	default:
		return nil // events lose a term themselves
	}
	for _, e := range v.EventsOf(k, id) {
		if e.ID >= from && r.lists(store.Events, store.StandingOf(e)) && (e.Password == "" || r.mayEdit(&e.Post)) {
			ids = append(ids, e.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

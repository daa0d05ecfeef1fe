// Counts: how many published events a category or tag has.

package store

// count counts an event for its terms.
func (x *index) count(e *Event, more int) {
	e.terms(func(k Kind, id int64) { x.counted(k, id, more) })
}

// counted counts events for a term.
func (x *index) counted(k Kind, id int64, more int) {
	if n := x.counts[k][id] + more; n != 0 {
		x.counts[k][id] = n
	} else {
		delete(x.counts[k], id)
	}
}

// terms calls f once for every term of a published event, the events that count.
func (e *Event) terms(f func(Kind, int64)) {
	if e.Status != Publish {
		return
	}
	e.links(func(k Kind, id int64) {
		if k.isTerm() {
			f(k, id)
		}
	})
}

// Forms that are sent twice, and make one event.

package desk

import (
	"strconv"
	"sync"
	"time"
)

// forms remembers the events that forms made, for an hour, so that a form that is sent twice makes
// one.
type forms struct {
	mu    sync.Mutex
	known map[string]*made
}

type made struct {
	once sync.Mutex // locked while the event is made
	id   int64      // 0 while there is none
	at   time.Time
}

// formsKey is the key of the forms of a server.
type formsKey struct{}

const (
	formsTime = time.Hour
	formsMost = 10_000
)

// once runs a function unless the form with a key has made an event already, which it returns.
func (p *page) once(key string, create func() (int64, error)) (int64, error) {
	if key == "" {
		return create()
	}
	kept, _ := p.Memo.LoadOrStore(formsKey{}, &forms{known: map[string]*made{}})
	all := kept.(*forms)
	key = strconv.FormatInt(p.Caller.ID, 10) + " " + keyOf(key) // of any length
	all.mu.Lock()
	for other, m := range all.known {
		if p.Now.Sub(m.at) > formsTime || len(all.known) >= formsMost {
			delete(all.known, other)
		}
	}
	m := all.known[key]
	if m == nil {
		m = &made{at: p.Now}
		all.known[key] = m
	}
	all.mu.Unlock()
	m.once.Lock()
	defer m.once.Unlock()
	if m.id != 0 {
		return m.id, nil
	}
	var err error
	m.id, err = create()
	return m.id, err
}

// Forms that are sent twice, and make one event.

package submission

import (
	"sync"
	"time"
)

// Once remembers the events that forms made, for an hour, so that a form that is sent twice makes
// one. It is safe for concurrent use.
type Once struct {
	mu    sync.Mutex
	known map[string]*made
}

type made struct {
	once sync.Mutex // locked while the event is made
	id   int64      // 0 while there is none
	at   time.Time
}

const (
	formsTime = time.Hour
	formsMost = 10_000
)

// Do calls create unless the form with a key has made an event already, whose id it returns.
func (o *Once) Do(key string, now time.Time, create func() (int64, error)) (int64, error) {
	o.mu.Lock()
	for other, m := range o.known {
		if now.Sub(m.at) > formsTime || len(o.known) >= formsMost {
			delete(o.known, other)
		}
	}
	m := o.known[key]
	if m == nil {
		m = &made{at: now}
		if o.known == nil {
			o.known = map[string]*made{}
		}
		o.known[key] = m
	}
	o.mu.Unlock()
	m.once.Lock()
	defer m.once.Unlock()
	if m.id != 0 {
		return m.id, nil
	}
	var err error
	m.id, err = create()
	return m.id, err
}

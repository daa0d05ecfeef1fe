// The clock, with the real time for servers and a time of their own for tests.

package caltime

import (
	"sync"
	"time"
)

// A Clock tells the time. Nil and the zero value tell the real time; a clock
// that was set runs on from there at the pace of the real one, or stands still
// while it is frozen. Clocks may be used by several goroutines at once. Only Now
// and Setting may be called on nil.
type Clock struct {
	mu     sync.RWMutex // guards the fields below
	own    bool         // the clock left the real time: base and set count
	frozen bool         // base is the time, whatever the real clock does
	base   time.Time    // time of this clock at the real time set, in UTC
	set    time.Time    // real time, with its monotonic reading
}

// System returns a clock of the real time.
func System() *Clock { return new(Clock) }

// StartAt returns a clock that shows t now and runs on.
func StartAt(t time.Time) *Clock {
	c := new(Clock)
	c.Set(t)
	return c
}

// Frozen returns a clock that shows t until it is told otherwise.
func Frozen(t time.Time) *Clock {
	c := new(Clock)
	c.Freeze()
	c.Set(t)
	return c
}

// Now returns the time this clock shows, in UTC.
func (c *Clock) Now() time.Time {
	if c == nil {
		return realNow()
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.nowLocked()
}

// Set makes the clock show t. A frozen clock stays frozen.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.setLocked(t)
}

// Advance moves the clock by d, backwards if d is negative.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.setLocked(c.nowLocked().Add(d))
}

// Freeze makes the clock stand still at the time it shows.
func (c *Clock) Freeze() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.setLocked(c.nowLocked())
	c.frozen = true
}

// Resume lets a frozen clock run on from the time it shows. A clock that runs is
// left alone.
func (c *Clock) Resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.frozen {
		c.setLocked(c.base)
		c.frozen = false
	}
}

func (c *Clock) nowLocked() time.Time {
	switch {
	case !c.own:
		return realNow()
	case c.frozen:
		return c.base
	}
	return c.base.Add(time.Since(c.set))
}

func (c *Clock) setLocked(t time.Time) {
	c.own = true
	c.base = t.Round(0).UTC()
	c.set = time.Now()
}

// realNow drops the monotonic reading, so that times compare equal once they
// have been written down and read again.
func realNow() time.Time { return time.Now().Round(0).UTC() }

// A Setting is the state of a clock at one moment. The zero value is the real time.
type Setting struct {
	Own    bool      // the clock left the real time: Frozen and time count
	Frozen bool      // it stands still
	time   time.Time // of the clock, in UTC
}

// Setting returns how the clock is set now.
func (c *Clock) Setting() Setting {
	if c == nil {
		return Setting{}
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if !c.own {
		return Setting{}
	}
	return Setting{true, c.frozen, c.nowLocked()}
}

// Apply sets the clock as a setting says: it shows the same time again, however
// long ago that was, and runs or stands still as it did then.
func (c *Clock) Apply(s Setting) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.setLocked(s.time)
	c.own = s.Own
	c.frozen = s.Own && s.Frozen
}

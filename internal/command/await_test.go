package command

import "time"

// await calls done every few milliseconds until it returns true, and returns whether it did
// within a minute. It is for what another process or a connection does, of which nothing else
// tells.
func await(done func() bool) bool {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(time.Minute); !done(); <-tick.C {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

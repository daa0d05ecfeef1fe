package command

import "time"

// patience is how long a test waits for another process or a connection before it fails: no
// machine is so busy.
const patience = 10 * time.Minute

// await calls done every few milliseconds until it returns true, and returns whether it did
// before patience ended. It is for changes of which nothing tells.
func await(done func() bool) bool {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); !done(); <-tick.C {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

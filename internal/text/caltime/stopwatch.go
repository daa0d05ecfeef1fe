// How long something took, whatever the clock says.

package caltime

import "time"

// Stopwatch starts to measure, by the real time, and returns what tells how long
// it has been.
func Stopwatch() (elapsed func() time.Duration) {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

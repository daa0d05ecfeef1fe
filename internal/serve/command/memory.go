// Memory that a burst of requests leaves.

package command

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// calm is for how long there was no collection before memory is given back: a busy server
	// needs it again at once.
	calm = 30 * time.Second
	// spareMost is how much more memory than its content a calm server keeps.
	spareMost = 32 << 20
)

// giveBack gives memory back to the system after bursts of requests, until the context ends. The
// collector alone keeps as much beside the content as that takes, and collects no garbage before
// that is full again.
func giveBack(ctx context.Context) {
	tick := time.NewTicker(calm)
	defer tick.Stop()
	samples := []metrics.Sample{{
		Name: "/gc/cycles/total:gc-cycles",
	}, {
		Name: "/gc/heap/live:bytes",
	},
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	for before := uint64(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		metrics.Read(samples)
		cycles := samples[0].Value.Uint64()
		live := samples[1].Value.Uint64()
		inUse := samples[2].Value.Uint64() + samples[3].Value.Uint64()
		if cycles == before && inUse > live+spareMost {
			debug.FreeOSMemory()
		}
		before = cycles
	}
}

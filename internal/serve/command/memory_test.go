package command

import (
	"context"
	"runtime"
	"runtime/metrics"
	"testing"
	"testing/synctest"
	"time"
)

// A server that is calm gives the memory of a burst back, and one that ends does so no more.
func TestMemoryIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		go giveBack(ctx)
		released := func() uint64 {
			sample := []metrics.Sample{{Name: "/memory/classes/heap/released:bytes"}}
			metrics.Read(sample)
			return sample[0].Value.Uint64()
		}
		burst := func() {
			var all [][]byte
			for range 8 * spareMost >> 20 {
				all = append(all, make([]byte, 1<<20))
			}
			for _, one := range all {
				one[0] = 1
			}
		}
		burst()
		runtime.GC() // none is under way
		before := released()
		time.Sleep(5 * calm)
		if after := released(); after < before+4*spareMost {
			t.Errorf(
				"of %d MB %d are given back",
				8*spareMost>>20,
				(int64(after)-int64(before))>>20,
			)
		}
		end()
		synctest.Wait()
	})
}

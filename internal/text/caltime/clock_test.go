// Tests of the clock. Time passes under synctest, so nothing waits.

package caltime_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/text/caltime"
	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)

// pass lets time go by in a synctest bubble.
func pass(d time.Duration) { <-time.After(d) }

func TestClock(t *testing.T) {
	frozen := func() *caltime.Clock { return caltime.Frozen(noon) }
	running := func() *caltime.Clock { return caltime.StartAt(noon) }
	tests := []struct {
		name string
		make func() *caltime.Clock
		do   func(*caltime.Clock)
		want time.Duration // after noon, ten seconds after do
	}{
		{"runs on from where it starts", running, nil, 10 * time.Second},
		{"frozen stands still", frozen, nil, 0},
		{
			"frozen advances",
			frozen,
			func(c *caltime.Clock) { c.Advance(time.Hour); c.Advance(-time.Minute) },
			59 * time.Minute,
		},
		{
			"running advances and runs on",
			running,
			func(c *caltime.Clock) { c.Advance(time.Hour) },
			time.Hour + 10*time.Second,
		},
		{
			"frozen stays frozen when set",
			frozen,
			func(c *caltime.Clock) { c.Set(noon.Add(time.Minute)) },
			time.Minute,
		},
		{
			"set in another zone",
			caltime.System,
			func(c *caltime.Clock) { c.Set(noon.In(time.FixedZone("", -7200))) },
			10 * time.Second,
		},
		{
			"resumes from where it stood",
			frozen,
			func(c *caltime.Clock) { pass(time.Hour); c.Resume() },
			10 * time.Second,
		},
		{
			"resume leaves a running clock alone",
			running,
			func(c *caltime.Clock) { pass(time.Hour); c.Resume() },
			time.Hour + 10*time.Second,
		},
		{
			"freezes where it is",
			running,
			func(c *caltime.Clock) { pass(time.Minute); c.Freeze() },
			time.Minute,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := tt.make()
				if tt.do != nil {
					tt.do(c)
				}
				pass(10 * time.Second)
				want := noon.Add(tt.want).Format(time.RFC3339Nano)
				if diff := cmp.Diff(want, c.Now().Format(time.RFC3339Nano)); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestRealTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := new(caltime.Clock)
		stopped.Freeze()
		for name, c := range map[string]*caltime.Clock{
			"nil":                     nil,
			"zero":                    new(caltime.Clock),
			"system":                  caltime.System(),
			"frozen at the real time": stopped,
		} {
			now := c.Now()
			if !now.Equal(time.Now()) || now.Location() != time.UTC {
				t.Errorf("%s: got %v, want %v in UTC", name, now, time.Now())
			}
			if now != now.Round(0) {
				t.Errorf("%s: %v carries a monotonic reading", name, now)
			}
		}
	})
}

// The race detector checks this test.
func TestClockConcurrently(t *testing.T) {
	c := caltime.System()
	var wg sync.WaitGroup
	for _, do := range []func(){
		func() { c.Now() }, func() { c.Set(noon) }, func() { c.Advance(time.Second) }, c.Freeze, c.Resume,
	} {
		wg.Go(func() {
			for range 100 {
				do()
			}
		})
	}
	wg.Wait()
}

// A clock goes back to how it was set, or another is set like it.
func TestSetting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		tests := []struct {
			name string
			make func() *caltime.Clock
			want time.Time // ten seconds after it was applied
		}{
			{"the real time", caltime.System, started.Add(70 * time.Second)},
			{
				"running",
				func() *caltime.Clock { return caltime.StartAt(noon) },
				noon.Add(10 * time.Second),
			},
			{"frozen", func() *caltime.Clock { return caltime.Frozen(noon) }, noon},
			{"none at all", func() *caltime.Clock { return nil }, started.Add(280 * time.Second)},
		}
		for _, test := range tests {
			setting := test.make().Setting()
			pass(time.Minute)
			for _, c := range []*caltime.Clock{caltime.System(), caltime.Frozen(noon.Add(time.Hour)), caltime.StartAt(noon.Add(-time.Hour))} {
				c.Apply(setting)
				if c.Setting() != setting {
					t.Errorf("%s: set as %v, want %v", test.name, c.Setting(), setting)
				}
				if c.Now().Before(test.want.Add(-10 * time.Second)) {
					t.Errorf("%s: shows %v at first", test.name, c.Now())
				}
			}
			c := caltime.Frozen(noon.Add(time.Hour))
			c.Apply(setting)
			pass(10 * time.Second)
			if got := c.Now(); !got.Equal(test.want) {
				t.Errorf("%s: shows %v, want %v", test.name, got, test.want)
			}
		}
	})
}

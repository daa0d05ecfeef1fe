package intake_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"almanac/internal/write/intake"
	"almanac/move/files"
	"almanac/move/transfer"
	"almanac/store"
)

// repeated is a file that has a text again and again, for some bytes.
type repeated struct {
	text string
	left int
	rest string
}

func (r *repeated) Read(b []byte) (int, error) {
	if r.rest == "" {
		if r.left <= 0 {
			return 0, io.EOF
		}
		r.rest = r.text
		r.left = r.left - len(r.text)
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// heap returns the bytes of reachable memory.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestCalendarMemory imports calendars of 8 and of 32 MiB without new events: memory does not grow
// with the file.
func TestCalendarMemory(t *testing.T) {
	long := "DESCRIPTION:" + strings.Repeat("long ", 800) + "\n"
	size := map[string]int{"refused": 32 << 20, "refused in a word": 8 << 20, "the same": 32 << 20}
	for name, lines := range map[string]string{
		"refused":           "UID:a\nSUMMARY:x\n" + long,
		"refused in a word": "UID:a\n",
		"the same":          "UID:a\nSUMMARY:x\nDTSTART:20310510T190000Z\nLAST-MODIFIED:20300101T000000Z\n" + long,
	} {
		t.Run(name, func(t *testing.T) {
			c := newCalendar(t)
			var total intake.Report
			var batch intake.Batch
			first := heap()
			n := 0
			file := io.MultiReader(
				strings.NewReader("BEGIN:VCALENDAR\n"),
				&repeated{"BEGIN:VEVENT\n" + lines + "END:VEVENT\n", size[name], ""},
				strings.NewReader("END:VCALENDAR\n"),
			)
			err := files.Reader{Keep: transfer.Keep}.Read(file, "f.ics", func(item intake.Item) error {
				n++
				if batch.Items = append(batch.Items, item); len(batch.Items) < 100 {
					return nil
				}
				err := c.Update(7, func(tx *store.Tx) error {
					result, err := batch.Apply(tx, c.options)
					total.Merge(result.Report)
					batch = intake.Batch{State: result.State}
					return err
				})
				if n%(1<<17) == 100 || n == 5000 {
					if now := heap(); now > first+6<<20 {
						t.Fatalf("%d bytes are held after %d events", now-first, n)
					}
				}
				return err
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if refused := len(total.Refusals) + total.Further["events"]; (refused == 0) != (name == "the same") ||
				len(total.Refusals) != min(refused, 1000) {
				t.Errorf(
					"of %d events %d were refused and %d named",
					n,
					refused,
					len(total.Refusals),
				)
			}
			if now := heap(); now > first+6<<20 {
				t.Errorf("%d bytes are held after %d events", now-first, n)
			}
			runtime.KeepAlive(&total)
		})
	}
}

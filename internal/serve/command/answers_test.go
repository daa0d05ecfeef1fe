package command

// Memory of answers.

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"almanac/store"
)

// residentPeak returns how much of a process was in memory at most since the last
// call, in bytes.
func residentPeak(t *testing.T, pid int) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("only Linux tells")
	}
	found := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status)
	if found == nil {
		t.Fatalf("no VmHWM in %s", status)
	}
	kb, err := strconv.ParseInt(string(found[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
	return kb << 10
}

// Fifty events with forty organizers that have texts of 198,000 bytes would be a list of 400 MB.
// In every format, with many and slow readers, memory grows by a few records and the limit for all
// answers together.
func TestAnswerMemory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Update(1, func(tx *store.Tx) error {
		var organizers []int64
		for i := range 40 {
			o := &store.Organizer{
				Post: store.Post{
					Author: 1,
					Status: store.Publish,
					Description: strings.Repeat(`loud & "clear" `,
						198_000/15),
				},
				Name: fmt.Sprint(i),
			}
			if err := tx.Put(o); err != nil {
				return err
			}
			organizers = append(organizers, o.ID)
		}
		for i := range 50 {
			e := &store.Event{
				Post: store.Post{
					Author: 1,
					Status: store.Publish,
				},
				Title:      fmt.Sprint(i),
				Timezone:   "UTC",
				Start:      2_000_000_000,
				End:        2_000_000_000,
				Organizers: organizers,
			}
			if err := tx.Put(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	ready := startProcess(t, serveCommand(t, dir))
	list := ready.URL + "/cal/events/v1/events?starts_after=2030-01-01&per_page=50"
	residentPeak(t, ready.PID) // forgets what starting took
	before := residentPeak(t, ready.PID)

	// Another form of 33 MB is made at a time, of all of it in memory; the rest is garbage, of
	// which a busy machine collects less. Forty forms would be 1,300.
	const megabyte, growth = 1 << 20, 400
	check := func(what string) {
		t.Helper()
		if peak := residentPeak(t, ready.PID); peak > before+growth*megabyte {
			t.Errorf(
				"%s: %d MB were resident, before it were %d",
				what,
				peak/megabyte,
				before/megabyte,
			)
		}
	}
	for _, form := range []string{"", "&_pretty", "&_fields=events", "&_envelope", "&_jsonp=f"} {
		resp, err := http.Get(list + form)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err != nil || n < 8*megabyte || n > 34*megabyte ||
			resp.Header.Get("X-Almanac-Clamped") == "" {
			t.Errorf(
				"%q: %d bytes, %v, clamped %q",
				form,
				n,
				err,
				resp.Header.Get("X-Almanac-Clamped"),
			)
		}
		check("a list with " + strconv.Quote(form))
	}
	var readers sync.WaitGroup
	for i := range 40 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(ready.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.(*net.TCPConn).SetReadBuffer(4096)
		fmt.Fprintf(
			conn,
			"GET /cal/events/v1/events?starts_after=2030-01-01&x=%d HTTP/1.1\r\nHost: x\r\n\r\n",
			i,
		)
		readers.Go(func() {
			if _, err := io.ReadFull(conn, make([]byte, 20)); err != nil { // and reads no more
				t.Error(err)
			}
		})
	}
	readers.Wait()
	check("forty who read slowly")
}

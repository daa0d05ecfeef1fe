package command

import (
	"encoding/json"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// This file kills a server that is being written to, and the one that follows it, at
// moments that nobody chose, and compares the two at the end.

func TestFollowTorture(t *testing.T) {
	t.Parallel()
	seed, kills := numberFrom(t, "ALMANAC_TORTURE_SEED", rand.Uint64()), int(numberFrom(t, "ALMANAC_TORTURE", 2))
	t.Logf("%d kills of either; ALMANAC_TORTURE_SEED=%d makes the same choices", kills, seed)
	r := newTorture(t, seed)
	address := freeAddress(t) // the same each time, as a server has
	r.flags = append(r.flags, "-addr", address)
	f := &tortured{dir: filepath.Join(t.TempDir(), "copy"), first: "http://" + address}
	_, endFirst := r.start(t)
	f.start(t)
	endFirst()
	for i := range kills {
		before := r.truth.answers.Load()
		until, dead := before+1+r.rng.Int64N(most/2), make(chan struct{})
		var killer sync.WaitGroup
		killer.Go(func() { // of the follower, while the first server answers, or after it has ended
			for r.truth.answers.Load() < until {
				select {
				case <-dead:
					return
				default:
					r.tmp()
				}
			}
			f.end()
		})
		r.kill(t, []way{atByte, atAnswer, atSnapshot}[i%3])
		close(dead)
		killer.Wait()
		f.end()
		f.start(t)
		if t.Failed() {
			t.Fatalf("in round %d", i+1)
		}
	}
	ready, endFirst := r.start(t)
	r.compare(t, ready.URL)
	began := time.Now()
	f.wait(t, r.dir)
	t.Logf("%d answers; the copy was complete %v after the start of the first server; the largest lag after that: %d "+
		"transactions, %.3fs; after other starts %v; of the first server: %s",
		r.truth.answers.Load(), time.Since(began).Round(time.Millisecond), f.behind, f.seconds, f.lags, r.operator)
	endFirst()
	f.end()
	var heads []string
	for _, dir := range []string{r.dir, f.dir} {
		report, err := store.Verify(t.Context(), dir, store.VerifyOptions{})
		if err != nil || len(report.Findings) > 0 {
			t.Errorf("%s: %v, %v", dir, report.Findings, err)
		}
		heads = append(heads, string(report.Head[:]))
	}
	if heads[0] != heads[1] {
		t.Error("the heads are not the same")
	}
	r.offline(t)
}

// freeAddress returns an address at which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// tortured is a follower that is killed.
type tortured struct {
	dir, first string
	url        string
	end        func()
	lags       []string // for people: how long the copy was not complete, after each start
	behind     int      // the most that was missing at the end, and for how long
	seconds    float64
}

// start starts the follower.
func (f *tortured) start(t *testing.T) {
	t.Helper()
	cmd := childCommand(t, "", "", tortureLimits)
	cmd = &exec.Cmd{Path: cmd.Path, Args: []string{cmd.Path, "follow", f.first, "-data", f.dir, "-addr", "127.0.0.1:0", "-no-limits"},
		Env: append(cmd.Env, "ALMANAC_TOKEN=token of admin")}
	var stderr lockedBuffer
	cmd.Stderr = &stderr
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("follower: %s", &stderr)
		}
	})
	f.url = startProcess(t, cmd).URL
	f.end = sync.OnceFunc(func() {
		for line := range strings.Lines(stderr.String()) {
			if _, missed, ok := strings.Cut(line, " missed="); ok {
				f.lags = append(f.lags, strings.TrimSpace(missed))
			}
		}
		end(t, cmd)
	})
}

// wait waits until the copy is complete.
func (f *tortured) wait(t *testing.T, first string) {
	t.Helper()
	if !await(func() bool {
		answer := caller{f.url, "", http.DefaultClient}.do(t, "GET", "/_almanac/health", "")
		var health struct {
			Live, Ready, Writable bool
			Follows               struct {
				Connected bool
				Behind    int
				Seconds   float64
			}
		}
		if err := json.Unmarshal([]byte(answer.body), &health); err != nil || !health.Live || !health.Ready || health.Writable {
			t.Fatalf("the health of a follower: %s %v", answer.body, err)
		}
		f.behind, f.seconds = max(f.behind, health.Follows.Behind), max(f.seconds, health.Follows.Seconds)
		return health.Follows.Connected && health.Follows.Behind == 0 && cmp.Equal(lastLine(t, first), lastLine(t, f.dir))
	}) {
		t.Fatal("the copy is not complete")
	}
}

// lastLine returns the last line of a log. A last segment may be empty.
func lastLine(t *testing.T, dir string) string {
	t.Helper()
	segments, _ := filepath.Glob(filepath.Join(dir, "log", "*"))
	for _, segment := range slices.Backward(segments) {
		text, err := os.ReadFile(segment)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"); len(text) > 0 {
			return lines[len(lines)-1]
		}
	}
	return ""
}

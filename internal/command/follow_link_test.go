package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/race"
	"almanac/store"
)

// This file has what a follower does with the link to the first server: one that is slow,
// and one that is as fast as can be.

// slowly returns the address of a link to a server that brings so many bytes a second.
func slowly(t *testing.T, to string, bytes int) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", strings.TrimPrefix(to, "http://"))
			if err != nil {
				near.Close()
				continue
			}
			go func() {
				defer near.Close()
				defer far.Close()
				_, _ = io.Copy(far, near)
			}()
			go func() {
				defer near.Close()
				tick := time.NewTicker(10 * time.Millisecond)
				defer tick.Stop()
				for range tick.C {
					if _, err := io.CopyN(near, far, int64(bytes/100)); err != nil {
						return
					}
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

// An archive that takes longer than the first server's -write-timeout arrives, and so does a
// transaction that does, on a link that is slow.
func TestFollowSlowly(t *testing.T) {
	race.Alone(t)
	data, dir := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "copy")
	const bytes, speed = 24 << 20, 6 << 20 // more than what is on its way in the buffers of the system
	plant := func(name string) {
		t.Helper()
		st, err := store.Open(store.Options{Dir: data})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, uint64(len(name))))
		err = st.Update(1, func(tx *store.Tx) error {
			for i := range bytes >> 17 {
				text := make([]byte, 1<<17) // which no compression makes shorter by much
				for i := range text {
					text[i] = ' ' + 1 + byte(rng.IntN(94))
				}
				o := &store.Organizer{Post: store.Post{Author: 1, Status: store.Publish, Description: string(text)}, Name: fmt.Sprint(name, i)}
				if err := tx.Put(o); err != nil {
					return err
				}
			}
			return nil
		})
		if err := cmp.Or(err, st.Close()); err != nil {
			t.Fatal(err)
		}
	}
	plant("Early")
	token := ""
	for i, name := range []string{"Early", "Later"} {
		first := startServer(t, on(data, "-write-timeout", "1s")...)
		token += first.token
		began := time.Now()
		follower := startFollower(t, slowly(t, first.url, speed), token, dir)
		if follower.url == "" {
			t.Fatalf("follow ended with %v", follower.stop())
		}
		eventually(t, follower.admin(), "/_almanac/health/ready", isComplete)
		took := time.Since(began)
		if took < 2*time.Second {
			t.Errorf("%s: it took no more than %v: nothing was slow", name, took)
		}
		t.Logf("%s: %v", name, took.Round(time.Millisecond))
		if err := cmp.Or(follower.stop(), first.stop()); err != nil {
			t.Fatal(err)
		}
		if got, want := verifiedHead(t, dir), verifiedHead(t, data); got != want {
			t.Errorf("the copy ends with %s, want %s", got, want)
		}
		if i == 0 {
			plant("Later")
		}
	}
}

// A change is shown by a follower a moment after the first server has answered it, and its
// metrics say whether something is missing.
func TestFollowLag(t *testing.T) {
	t.Parallel()
	first := startServer(t, on(filepath.Join(t.TempDir(), "first"), "-no-limits")...)
	follower := startFollowProcess(t, first.url, first.token, filepath.Join(t.TempDir(), "copy"))
	follower.complete(t)
	var lags []time.Duration
	for range 100 {
		var made struct{ ID int }
		if err := json.Unmarshal([]byte(first.admin().must(t, "POST", api+"/events", concert)), &made); err != nil {
			t.Fatal(err)
		}
		answered := time.Now()
		eventually(t, follower.caller, fmt.Sprint(api, "/events/", made.ID), func(a answer) bool { return a.status == http.StatusOK })
		lags = append(lags, time.Since(answered))
	}
	follower.complete(t)
	if got := scrape(t, follower.metrics); got["almanac_follow_connected"] != 1 || got["almanac_follow_behind_transactions"] != 0 ||
		got["almanac_follow_incomplete_seconds"] != 0 {
		t.Errorf("the metrics of a complete copy: %v", got)
	}
	if err := first.stop(); err != nil {
		t.Error(err)
	}
	follower.says(t, "cannot be followed for now", 0)
	if got := scrape(t, follower.metrics); got["almanac_follow_connected"] != 0 || got["almanac_follow_incomplete_seconds"] <= 0 {
		t.Errorf("the metrics of a copy whose first server is away: %v", got)
	}
	slices.Sort(lags)
	t.Logf("from the answer of the first server until the follower shows a change, of %d: median %v, the largest %v", len(lags),
		lags[len(lags)/2].Round(10*time.Microsecond), lags[len(lags)-1].Round(10*time.Microsecond))
	if lags[len(lags)/2] > time.Second {
		t.Error("half of the changes are shown later than after a second")
	}
}

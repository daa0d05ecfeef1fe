// Snapshots: taking, keeping, loading and doing without.

package store

import (
	"fmt"
	"strings"
	"testing"

	"almanac/store/record"
	"almanac/store/wal"
)

func TestSnapshots(t *testing.T) {
	l := &ledger{t: t}
	m := newMemFiles()
	j := opened(t, l, m, 3000)
	must(t, l.snapshot(j)) // of nothing
	if got := snapshotsOf(t, m); got != nil {
		t.Errorf("snapshots of an empty store: %v", got)
	}
	for range 3 {
		must(t, l.commit(j, 5))
		if j.sinceSnapshot() == 0 {
			t.Error("no log since the snapshot")
		}
		must(t, l.snapshot(j), l.snapshot(j))
		line := lineOf(&l.entries[l.acked-1], l.position(l.acked-1).Head)
		if n := j.sinceSnapshot(); n != int64(len(line)+1) {
			t.Errorf(
				"%d bytes of log since the snapshot, want those of the checkpoint, %d",
				n,
				len(line)+1,
			)
		}
	}
	equal(t, "snapshots", []uint64{11, 17}, snapshotsOf(t, m))
	must(t, l.commit(j, 2))
	since := j.sinceSnapshot()
	must(t, j.Close())
	m.Mkdir("snapshots/00000000000000000016.tmp")
	m.put("snapshots/00000000000000000016.tmp/tags.json", []byte("[\n"))
	m.put("snapshots/mine.tmp", []byte("somebody else's"))
	j = opened(t, l, m, 3000)
	if !strings.Contains(l.log, "snapshot=17 replayed=3") ||
		!strings.Contains(l.log, "removing an unfinished snapshot") {
		t.Errorf("logged %s", l.log)
	}
	if got := j.sinceSnapshot(); got != since {
		t.Errorf("%d bytes since the snapshot, want %d as before", got, since)
	}
	equal(
		t,
		"snapshots",
		[]string{"00000000000000000011", "00000000000000000017", "mine.tmp"},
		names(m, wal.SnapshotDir),
	)
}

func names(m *memFiles, dir string) []string {
	names, _ := m.ReadDir(dir)
	return names
}

// Next ids are never given twice, even if the records with the last ones are
// gone.
func TestNextIDs(t *testing.T) {
	l := &ledger{t: t}
	m := newMemFiles()
	j := opened(t, l, m, 0)
	must(t, l.commit(j, 5)) // the fifth removes the organizer with the last id
	must(t, l.snapshot(j))
	want := j.at
	must(t, j.Close())
	if want.NextPost != 9 || want.NextTerm != 2 {
		t.Errorf("next ids %d and %d, want 9 and 2", want.NextPost, want.NextTerm)
	}
	j = opened(t, l, m, 0)
	equal(t, "position", want, j.at)

	// Not even if a snapshot was told less than its records say.
	must(t, l.commit(j, 1))
	want = j.at
	_, err := j.snapshot(record.Position{
		Position: want.Position,
		NextPost: 1,
		NextTerm: 1,
	}, l.records(l.acked), testTime)
	must(t, err, j.Close())
	want.NextPost = 8 // that of the record with the last id
	if _, got, err := openJournal(m, journalOptions{}, catalogue{}.load); err != nil ||
		got != want {
		t.Errorf("position %v with error %v, want %v", got, err, want)
	}
}

func TestDamagedSnapshots(t *testing.T) {
	newest := wal.SnapshotName(11)
	edit := func(name, old, new string) func(*memFiles) {
		return func(m *memFiles) {
			data := string(m.at(name))
			if !strings.Contains(data, old) {
				t.Fatalf("%s: no %q in %s", name, old, data)
			}
			m.put(name, []byte(strings.Replace(data, old, new, 1)))
		}
	}
	// reseal writes the right checksum into a manifest.
	reseal := func(old, new string) func(*memFiles) {
		return func(m *memFiles) {
			name := newest + "/manifest.json"
			edit(name, old, new)(m)
			data := m.at(name)
			m.put(name, append(sealed(string(bodyOf(data))), '\n'))
		}
	}
	tests := []struct {
		name   string
		damage func(*memFiles)
		from   int    // snapshot that is used instead
		err    string // or why it is refused
	}{
		{"a file changed", edit(newest+"/events.json", "No.", "no."), 5, ""},
		{"a file missing", func(m *memFiles) { m.Remove(newest + "/tags.json") }, 5, ""},
		{
			"a file too long",
			func(m *memFiles) { m.put(newest+"/tags.json", append(m.at(newest+"/tags.json"), '\n')) },
			5,
			"",
		},
		{"no manifest", func(m *memFiles) { m.Remove(newest + "/manifest.json") }, 5, ""},
		{
			"manifest changed",
			edit(newest+"/manifest.json", `"next_post": 1`, `"next_post": 2`),
			5,
			"",
		},
		{
			"manifest of another",
			func(m *memFiles) { m.put(newest+"/manifest.json", m.at(wal.ManifestPath(5))) },
			5,
			"",
		},
		{"manifest with more members", reseal(`"seq"`, `"more": 1, "seq"`), 5, ""},
		{"both", func(m *memFiles) {
			m.Remove(newest + "/tags.json")
			m.Remove(wal.SnapshotName(5) + "/tags.json")
		}, 0, ""},
		{"both, and the log begins later", func(m *memFiles) {
			m.Remove(newest + "/tags.json")
			m.Remove(wal.SnapshotName(5) + "/tags.json")
			m.Remove(wal.SegmentName(1))
		}, 0, newest + "/tags.json"},
		{"newer", reseal(`"version": 6`, `"version": 7`), 0, "newer almanac"},
		{
			"newer with more members",
			reseal(`"version": 6`, `"version": 7, "more": 1`),
			0,
			"newer almanac",
		},
		{"older", reseal(`"version": 6`, `"version": 4`), 0, "older almanac"},
		{"format 0", reseal(`"version": 6`, `"version": 0`), 5, ""},
		{"another history", reseal(`"head": "`, `"head": "00`), 5, ""},
		{"another head", func(m *memFiles) {
			head := fmt.Sprintf("%x", (&ledger{t: t}).position(0).Head)
			data := string(m.at(newest + "/manifest.json"))
			i := strings.Index(data, `"head": "`) + len(`"head": "`)
			reseal(data[i:i+64], head)(m)
		}, 0, "its head is not the SHA-256 of transaction"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l := &ledger{t: t}
			m := newMemFiles()
			j := opened(t, l, m, 1)
			must(
				t,
				l.commit(j, 5),
				l.snapshot(j),
				l.commit(j, 5),
				l.snapshot(j),
				l.commit(j, 1),
				j.Close(),
			)
			test.damage(m)
			j, err := l.open(m, 1)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("error %v, want one with %q", err, test.err)
				}
				return
			}
			must(t, err)
			if want := fmt.Sprintf("snapshot=%d replayed=%d", test.from, 13-test.from); !strings.Contains(
				l.log,
				want,
			) ||
				!strings.Contains(l.log, "WARN") {
				t.Errorf("logged %s, want a warning, and %s", l.log, want)
			}

			// The next snapshot takes the place of the damaged one.
			must(t, l.snapshot(j), j.Close())
			want := []uint64{13}
			if test.from > 0 {
				want = []uint64{uint64(test.from), 13}
			}
			equal(t, "snapshots", want, snapshotsOf(t, m))
			l.finish(m)
		})
	}
}

// A snapshot of the same transaction as a damaged one replaces it, if a crash came
// before any line has named that.
func TestReplaceDamagedSnapshot(t *testing.T) {
	l := &ledger{t: t}
	m := newMemFiles()
	j := opened(t, l, m, 0)
	must(t, l.commit(j, 5), l.snapshot(j), l.commit(j, 5))
	_, err := j.snapshot(j.at, l.records(l.acked), l.now())
	must(t, err, j.Close())
	m.Remove(wal.SnapshotName(11) + "/tags.json")
	j = opened(t, l, m, 0)
	must(t, l.snapshot(j), j.Close())
	equal(t, "snapshots", []uint64{5, 11}, snapshotsOf(t, m))
	l.finish(m)
}

// Commits do not wait for a snapshot, and neither sees half of the other.
func TestSnapshotBesideCommits(t *testing.T) {
	l := &ledger{t: t}
	m := newMemFiles()
	j := opened(t, l, m, 5000)
	must(t, l.commit(j, 5))
	for range 5 {
		p := j.at
		records := l.records(l.acked)
		var r *wal.Retention
		done := make(chan error)
		go func() {
			var err error
			r, err = j.snapshot(p, records, testTime)
			done <- err
		}()
		for range 10 {
			must(t, l.commit(j, 3))
			j.sinceSnapshot()
		}
		must(t, <-done, l.enter(j, r, l.now()))
	}
	must(t, j.Close())
	l.finish(m)
}

// The records of a snapshot are read by kind, ascending by id.
func TestSnapshotOrder(t *testing.T) {
	m := newMemFiles()
	var venues []Record
	const n = 9999
	for i := range n {
		venues = append(venues, &Venue{
			Post: Post{
				Meta: Meta{
					ID: int64(n - i),
				},
			},
			Name: "v",
		}) // in any order
	}
	at := record.Position{NextPost: 1, NextTerm: 1}
	must(t, m.Mkdir(wal.SnapshotDir), record.WriteSnapshot(m, at, testTime, [kinds][]Record{
		Venues: venues,
	}))
	manifest, err := wal.VerifySnapshot(m, 0, record.SnapshotFiles)
	must(t, err)
	last := int64(0)
	must(t, record.ReadSnapshot(m, manifest, nil, func(v Record) {
		if last++; v.Key() != last {
			t.Errorf("venue %d at the place of %d", v.Key(), last)
		}
	}))
	if last != n {
		t.Errorf("%d venues, want %d", last, n)
	}
}

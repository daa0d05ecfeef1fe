// Verifying: intact directories pass, and no others.

package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/tools/race"
	"almanac/store/record"
	"almanac/store/wal"

	"github.com/google/go-cmp/cmp"
)

// A deed is a journal with the state that it should lead to.
type deed struct {
	t     testing.TB
	files *memFiles
	j     *journal
	state *index
}

// newDeed makes a directory with several segments, batches of several lines,
// and snapshots of transactions 2, which is not the last of its segment, and 9,
// each with its checkpoint, which are lines 3 and 10.
func newDeed(t testing.TB) *deed {
	d := &deed{t: t, files: newMemFiles(), state: newIndex()}
	var err error
	d.j, _, err = openJournal(d.files, journalOptions{
		Options: wal.Options{
			SegmentSize: 1100,
		},
	}, func(*wal.Entry) {})
	must(t, err)
	t.Cleanup(func() { d.j.Close() })
	d.commit(d.venue(1, "Town Hall"), d.tag(1, "free"))
	d.snapshot()
	d.commit(d.event(2, "Concert"))
	d.commit(d.event(2, "Concert, moved"))
	d.commit(d.event(3, "Fair"), d.event(4, "Théâtre <b>"), &Change{
		Removed: []Removal{{
			Kind: Tags,
			ID:   1,
		}},
	})
	d.commit(d.venue(1, "Old Town Hall"))
	d.snapshot()
	return d
}

func (d *deed) post(id int64) Post {
	return Post{
		Meta: Meta{
			ID: id,
		},
		Author: 1,
		Status: Publish,
		Date:   testTime,
		Slug:   fmt.Sprint("post-", id),
	}
}

func (d *deed) event(id int64, title string) *Change {
	return &Change{
		Events: []*Event{{
			Post:     d.post(id),
			Title:    title,
			Start:    3600,
			End:      7200,
			Timezone: "UTC",
			Venues:   []int64{1},
		}},
	}
}

func (d *deed) venue(id int64, name string) *Change {
	return &Change{
		Venues: []*Venue{{
			Post: d.post(id),
			Name: name,
			Geo: &Geo{
				Lat: 47.5,
				Lng: -0.25,
			},
		}},
	}
}

func (d *deed) tag(id int64, name string) *Change {
	return &Change{Tags: []*Term{{Meta: Meta{ID: id}, Name: name, Slug: name}}}
}

// commit commits changes as one batch.
func (d *deed) commit(changes ...*Change) {
	d.t.Helper()
	var batch []wal.Entry
	for i, c := range changes {
		seq := d.j.at.Seq + uint64(i) + 1
		c.Each(func(r Record) { setKey(r, r.Key(), seq) })
		d.state.apply(c)
		batch = append(batch, wal.Entry{
			Seq:     seq,
			Time:    testTime.Add(time.Duration(seq) * time.Second),
			Account: 7,
			Value:   c,
		})
	}
	must(d.t, d.j.commit(batch))
}

func (d *deed) snapshot() {
	d.t.Helper()
	r, err := d.j.snapshot(d.j.at, d.state.all(), testTime)
	must(d.t, err)
	seq := d.j.at.Seq + 1
	must(d.t, d.j.commit([]wal.Entry{{
		Seq:       seq,
		Time:      testTime.Add(time.Duration(seq) * time.Second),
		Snapshots: r.Stays,
	}}))
	d.j.entered(seq)
	must(d.t, d.j.Prune(r))
}

// verified verifies files, and returns what was found as "file:line: reason".
func verified(t testing.TB, fsys wal.Files, since string) (Report, []string) {
	t.Helper()
	r, err := verifyFiles(t.Context(), fsys, VerifyOptions{Since: since})
	must(t, err)
	var found []string
	for _, f := range r.Findings {
		found = append(found, fmt.Sprintf("%s:%d: %v", f.File, f.Line, f.Err))
	}
	return r, found
}

// names reports whether a finding, or the torn end, is in a file.
func (r Report) names(file string) bool {
	return r.Truncated != nil && r.Truncated.File == file ||
		slices.ContainsFunc(r.Findings, func(f *CorruptError) bool { return f.File == file })
}

func TestVerify(t *testing.T) {
	t.Parallel()
	d := newDeed(t)
	before := d.files.crash(all, 0)
	got, found := verified(t, d.files, "")
	if found != nil {
		t.Errorf("found %q", found)
	}
	var size int64
	for _, name := range d.files.names() {
		if strings.HasPrefix(name, wal.LogDir) {
			size += int64(len(d.files.at(name)))
		}
	}
	want := Report{
		Segments:  4,
		Lines:     10,
		Bytes:     size,
		First:     1,
		Last:      10,
		FirstTime: testTime.Add(time.Second),
		LastTime:  testTime.Add(10 * time.Second),
		Head:      d.j.at.Head,
		Snapshots: []uint64{2, 9},
		Records: [kinds]int{
			Events: 3,
			Venues: 1,
		},
		RecordsAt: 10,
		Named:     2,
		NamedBy:   3,
	}
	equal(t, "report", want, got)
	for _, name := range before.names() {
		if !bytes.Equal(before.at(name), d.files.at(name)) {
			t.Errorf("verifying changed %s", name)
		}
	}
}

// Every byte counts, wherever it is, and what is found names its file.
func TestVerifyEveryByteAlone(t *testing.T) {
	race.Alone(t)
	d := newDeed(t)
	for _, name := range d.files.names() {
		if name == "lock" {
			continue
		}
		intact := d.files.at(name)
		for i := 0; i < len(intact); i += stride() {
			was := intact[i]
			others := []func() []byte{
				func() []byte { return slices.Replace(slices.Clone(intact), i, i+1, 0) },
				func() []byte { return slices.Delete(slices.Clone(intact), i, i+1) },
				func() []byte { return slices.Insert(slices.Clone(intact), i, was) },
				func() []byte { return slices.Insert(slices.Clone(intact), i, '\n') },
			}
			for what, data := range [][]byte{
				slices.Replace(slices.Clone(intact), i, i+1, was^1<<(i%8)),
				others[i%len(others)](),
			} {
				d.files.put(name, data)
				if r, found := verified(t, d.files, ""); !r.names(name) {
					t.Fatalf("%s, byte %d, %q, change %d: found %q", name, i, was, what, found)
				}
			}
		}
		for _, end := range []string{" ", "x", "\n", "\x00"} {
			d.files.put(name, append(slices.Clip(intact), end...))
			if r, found := verified(t, d.files, ""); !r.names(name) {
				t.Fatalf("%s, %q at the end: found %q", name, end, found)
			}
		}
		d.files.put(name, intact)
	}
	if _, found := verified(t, d.files, ""); found != nil {
		t.Errorf("found %q in what is whole", found)
	}
}

// Lines and files that are whole, in a place that is not theirs or missing.
func TestVerifyOrder(t *testing.T) {
	t.Parallel()
	d := newDeed(t)
	var segments []string
	for _, seq := range segmentsOf(t, d.files) {
		segments = append(segments, wal.SegmentName(seq))
	}
	intact := map[string][]byte{}
	for _, name := range d.files.names() {
		intact[name] = d.files.at(name)
	}
	try := func(what, file string, change func(m *memFiles)) {
		t.Helper()
		m := d.files.crash(none, 0)
		change(m)
		r, found := verified(t, m, "")
		if !r.names(file) || len(r.Findings) == 0 {
			t.Errorf("%s: found %q, want something in %s", what, found, file)
		}
	}
	for i, name := range segments {
		lines := bytes.SplitAfter(intact[name], []byte("\n"))
		lines = lines[:len(lines)-1]
		next := segments[min(i+1, len(segments)-1)]
		for k := range lines {
			where := name
			if k == len(lines)-1 {
				where = next // it shows there, or as the end of the log
			}
			if i == len(segments)-1 && k == len(lines)-1 {
				continue // the end of the log, which only somebody misses who knows the head
			}
			try(fmt.Sprintf("%s without line %d", name, k+1), where, func(m *memFiles) {
				m.put(name, bytes.Join(slices.Delete(slices.Clone(lines), k, k+1), nil))
			})
			try(fmt.Sprintf("%s with line %d twice", name, k+1), name, func(m *memFiles) {
				m.put(name, bytes.Join(slices.Insert(slices.Clone(lines), k, lines[k]), nil))
			})
			if k > 0 {
				try(fmt.Sprintf("%s with line %d moved up", name, k+1), name, func(m *memFiles) {
					swapped := slices.Clone(lines)
					swapped[k], swapped[k-1] = swapped[k-1], swapped[k]
					m.put(name, bytes.Join(swapped, nil))
				})
			}
		}
		where := next
		if i == len(segments)-1 {
			where = segments[i-1] // the log ends there
		}
		try(name+" removed", where, func(m *memFiles) { m.Remove(name) })
		try(name+" emptied", next, func(m *memFiles) { m.put(name, nil) })
		try(name+" renamed", where, func(m *memFiles) { m.Rename(name, name+".old") })
		if i > 0 {
			try(name+" exchanged", name, func(m *memFiles) {
				m.put(name, intact[segments[i-1]])
				m.put(segments[i-1], intact[name])
			})
		}
	}
	try("all segments removed", wal.SegmentName(1), func(m *memFiles) {
		for _, name := range segments {
			m.Remove(name)
		}
	})
	for _, k := range record.SnapshotOrder {
		older := wal.SnapshotName(2) + "/" + record.SnapshotFile(k)
		newer := wal.SnapshotName(9) + "/" + record.SnapshotFile(k)
		if !bytes.Equal(intact[older], intact[newer]) {
			try("older "+newer, newer, func(m *memFiles) { m.put(newer, intact[older]) })
		}
		try(newer+" removed", newer, func(m *memFiles) { m.Remove(newer) })
	}
	try("an older manifest", wal.ManifestPath(9), func(m *memFiles) {
		m.put(wal.ManifestPath(9), intact[wal.ManifestPath(2)])
	})
	try("a snapshot in the place of a newer one", wal.ManifestPath(9), func(m *memFiles) {
		for _, name := range names(m, wal.SnapshotName(2)) {
			m.put(wal.SnapshotName(9)+"/"+name, intact[wal.SnapshotName(2)+"/"+name])
		}
	})
}

// A forger can compute checksums of changed files anew. The log shows the change.
func TestVerifyForged(t *testing.T) {
	t.Parallel()
	const newest = 9
	reseal := func(m *memFiles, change func(*wal.Manifest)) {
		name := wal.ManifestPath(newest)
		forged, err := wal.ParseManifest(m.at(name), record.SnapshotFiles)
		must(t, err)
		change(forged)
		text, err := wal.EncodeSealed(forged)
		must(t, err)
		m.put(name, text)
	}
	rewrite := func(m *memFiles, k Kind, old, new string) {
		name := wal.SnapshotName(newest) + "/" + record.SnapshotFile(k)
		data := bytes.Replace(m.at(name), []byte(old), []byte(new), 1)
		m.put(name, data)
		reseal(m, func(forged *wal.Manifest) {
			f := &forged.Files[slices.Index(record.SnapshotOrder[:], k)]
			f.Bytes = int64(len(data))
			f.SHA256 = fmt.Sprintf("%x", sha256.Sum256(data))
			f.Records = bytes.Count(data, []byte("\n")) - 2
		})
	}
	tests := []struct {
		name  string
		forge func(m *memFiles)
		want  string // how one of the findings begins
	}{
		{"a record", func(m *memFiles) { rewrite(m, Events, `"Fair"`, `"Free"`) },
			wal.SnapshotName(
				newest,
			) + "/events.json:3: the log leads to other contents of events 3"},
		{
			"a record too many",
			func(m *memFiles) { rewrite(m, Tags, "[\n", "[\n{\"id\":1,\"rev\":1,\"name\":\"a\",\"slug\":\"a\"}\n") },
			wal.SnapshotName(
				newest,
			) + "/tags.json:2: the log leads to no record of tags with the id 1",
		},
		{
			"a record removed",
			func(m *memFiles) { rewrite(m, Venues, string(m.at(wal.SnapshotName(newest)+"/venues.json")), "[\n]\n") },
			wal.SnapshotName(newest) + "/venues.json:0: 0 records, and the log leads to 1",
		},
		{
			"a head",
			func(m *memFiles) { reseal(m, func(f *wal.Manifest) { f.Head = strings.Repeat("0", 64) }) },
			wal.SnapshotName(
				newest,
			) + "/manifest.json:0: its head is not the SHA-256 of transaction 9 in the log",
		},
		{"next ids", func(m *memFiles) { reseal(m, func(f *wal.Manifest) { f.NextTerm = 1 }) },
			wal.SnapshotName(
				newest,
			) + "/manifest.json:0: the next ids are 5 and 1, but 4 and 1 have been given"},
		{"a line", func(m *memFiles) {
			text := m.at(wal.SegmentName(1))
			end := bytes.IndexByte(text, '\n')
			body := bytes.Replace(bodyOf(text[:end]), []byte("Town"), []byte("Down"), 1)
			m.put(wal.SegmentName(1), append(sealed(string(body)), text[end:]...))
		}, wal.SegmentName(1) + ":2: the chain is broken"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := newDeed(t).files
			test.forge(m)
			_, found := verified(t, m, "")
			if !slices.ContainsFunc(
				found,
				func(f string) bool { return strings.HasPrefix(f, test.want) },
			) {
				t.Errorf("found %q, want %q", found, test.want)
			}
		})
	}
}

// Records that no transaction could have written are found, sealed or not.
func TestVerifyRules(t *testing.T) {
	t.Parallel()
	d := newDeed(t)
	c := d.event(5, "Nowhere")
	c.Events[0].Venues = []int64{99}
	d.commit(c)
	if _, found := verified(t, d.files, ""); !slices.Equal(
		found,
		[]string{"log:0: events 5: a link leads to no record: venues 99"},
	) {
		t.Errorf("at the end of the log: found %q", found)
	}
	d.snapshot()
	if _, found := verified(t, d.files, ""); len(found) != 2 ||
		!strings.HasPrefix(
			found[0],
			wal.SnapshotName(11)+":0: events 5: a link leads to no record",
		) {
		t.Errorf("in a snapshot: found %q", found)
	}
}

func TestVerifyNewer(t *testing.T) {
	t.Parallel()
	m := newMemFiles()
	m.put(wal.SegmentName(1), append(sealed(`{"v":9,"seq":1`), '\n'))
	if _, err := verifyFiles(t.Context(), m, VerifyOptions{}); !errors.Is(err, ErrNewer) {
		t.Errorf("error %v, want ErrNewer", err)
	}
}

// The remains of a crash at the end are reported, and are no damage.
func TestVerifyTorn(t *testing.T) {
	t.Parallel()
	d := newDeed(t)
	d.j.SegmentSize = 1 << 20
	d.commit(d.event(5, "Late"))
	segments := segmentsOf(t, d.files)
	last := wal.SegmentName(segments[len(segments)-1])
	whole := int64(len(d.files.at(last)))
	d.commit(d.event(6, "Later"))
	data := d.files.at(last)
	tests := []struct {
		name string
		data []byte
		end  *Truncation
		last uint64
	}{
		{"nothing", data, nil, 12},
		{"half a line", data[:whole+9], &Truncation{last, whole, 9}, 11},
		{
			"a line without its newline",
			data[:len(data)-1],
			&Truncation{last, int64(len(data) - 1), 0},
			12,
		},
		{
			"NUL",
			append(slices.Clip(data), make([]byte, 700)...),
			&Truncation{last, int64(len(data)), 700},
			12,
		},
	}
	for _, test := range tests {
		d.files.put(last, test.data)
		r, found := verified(t, d.files, "")
		if diff := cmp.Diff(test.end, r.Truncated); diff != "" || found != nil ||
			r.Last != test.last {
			t.Errorf(
				"%s: found %q, transactions to %d, torn (-want +got):\n%s",
				test.name,
				found,
				r.Last,
				diff,
			)
		}
	}
}

func TestVerifySince(t *testing.T) {
	t.Parallel()
	d := newDeed(t)
	var heads []string
	for _, seq := range segmentsOf(t, d.files) {
		for line := range bytes.Lines(d.files.at(wal.SegmentName(seq))) {
			sum := sha256.Sum256(bytes.TrimSuffix(line, []byte("\n")))
			heads = append(heads, hex.EncodeToString(sum[:]))
		}
	}
	since := func(digits string) (seqs []uint64, snapshot bool) {
		r, found := verified(t, d.files, digits)
		if found != nil {
			t.Errorf("found %q", found)
		}
		for _, a := range r.Since {
			seqs = append(seqs, a.Seq)
			snapshot = a.Snapshot
		}
		return seqs, snapshot
	}
	for i, head := range heads {
		for _, digits := range []string{head, head[:8]} {
			if got, snapshot := since(digits); !slices.Equal(got, []uint64{uint64(i + 1)}) ||
				snapshot {
				t.Errorf("head %s: transactions %d, want %d", digits, got, i+1)
			}
		}
	}
	if got, _ := since(strings.Repeat("0", 64)); !slices.Equal(got, []uint64{0}) {
		t.Errorf("the head of nothing: transactions %d, want 0", got)
	}
	if got, _ := since(strings.Repeat("f", 64)); got != nil {
		t.Errorf("an unknown head: transactions %d", got)
	}

	// The line of a head may be pruned, and a snapshot has it still; it says nothing about
	// the records of that. From the checkpoint on heads do.
	d.j.SegmentSize = 1
	d.commit(d.event(5, "Late"))
	head := fmt.Sprintf("%x", d.j.at.Head)
	d.snapshot()
	named := fmt.Sprintf("%x", d.j.at.Head)
	d.commit(d.event(5, "Later"))
	must(t, wal.RemoveTree(d.files, wal.SnapshotName(9)))
	for _, first := range segmentsOf(t, d.files) {
		if first <= 11 {
			must(t, d.files.Remove(wal.SegmentName(first)))
		}
	}
	if got, snapshot := since(head); !slices.Equal(got, []uint64{11}) || !snapshot {
		t.Errorf("a snapshot's head: transactions %d, want 11 of a snapshot", got)
	}
	if got, _ := since(heads[0]); got != nil {
		t.Errorf("a head that was pruned: transactions %d", got)
	}
	for digits, whole := range map[string]bool{
		head:                           false,
		named:                          true,
		fmt.Sprintf("%x", d.j.at.Head): true,
	} {
		if r, _ := verified(t, d.files, digits); len(r.Since) != 1 || r.Since[0].Whole != whole ||
			r.Base != 11 ||
			r.NamedBy != 12 {
			t.Errorf(
				"%s stands for the records: %+v, want %t; the log rests on %d, named by %d",
				digits,
				r.Since,
				whole,
				r.Base,
				r.NamedBy,
			)
		}
	}
}

// Digits at the start of two heads are reported as ambiguous.
func TestVerifySinceAmbiguous(t *testing.T) {
	t.Parallel()
	d := newDeed(t)
	for i := range 40 {
		d.commit(d.event(5, fmt.Sprint("No. ", i)))
	}
	for digit := range 16 {
		if r, _ := verified(t, d.files, fmt.Sprintf("%x", digit)); len(r.Since) == 2 {
			return
		}
	}
	t.Error("no hexadecimal digit begins two of 47 heads")
}

// FuzzVerify verifies any bytes as a log: they are damage, or recovery takes
// them too.
func FuzzVerify(f *testing.F) {
	_, log, lines := written(f, 2, 3)
	f.Add(log)
	f.Add(log[:lines[4]+5])
	f.Add(zero(log, lines[3], len(log)))
	f.Add([]byte("\x00\n{}\n"))
	f.Fuzz(func(t *testing.T, log []byte) {
		m := newMemFiles()
		m.put(firstSegment, log)
		r, err := verifyFiles(t.Context(), m, VerifyOptions{})
		inLog := 0
		for _, f := range r.Findings {
			if f.File != wal.LogDir { // no rule of records
				inLog++
			}
		}
		j, p, openErr := openJournal(m, journalOptions{}, catalogue{}.load)
		if (err == nil && inLog == 0) != (openErr == nil) {
			t.Fatalf(
				"verified with %v and findings %v, recovered with %v",
				err,
				r.Findings,
				openErr,
			)
		}
		if openErr == nil {
			if j.Close(); p.Seq != r.Last || p.Head != r.Head {
				t.Errorf("verified to %d, recovered to %d", r.Last, p.Seq)
			}
		}
	})
}

// Archives that are not what Backup wrote, and directories that are in the way.

package store

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/store/archive"
	"almanac/store/record"
	"almanac/store/wal"
)

// A part is a member of an archive that is made by hand.
type part struct {
	tar.Header
	data []byte
}

func partsOf(t testing.TB, tarball []byte) (parts []part) {
	t.Helper()
	r := tar.NewReader(bytes.NewReader(tarball))
	for {
		h, err := r.Next()
		if err == io.EOF {
			return parts
		}
		must(t, err)
		data, err := io.ReadAll(r)
		must(t, err)
		parts = append(parts, part{*h, data})
	}
}

func archiveOf(t testing.TB, parts []part) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, p := range parts {
		if p.Typeflag == tar.TypeReg {
			p.Size = int64(len(p.data))
		}
		must(t, w.WriteHeader(&p.Header))
		if _, err := w.Write(p.data); err != nil {
			t.Fatal(err)
		}
	}
	must(t, w.Close())
	return b.Bytes()
}

// sample returns an archive with a snapshot, four segments and accounts. Before
// its log there were as many transactions.
func sample(t testing.TB, before int) []byte {
	t.Helper()
	l := &ledger{t: t}
	m := newMemFiles()
	j, err := l.open(m, 1)
	must(t, err)
	must(
		t,
		l.commit(j, before),
		l.commit(j, 6),
		l.snapshot(j),
		l.commit(j, 2),
		l.commit(j, 3),
		j.Close(),
	)
	m.put("users.json", []byte(`{"users":[]}`))
	f, err := os.CreateTemp(t.TempDir(), "")
	must(t, err)
	defer f.Close()
	if err := (BackupOptions{Now: testTime}).pack(t.Context(), m, f); err != nil {
		t.Fatal(err)
	}
	tarball, err := os.ReadFile(f.Name())
	must(t, err)
	return tarball
}

// refused restores an archive and wants an error that says something.
func refused(t *testing.T, name string, tarball []byte, says string) {
	t.Helper()
	o := RestoreOptions{Archive: bytes.NewReader(tarball), Logger: slog.New(slog.DiscardHandler)}
	_, err := o.fromArchive(t.Context(), "", newMemFiles())
	var broken *archive.Error
	if !errors.As(err, &broken) || !strings.Contains(err.Error(), says) {
		t.Errorf("%s: error %v, want an *archive.Error with %q", name, err, says)
	}
}

func TestDamagedArchives(t *testing.T) {
	t.Parallel()
	tarball := sample(t, 3)
	intact := partsOf(t, tarball)
	var names []string
	for _, p := range intact {
		names = append(names, p.Name)
	}
	want := append([]string{"backup.json", "users.json"}, record.SnapshotPaths(9)...)
	want = append(
		want,
		wal.SegmentName(4),
		wal.SegmentName(10),
		wal.SegmentName(11),
		wal.SegmentName(13),
	)
	equal(t, "members", want, names)
	if !bytes.Equal(tarball, archiveOf(t, intact)) {
		t.Fatal("the archive is written otherwise by hand")
	}

	// Every member.
	for i, p := range intact {
		change := func(name, says string, edit func(parts []part) []part) {
			t.Helper()
			refused(t, p.Name+": "+name, archiveOf(t, edit(slices.Clone(intact))), says)
		}
		data := bytes.Clone(p.data)
		data[len(data)/2] ^= 1
		change("a byte", p.Name, func(parts []part) []part { parts[i].data = data; return parts })
		change(
			"shorter",
			p.Name,
			func(parts []part) []part { parts[i].data = p.data[:len(p.data)-1]; return parts },
		)
		change(
			"longer",
			p.Name,
			func(parts []part) []part { parts[i].data = append(bytes.Clone(p.data), '\n'); return parts },
		)
		change(
			"missing",
			p.Name,
			func(parts []part) []part { return slices.Delete(parts, i, i+1) },
		)
		change("twice", "", func(parts []part) []part { return slices.Insert(parts, i, p) })
		for _, name := range []string{"../x", "/etc/x", "log/../../x", "lock", "snapshots/x", `..\x`} {
			change(name, p.Name, func(parts []part) []part { parts[i].Name = name; return parts })
		}
		for _, flag := range []byte{tar.TypeSymlink, tar.TypeLink, tar.TypeDir, tar.TypeFifo, tar.TypeChar} {
			change("type "+string(flag), p.Name, func(parts []part) []part {
				parts[i].Typeflag = flag
				parts[i].Linkname = "../x"
				parts[i].data = nil
				parts[i].Size = 0
				return parts
			})
		}
	}
	refused(t, "one more", archiveOf(t, append(slices.Clone(intact), part{tar.Header{
		Typeflag: tar.TypeReg,
		Name:     "../x",
	},
		[]byte("x")})), "more members")
	refused(t, "a link first", archiveOf(t, append([]part{{tar.Header{
		Typeflag: tar.TypeSymlink,
		Name:     wal.LogDir,
		Linkname: "/tmp",
	},
		nil}}, intact...)), "backup.json")

	// Cut short anywhere, and something else.
	for n := 0; n < len(tarball)-1024-512; n += 509 { // the padding of the last member may be missing
		refused(t, "cut short", tarball[:n], "")
	}
	refused(
		t,
		"more after its end",
		append(bytes.Clone(tarball), make([]byte, 1<<20+1)...),
		"more after its end",
	)
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	zip.Write(tarball)
	must(t, zip.Close())
	for n := 0; n < zipped.Len(); n += 97 {
		refused(t, "gzip cut short", zipped.Bytes()[:n], "")
	}
	refused(t, "gzip without its checksum", zipped.Bytes()[:zipped.Len()-4], "")
	refused(t, "text", []byte(strings.Repeat("no archive\n", 200)), "")

	// Nothing is left behind.
	parent := t.TempDir()
	for n := 0; n < len(tarball)-1024-512; n += 4999 {
		if _, err := restore(t, tarball[:n], filepath.Join(parent, "new"), archive.Point{}); err == nil {
			t.Errorf("%d bytes of an archive are restored", n)
		}
	}
	left, err := os.ReadDir(parent)
	must(t, err)
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	// As tar fills it up.
	dir := filepath.Join(t.TempDir(), "a")
	s, err := restore(
		t,
		append(bytes.Clone(tarball), make([]byte, 10<<10)...),
		dir,
		archive.Point{},
	)
	must(t, err)
	if s.Seq != 15 {
		t.Errorf("transaction %d, want 15", s.Seq)
	}
}

// A manifest with a right checksum that says what no archive can say.
func TestArchiveManifest(t *testing.T) {
	t.Parallel()
	intact := partsOf(t, sample(t, 3))
	var m struct{ Head string }
	must(t, json.Unmarshal(intact[0].data, &m))
	tests := []struct{ name, old, new, want string }{
		{"a path", "users.json", "../../x", "the member"},
		{"another file", "users.json", "lock", "the member"},
		{"a segment of a few digits", wal.SegmentName(4), "log/4.jsonl", "the member"},
		{
			"a segment with more behind",
			wal.SegmentName(4),
			wal.SegmentName(4) + "/../../x",
			"the member",
		},
		{"segments twice", wal.SegmentName(10), wal.SegmentName(4), "not in its place"},
		{
			"a snapshot without a file",
			"tags.json",
			"dogs.json",
			"tags.json is not among the members",
		},
		{"another snapshot", `"snapshot": 9`, `"snapshot": 5`, "is not among the members"},
		{"no head", `"head": "`, `"head": "x`, "not a SHA-256"},
		{"another head", m.Head, strings.Repeat("ab", 32), "the log ends with another"},
		{"a size below nothing", `"bytes": 12`, `"bytes": -2`, "no size"},
		{"format 0", `"version": 1`, `"version": 0`, "does not exist"},
		{"more members", `"seq"`, `"more": 1, "seq"`, "more"},
		{"a later transaction", `"seq": 15`, `"seq": 16`, "the log ends with another"},
		{"a newer one", `"version": 1`, `"version": 3`, "newer almanac"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			parts := slices.Clone(intact)
			text := string(parts[0].data)
			if !strings.Contains(text, test.old) {
				t.Fatalf("no %s in %s", test.old, text)
			}
			body := strings.Replace(string(bodyOf([]byte(text))), test.old, test.new, 1)
			parts[0].data = append(sealed(body), '\n')
			dir := filepath.Join(t.TempDir(), "new")
			_, err := restore(t, archiveOf(t, parts), dir, archive.Point{})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Error("something was restored")
			}
		})
	}
}

// An archive reaches from its snapshot to its end, and from the beginning if
// its log does.
func TestArchiveReach(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ before, from, to uint64 }{{3, 9, 15}, {0, 1, 12}} {
		tarball := sample(t, int(test.before))
		dir := filepath.Join(t.TempDir(), "a")
		for seq := test.from; seq <= test.to; seq++ {
			s, err := restore(t, tarball, dir, archive.Point{Seq: seq})
			must(t, err)
			if s.Seq != seq {
				t.Errorf("transaction %d, want %d", s.Seq, seq)
			}
			var size int64
			must(t, filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
				if info, infoErr := d.Info(); infoErr == nil && !d.IsDir() && d.Name() != "lock" {
					size += info.Size()
				}
				return err
			}))
			if s.Bytes != size {
				t.Errorf("%d bytes were reported of %d", s.Bytes, size)
			}
			must(t, os.RemoveAll(dir))
		}
		for name, p := range map[string]archive.Point{
			"too late": {
				Seq: test.to + 1,
			},
			"long before": {
				At: testTime.Add(-day),
			},
			"long after": {
				At: testTime.Add(day),
			},
		} {
			want := fmt.Sprintf("from transaction %d at", test.from)
			if _, err := restore(t, tarball, dir, p); !errors.Is(err, archive.ErrReach) ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", name, err, want)
			}
		}
	}
	if _, err := restore(t, sample(t, 3), filepath.Join(t.TempDir(), "a"), archive.Point{
		Seq: 8,
	}); !errors.Is(err, archive.ErrReach) {
		t.Errorf("too early: error %v", err)
	}
}

func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	tarball := sample(t, 3)
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	file := filepath.Join(dir, "file")
	empty := filepath.Join(dir, "empty")
	must(
		t,
		os.MkdirAll(filepath.Join(full, "x"), 0o700),
		os.Mkdir(empty, 0o700),
		os.WriteFile(file, nil, 0o600),
	)
	if _, err := restore(t, tarball, full, archive.Point{}); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("error %v", err)
	}
	if _, err := restore(t, tarball, file, archive.Point{}); err == nil ||
		!strings.Contains(err.Error(), "name a directory") {
		t.Errorf("error %v", err)
	}
	_, err := restore(t, tarball, empty+"/", archive.Point{})
	must(t, err)
	names, err := os.ReadDir(dir)
	must(t, err)
	if len(names) != 3 {
		t.Errorf("left behind: %v", names)
	}
}

// FuzzArchive reads any bytes as an archive: nothing but the files of a store
// is written, and no more than the archive says.
func FuzzArchive(f *testing.F) {
	tarball := sample(f, 3)
	f.Add(tarball)
	f.Add(tarball[:len(tarball)/2])
	parts := partsOf(f, tarball)
	for i := range parts {
		changed := slices.Clone(parts)
		changed[i].Name = "../x"
		f.Add(archiveOf(f, changed))
	}
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	zip.Write(tarball[:4096])
	zip.Close()
	f.Add(zipped.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		m := newMemFiles()
		state, _, err := archive.Unpack(
			t.Context(),
			bytes.NewReader(data),
			m,
			slog.New(slog.DiscardHandler),
		)
		written := int64(0)
		for _, name := range m.names() {
			if name != "users.json" && !strings.HasPrefix(name, wal.LogDir+"/") &&
				!strings.HasPrefix(name, wal.SnapshotDir+"/") {
				t.Errorf("wrote %q", name)
			}
			written += int64(len(m.at(name)))
		}
		if err == nil && written != state.Bytes {
			t.Errorf("%d bytes of %d", written, state.Bytes)
		}
	})
}

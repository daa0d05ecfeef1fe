// A directory of an older program, which every later one must open.

package store_test

import (
	"encoding/hex"
	"os"
	"testing"

	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// TestFormat1 opens a directory of format 1: three segments, of which a snapshot
// covers two, texts of all sorts, a record of every kind, a removal. The files
// are never made anew.
func TestFormat1(t *testing.T) {
	t.Parallel()
	const head = "15e2cbb99e317db20219b107a8198f0d7180d86f410d7e4516b9f082fa705bc6"
	for _, tt := range []struct {
		name string
		harm func(dir string) error // beforehand
	}{
		{"as it is", func(string) error { return nil }},
		{"from the older snapshot", func(dir string) error { return os.RemoveAll(dir + "/snapshots/00000000000000000007") }},
		{"from the log alone", func(dir string) error { return os.RemoveAll(dir + "/snapshots") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS("../testdata/stores/v1")); err != nil {
				t.Fatal(err)
			}
			if err := tt.harm(dir); err != nil {
				t.Fatal(err)
			}
			report, err := store.Verify(t.Context(), dir, store.VerifyOptions{})
			if err != nil || len(report.Findings) > 0 || hex.EncodeToString(report.Head[:]) != head {
				t.Errorf("verified up to %x, with findings %v and error %v", report.Head, report.Findings, err)
			}
			s, err := store.Open(store.Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Check(); err != nil {
				t.Error(err)
			}
			err = s.View(func(v *store.View) error {
				at := v.Head()
				if v.Seq() != 11 || hex.EncodeToString(at[:]) != head {
					t.Errorf("opened at %d, %x", v.Seq(), at)
				}
				got := []int{v.Len(store.Events), v.Len(store.Venues), v.Len(store.Organizers), v.Len(store.Categories), v.Len(store.Tags),
					v.Len(store.Images)}
				if diff := cmp.Diff([]int{12, 8, 8, 8, 10, 1}, got); diff != "" {
					t.Errorf("records (-want +got):\n%s", diff)
				}
				e, _ := v.ByOrigin(store.Events, "elsewhere.example?id=7").(*store.Event)
				if e == nil {
					t.Fatal("the event from elsewhere is not there")
				}
				texts := []string{e.Title, e.Description, v.Image(e.Image).Sizes[0].Name}
				want := []string{"Café “Zürich” <b>\u2028</b> \U0001F3B7", "Line one\nline \"two\"\t\\ & < >", "thumbnail"}
				if diff := cmp.Diff(want, texts); diff != "" {
					t.Errorf("texts (-want +got):\n%s", diff)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Update(1, func(tx *store.Tx) error { return tx.Put(&store.Venue{Name: "New"}) }); err != nil {
				t.Errorf("it does not go on: %v", err)
			}
		})
	}
}

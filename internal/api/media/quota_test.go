package media_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/store"
)

// stored returns the number of directories of pictures in a data directory, and what they take in
// blocks of 4 KiB, without the directory of all.
func stored(t *testing.T, data string) (directories int, bytes int64) {
	t.Helper()
	err := filepath.WalkDir(
		filepath.Join(data, "media"),
		func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			size := int64(1)
			if e.IsDir() {
				directories++
			} else if info, err := e.Info(); err == nil {
				size = info.Size()
			}
			bytes += (size + 4095) / 4096 * 4096
			return nil
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	return directories - 1, bytes - 4096
}

// The quota bounds what an account has on the disk: pictures that were deleted, files before
// another point of the thumbnail, and very small files count until they are removed, also after a
// restart. Then there is room again.
func TestQuotaBoundsDisk(t *testing.T) {
	t.Parallel()
	const quota, most = 400 << 10, 60
	upload := func(d desk, role account.Role, data []byte) (int64, int, string) {
		resp, text := d.send(role, "POST", own, data, "Content-Type", jpegType)
		if resp.StatusCode != 201 {
			return 0, resp.StatusCode, string(text)
		}
		return read[medium](d, text).ID, 201, ""
	}
	deleting := func(data []byte) func(d desk) (int, string) {
		return func(d desk) (int, string) {
			id, status, says := upload(d, account.Author, data)
			if status == 201 {
				d.ask(account.Author, 200, "DELETE", fmt.Sprint(own, "/", id), nil)
			}
			return status, says
		}
	}
	moved := 0
	moving := func(d desk) (int, string) {
		if moved++; moved == 1 {
			_, status, says := upload(d, account.Author, photo(400, 400))
			return status, says
		}
		resp, text := d.send(
			account.Author,
			"PATCH",
			own+"/1",
			fmt.Appendf(nil, `{"focus_x":%d}`, moved),
			asJSON...)
		return resp.StatusCode, string(text)
	}
	for name, once := range map[string]func(desk) (int, string){
		"delete":            deleting(photo(400, 400)),
		"delete small ones": deleting(photo(2, 2)),
		"move the point":    moving,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := now
			limits := admission.Default()
			data := t.TempDir()
			limits.PictureQuota = quota
			open := func() desk {
				st, err := store.Open(store.Options{
					Dir:  data,
					Keep: -1,
					Now:  func() time.Time { return clock },
				})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { st.Close() })
				return start(t, almanactest.Options{Store: st, Limits: &limits})
			}
			d := open()
			done := 0
			status, says := once(d)
			for ; status < 300 && done < most; status, says = once(d) {
				done++
			}
			if status != 507 || !strings.Contains(says, "-picture-quota-mb") || done < 3 {
				t.Errorf("after %d: status %d: %s", done, status, says)
			}
			directories, bytes := stored(t, data)
			if bytes > quota || directories != done {
				t.Errorf(
					"%d pictures are %d directories and take %d bytes of a disk, by a quota of %d",
					done,
					directories,
					bytes,
					quota,
				)
			}
			if err := d.srv.Store.Close(); err != nil {
				t.Fatal(err)
			}
			d = open()
			if status, says = once(d); status != 507 {
				t.Errorf("after a restart: status %d: %s", status, says)
			}
			if _, status, says = upload(d, account.Editor, photo(400, 400)); status != 201 {
				t.Errorf("an editor: status %d: %s", status, says)
			}
			if err := d.srv.Store.Close(); err != nil {
				t.Fatal(err)
			}
			clock = clock.Add(25 * time.Hour)
			d = open()
			if status, says = once(d); status >= 300 {
				t.Errorf("after the files were removed: status %d: %s", status, says)
			}
			for range done + 1 {
				id, _, _ := upload(d, account.Editor, photo(400, 400))
				d.ask(account.Editor, 200, "DELETE", fmt.Sprint(own, "/", id), nil)
			}
			if status, says = once(d); status >= 300 {
				t.Errorf("after pictures of others were deleted: status %d: %s", status, says)
			}
		})
	}
}

// Without room on the disk, and while no change is taken, an upload is refused before its file is
// read; editors go on without room.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	limits := admission.Default()
	limits.Free = 1 << 60
	st, err := store.Open(store.Options{Dir: dir, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	if _, err := st.Free(); err != nil {
		t.Skip(err)
	}
	d := start(t, almanactest.Options{Store: st, Limits: &limits})
	refused := func(role account.Role) {
		t.Helper()
		for _, data := range [][]byte{photo(20, 20), []byte("<svg/>")} {
			_, text := d.ask(role, 503, "POST", own, data, "Content-Type", jpegType)
			if !strings.Contains(string(text), "rest_store_unavailable") {
				t.Errorf("%s", text)
			}
		}
	}
	refused(account.Author)
	if _, err := os.Stat(filepath.Join(dir, "media")); err == nil {
		t.Error("files are left")
	}
	kept := d.upload(account.Editor, photo(20, 20), "")
	if err := os.Remove(filepath.Join(dir, "lock")); err != nil {
		t.Skip("the lock cannot be removed here:", err)
	}
	d.ask(
		account.Editor,
		503,
		"PATCH",
		fmt.Sprint(own, "/", kept.ID),
		[]byte(`{"title":"Steps"}`),
		asJSON...)
	refused(account.Editor)
	if directories, _ := stored(t, dir); directories != 1 {
		t.Errorf("%d directories of files are left beside one", directories-1)
	}
}

// In memory the files of a deleted picture go with the next upload, and count no longer. A
// savepoint keeps its own. Pictures of others do not count, and what fills the quota to its last
// byte is taken.
func TestQuotaInMemory(t *testing.T) {
	t.Parallel()
	limits := admission.Default()
	limits.PictureQuota = 100 << 10
	d := start(t, almanactest.Options{Limits: &limits})
	for range 7 {
		d.upload(account.Editor, photo(2, 2), "")
	}
	_ = d.srv.Store.View(func(v *store.View) error {
		bytes := store.UploadBytes(v.Uploads()[0].(*store.Image))
		if 7*bytes <= limits.PictureQuota {
			t.Errorf("7 pictures of %d bytes are within the quota", bytes)
		}
		for less, want := range map[int64]int{0: 201, 1: 507} {
			exact := admission.Default()
			exact.PictureQuota = bytes - less
			start(t, almanactest.Options{
				Limits: &exact,
			}).ask(account.Author, want, "POST", own, photo(2, 2), "Content-Type", jpegType)
		}
		return nil
	})
	kept := d.upload(account.Author, photo(2, 2), "")
	for range 20 {
		gone := d.upload(account.Author, photo(2, 2), "")
		d.ask(account.Author, 200, "DELETE", fmt.Sprint(own, "/", gone.ID), nil)
	}
	if n := strings.Count(fmt.Sprint(d.srv.Store.Media()), "/"+store.SentName+":"); n != 9 {
		t.Errorf(
			"%d pictures are in memory, want the 8 that are there and the last deleted one",
			n,
		)
	}
	point, err := d.srv.Store.Savepoint()
	if err != nil {
		t.Fatal(err)
	}
	d.ask(account.Author, 200, "DELETE", fmt.Sprint(own, "/", kept.ID), nil)
	d.upload(account.Author, photo(2, 2), "")
	if err := d.srv.Store.RollBack(point); err != nil {
		t.Fatal(err)
	}
	d.ask("", 200, "GET", kept.URL, nil)
}

package command

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A follower on a full disk says so, and leaves nothing behind when there is no copy yet.
// Later its copy is read and its health is that it is behind; with room again it goes on
// by itself, and its log is the same.
func TestFollowRealDiskFull(t *testing.T) {
	t.Parallel()
	disk, data := smallDisk(t), filepath.Join(t.TempDir(), "first")
	first := startServer(t, on(data)...)
	concerts := &diskTest{caller: first.admin()}
	for range 20 { // more than the page that a file may have left
		concerts.create(t)
	}
	command := func() *exec.Cmd {
		cmd := exec.Command(program(t), "follow", first.url, "-data", filepath.Join(disk, "copy"), "-addr", "127.0.0.1:0", "-min-free-mb", "0",
			"-max-per-page", "1000000")
		cmd.Env = append(cleanEnvironment(), "ALMANAC_TOKEN="+first.token)
		return cmd
	}
	free := fillDisk(t, disk)
	out, err := command().CombinedOutput()
	if err == nil || !strings.Contains(string(out), "no space left on device") || !strings.Contains(string(out), first.url) {
		t.Errorf("a first archive on a full disk: %v\n%s", err, out)
	}
	if names, err := os.ReadDir(disk); len(names) != 1 || err != nil {
		t.Errorf("there is %v, %v", names, err)
	}
	free()

	cmd, stderr := command(), &lockedBuffer{}
	cmd.Stderr = stderr
	c := caller{startProcess(t, cmd).URL, first.token, http.DefaultClient}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s", stderr)
		}
	})
	const well = `"reason":"The server keeps a copy of another one, where changes are made.",` +
		`"follows":{"connected":true,"behind":0,"seconds":0}`
	health := func(says string) {
		t.Helper()
		eventually(t, c, "/_almanac/health", func(a answer) bool { return a.status == 503 && strings.Contains(a.body, says) })
	}
	health(well)
	copied := &diskTest{caller: c, titles: slices.Clone(concerts.titles)}
	copied.compare(t, "with room")
	free = fillDisk(t, disk)
	for range 20 {
		concerts.create(t)
	}
	health(`"reason":"The disk did not take a change. Writing goes on by itself as soon as it takes one.",` +
		`"follows":{"connected":true,"behind":`)
	if a := c.do(t, "GET", "/_almanac/health/ready", ""); a.status != 200 || strings.Contains(a.body, `"behind":0`) {
		t.Errorf("on a full disk: %d %s", a.status, a.body)
	}
	shown := copied.stored(t)
	n := len(shown)
	if n < len(copied.titles) || n == len(concerts.titles) || !slices.Equal(shown, concerts.titles[:n]) {
		t.Errorf("on a full disk, it shows %d events of %d", n, len(concerts.titles))
	}
	if !strings.Contains(stderr.String(), "no space left on device") {
		t.Error("the log does not say what is wrong")
	}
	free()
	health(well)
	(&diskTest{caller: c, titles: concerts.titles}).compare(t, "with room again")
	end(t, cmd)
	if got, want := verifiedHead(t, filepath.Join(disk, "copy")), verifiedHead(t, data); got != want {
		t.Errorf("the copy ends with %s, want %s", got, want)
	}
}

package command

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// makeRoom takes the limit off the files of another process.
func makeRoom(t *testing.T, pid int) {
	t.Helper()
	limit := syscall.Rlimit{Cur: math.MaxUint64, Max: math.MaxUint64}
	_, _, errno := syscall.RawSyscall6(
		syscall.SYS_PRLIMIT64,
		uintptr(pid),
		syscall.RLIMIT_FSIZE,
		uintptr(unsafe.Pointer(&limit)),
		0,
		0,
		0,
	)
	if errno != 0 {
		t.Skip("prlimit:", errno)
	}
}

// A server whose disk was full continues by itself when there is room again, also if it is
// confined. All stored records are there, and no refused ones.
func TestDiskFullForAWhile(t *testing.T) {
	t.Parallel()
	d := newDiskTest(t)
	cmd := childCommand(t, d.dir, d.users, limits{File: 20_000, Confine: true})
	binary, err := confinedTests()
	if err != nil {
		t.Fatalf("go test -c: %v", err)
	}
	cmd.Path = binary
	s := startConfined(t, cmd, http.DefaultClient)
	s.Token = "token of admin"
	d.caller = s.caller
	var a answer
	for a = d.create(t); a.Status == http.StatusCreated; {
		a = d.create(t)
	}
	d.isUnavailable(t, "the first write too many", a)
	d.refused(t, "on a full disk")
	health := func(when string, status int, want string) {
		t.Helper()
		if a := d.Do(t, "GET", "/_almanac/health", ""); a.Status != status ||
			!strings.HasPrefix(a.Body, want) {
			t.Errorf("%s, its health is %d %s", when, a.Status, a.Body)
		}
	}
	health(
		"on a full disk",
		503,
		`{"live":true,"ready":true,"writable":false,"reason":"The disk did not take a change.`,
	)
	makeRoom(t, cmd.Process.Pid)
	tries := 0
	if !await(func() bool {
		if a = d.create(t); a.Status == http.StatusCreated {
			return true
		}
		d.isUnavailable(t, fmt.Sprintf("try %d with room again", tries), a)
		tries++
		return false
	}) {
		t.Fatalf("a minute after there was room: %d %s", a.Status, a.Body)
	}
	for range 20 {
		if a := d.create(t); a.Status != http.StatusCreated {
			t.Errorf("with room again, a write was answered %d %s", a.Status, a.Body)
		}
	}
	d.compare(t, "with room again")
	health("with room again", 200, `{"live":true,"ready":true,"writable":true}`)
	end(t, cmd)
	for _, once := range []string{"no change is taken", "takes changes again"} {
		if n := strings.Count(s.stderr.String(), once); n != 1 {
			t.Errorf("the log says %d times %q", n, once)
		}
	}
	d.start(t, limits{})
	d.compare(t, "after a restart")
}

// A confined server reads how much room the disk has, and keeps what little there
// is for those who can mend things.
func TestLittleRoomConfined(t *testing.T) {
	t.Parallel()
	cmd := childCommand(t, filepath.Join(t.TempDir(), "data"), usersFile(t), limits{Confine: true})
	binary, err := confinedTests()
	if err != nil {
		t.Fatalf("go test -c: %v", err)
	}
	cmd.Path = binary
	cmd.Args = append(cmd.Args, "-min-free-mb", "1000000000")
	s := startConfined(t, cmd, http.DefaultClient)
	for _, test := range []struct {
		who    string
		status int
	}{{"contributor", 503}, {"author", 503}, {"editor", 201}, {"admin", 201}} {
		s.Token = "token of " + test.who
		a := s.Do(
			t,
			"POST",
			v1+"/events",
			`{"title":"Fair","start_date":"2031-05-11","end_date":"2031-05-11"}`,
		)
		if a.Status != test.status || (a.Status == 503) != (a.Header.Get("Retry-After") == "60") {
			t.Errorf("%s: %d %v %s", test.who, a.Status, a.Header, a.Body)
		}
	}
	if !s.logs("the disk is nearly full") || s.logs("is not known") {
		t.Errorf("the log:\n%s", s.stderr)
	}
}

// smallDisk returns a file system in memory with room for four megabytes.
func smallDisk(t *testing.T) (dir string) {
	t.Helper()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4m"); err != nil {
		t.Skip("mount:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error("unmount:", err)
		}
	})
	return disk
}

// fillDisk fills a file system, and returns what makes room again.
func fillDisk(t *testing.T, disk string) (free func()) {
	t.Helper()
	ballast := filepath.Join(disk, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 8<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("filling the disk: %v", err)
	}
	return func() {
		t.Helper()
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
	}
}

// On a full file system accounts are disabled and tokens revoked, again and again, and people sign
// in.
func TestDisableOnFullDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t)
	dir := filepath.Join(disk, "data")
	mustUsers(t, "add", "-data", dir, "-role", "administrator", "ada")
	mustUsers(t, "add", "-data", dir, "-role", "editor", "ed")
	token := strings.TrimSpace(mustUsers(t, "token", "-data", dir, "-name", "second", "ed"))
	cmd := exec.Command(program(t), append(on(dir, still...), "-addr", "127.0.0.1:0")...)
	cmd.Env = cleanEnvironment()
	s := startConfined(t, cmd, http.DefaultClient)
	s.Token = token
	may := func(want int) {
		t.Helper()
		if a := s.Do(t, "GET", v1+"/events?status=draft", ""); a.Status != want {
			t.Errorf("%d %s, want %d", a.Status, a.Body, want)
		}
	}
	may(200)
	fillDisk(t, disk)
	for range 5 {
		mustUsers(t, "disable", "-data", dir, "ed")
		may(401)
		mustUsers(t, "enable", "-data", dir, "ed")
		may(200)
		mustUsers(t, "link", "-data", dir, "ada")
	}
	mustUsers(t, "revoke", "-data", dir, "ed", "second")
	may(401)
	mustUsers(t, "revoke", "-data", dir, "-all")
}

// A full file system makes a server unhealthy, and room makes it healthy again, without a restart
// and without losses. The file system is a real one in memory, which only root can mount.
func TestRealDiskFullForAWhile(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t)
	cmd := exec.Command(
		program(t),
		append(
			on(filepath.Join(disk, "data"), still...),
			"-addr",
			"127.0.0.1:0",
			"-min-free-mb",
			"0",
			"-users",
			usersFile(t),
			"-max-per-page",
			"1000000",
		)...)
	cmd.Env = cleanEnvironment()
	s := startConfined(t, cmd, http.DefaultClient)
	s.Token = "token of admin"
	d := &diskTest{caller: s.caller}
	health := func(when string, status int, want string) {
		t.Helper()
		for _, path := range []string{"", "/writable"} {
			if a := d.Do(t, "GET", "/_almanac/health"+path, ""); a.Status != status ||
				!strings.HasPrefix(a.Body, want) {
				t.Errorf("%s, its health%s is %d %s", when, path, a.Status, a.Body)
			}
		}
	}
	if a := d.create(t); a.Status != http.StatusCreated {
		t.Fatalf("before the disk was full: %d %s", a.Status, a.Body)
	}
	health("with room", 200, `{"live":true,"ready":true,"writable":true}`)
	for range 2 {
		free := fillDisk(t, disk)
		var a answer
		for a = d.create(t); a.Status == http.StatusCreated; { // the last page has some room
			a = d.create(t)
		}
		d.isUnavailable(t, "a write on the full disk", a)
		health(
			"on the full disk",
			503,
			`{"live":true,"ready":true,"writable":false,"reason":"The disk did not take a change.`,
		)
		if a := d.Do(t, "GET", "/_almanac/health/ready", ""); a.Status != 200 {
			t.Errorf("on the full disk, it is not ready: %d %s", a.Status, a.Body)
		}
		d.compare(t, "on the full disk")
		free()
		if !await(func() bool { a = d.create(t); return a.Status == http.StatusCreated }) {
			t.Fatalf("a minute after there was room: %d %s", a.Status, a.Body)
		}
		health("with room again", 200, `{"live":true,"ready":true,"writable":true}`)
	}
	d.compare(t, "in the end")
	end(t, cmd)
}

// On a full disk the desk keeps accounts in order. On one that takes nothing it refuses as it does
// with events, and says why. Nobody who signs out stays signed in on a browser.
func TestRealDiskFullAtDesk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t)
	dir := filepath.Join(
		disk,
		"data",
	) // which has the accounts, too: the desk changes no other file of them
	accounts, err := os.ReadFile(usersFile(t))
	if err == nil {
		err = errors.Join(
			os.Mkdir(dir, 0o700),
			os.WriteFile(filepath.Join(dir, "users.json"), accounts, 0o600),
		)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(
		program(t),
		append(on(dir, still...), "-addr", "127.0.0.1:0", "-min-free-mb", "0")...)
	cmd.Env = cleanEnvironment()
	jar, _ := cookiejar.New(nil)
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	s := startConfined(t, cmd, &http.Client{Jar: jar, CheckRedirect: stay})
	s.Token = ""
	const signIn = "sign-in-login=admin&sign-in-token=token+of+admin"
	if a := s.Do(t, "POST", "/desk/sign-in", signIn); a.Status != http.StatusSeeOther {
		t.Fatalf("the sign-in with room: %d %s", a.Status, a.Body)
	}
	refuses := func(when string, posts ...[2]string) {
		t.Helper()
		for _, post := range posts {
			a := s.Do(t, "POST", "/desk/"+post[0], post[1])
			if a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") != "5" ||
				!strings.Contains(a.Body, "<h1><bdi>The disk takes no changes") {
				t.Errorf("%s, %s: %d %v %s", when, post[0], a.Status, a.Header, a.Body)
			}
		}
	}
	free := fillDisk(t, disk)
	for _, post := range [][2]string{ // for which space is kept
		{"sign-in", signIn},
		{"accounts", "login=choir&role=author&do=add"},
		{"accounts", "login=editor&do=link"},
		{"accounts", "login=editor&do=disable"},
		{"account/feeds", "name=phone&do=add"},
		{"language", "language=de"},
		{"sign-out", "do=it"},
	} {
		if a := s.Do(t, "POST", "/desk/"+post[0], post[1]); a.Status >= http.StatusBadRequest {
			t.Errorf("on the full disk, %s %s: %d %s", post[0], post[1], a.Status, a.Body)
		}
	}
	free()
	if a := s.Do(t, "GET", "/desk/account", ""); !strings.Contains(a.Body, "sign-in-login") {
		t.Errorf("after the end of the session: %d %s", a.Status, a.Body)
	}
	if a := s.Do(t, "POST", "/desk/sign-in", signIn); a.Status != http.StatusSeeOther {
		t.Errorf("with room again: %d %s", a.Status, a.Body)
	}
	// A disk that is full also without the space that is kept.
	free = fillDisk(t, disk)
	rest := filepath.Join(disk, "rest")
	err = errors.Join(
		os.Remove(filepath.Join(dir, ".spare")),
		os.WriteFile(rest, make([]byte, 8<<20), 0o600),
	)
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	s.Do(t, "POST", "/desk/sign-in", signIn) // the last page has some room
	refuses(
		"on a disk without any room",
		[2]string{"sign-in", signIn},
		[2]string{"accounts", "login=choir&role=author&do=role"},
		[2]string{"account/feeds", "name=phone2&do=add"},
		[2]string{"language", "language=de"},
	)
	free()
	if err := os.Remove(rest); err != nil {
		t.Fatal(err)
	}
	signsIn := func() bool { return s.Do(t, "POST", "/desk/sign-in", signIn).Status == http.StatusSeeOther }
	if !await(signsIn) {
		t.Error("nobody signs in on a disk that has room again")
	}
	if !s.logs("no change is taken until the disk") || s.logs("unforeseen") {
		t.Error("the log:", s.stderr)
	}
}

// The pictures of one author, also the deleted ones, leave room on a small disk for what others
// write and send.
func TestPicturesLeaveRoom(t *testing.T) {
	t.Parallel()
	users := usersFile(t)
	cmd := exec.Command(
		program(t),
		append(on(filepath.Join(smallDisk(t), "data"), still...), "-addr", "127.0.0.1:0",
			"-min-free-mb", "1", "-users", users)...)
	cmd.Env = cleanEnvironment()
	s := startConfined(t, cmd, http.DefaultClient)
	var noise bytes.Buffer
	grey := image.NewGray(image.Rect(0, 0, 140, 140))
	_, _ = rand.NewChaCha8([32]byte{1}).Read(grey.Pix)
	if err := png.Encode(&noise, grey); err != nil {
		t.Fatal(err)
	}
	upload := func(login string) answer {
		s.Token = "token of " + login
		return s.Do(t, "POST", v1+"/media", noise.String())
	}
	sent := 0
	a := upload("author")
	for ; a.Status == http.StatusCreated && sent < 100; a = upload("author") {
		sent++
		s.Must(t, "DELETE", fmt.Sprint(v1, "/media/", sent), "")
	}
	if a.Status != http.StatusInsufficientStorage || !strings.Contains(a.Body, "-min-free-mb") ||
		sent < 5 {
		t.Errorf("after %d pictures: %d %s", sent, a.Status, a.Body)
	}
	if a := upload("editor"); a.Status != http.StatusCreated {
		t.Errorf("a picture of an editor: %d %s", a.Status, a.Body)
	}
	for _, login := range []string{"author", "contributor"} {
		s.Token = "token of " + login
		a := s.Do(
			t,
			"POST",
			v1+"/events",
			`{"title":"Fair","start_date":"2031-05-11","end_date":"2031-05-11"}`,
		)
		if a.Status != http.StatusCreated {
			t.Errorf("an event of %s: %d %s", login, a.Status, a.Body)
		}
	}
	end(t, cmd)
}

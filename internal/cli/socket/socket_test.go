package socket_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/cli"
	"almanac/internal/cli/socket"
	"almanac/store"
)

// short returns a directory with a path that every system takes for a socket.
func short(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// serve has operations done at the socket of a directory, until the test ends or end is called.
func serve(t *testing.T, dir string, operations socket.Operations) (end func()) {
	t.Helper()
	end, err := socket.Serve(t.Context(), dir, operations, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	return end
}

// says returns an operation that writes a text, and what it was asked.
func says(text string) socket.Operation {
	return func(_ context.Context, asked url.Values, in io.Reader, out io.Writer) error {
		if in == nil {
			in = strings.NewReader("")
		}
		sent, err := io.ReadAll(in)
		fmt.Fprintf(out, "%s: %s %s", text, asked.Encode(), sent)
		return err
	}
}

// ask asks and returns the answer.
func ask(t *testing.T, dir, name string, in io.Reader, alone socket.Operation) (string, error) {
	t.Helper()
	var out strings.Builder
	err := socket.Do(t.Context(), dir, name, url.Values{"a": {"ä&b"}}, in, &out, alone)
	return out.String(), err
}

// wants compares an answer without an error.
func wants(t *testing.T, want, got string, err error) {
	t.Helper()
	if err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

const query = "a=%C3%A4%26b"

// A command is answered by the server while there is one, and by itself before and after.
func TestDo(t *testing.T) {
	t.Parallel()
	dir := short(t)
	input := strings.Repeat("drafts ", 1e6)
	got, err := ask(t, dir, "POST /say", strings.NewReader("drafts"), says("alone"))
	wants(t, "alone: "+query+" drafts", got, err)
	end := serve(t, dir, socket.Operations{"POST /say": says("server"), "GET /say": says("read")})
	got, err = ask(t, dir, "POST /say", strings.NewReader(input), says("alone"))
	wants(t, "server: "+query+" "+input, got, err)
	got, err = ask(t, dir, "GET /say", nil, says("alone"))
	wants(t, "read: "+query+" ", got, err)
	if info, err := os.Lstat(filepath.Join(dir, socket.Name)); err != nil ||
		runtime.GOOS != "windows" && info.Mode() != fs.ModeSocket|0o600 {
		t.Errorf("the socket is %v, %v", info.Mode(), err)
	}
	end()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	got, err = ask(t, dir, "GET /say", nil, says("alone"))
	wants(t, "alone: "+query+" ", got, err)
}

// An error of an operation ends the command as it would in its own process, after what was written.
func TestErrors(t *testing.T) {
	t.Parallel()
	dir := short(t)
	fails := func(err error) socket.Operation {
		return func(_ context.Context, _ url.Values, _ io.Reader, out io.Writer) error {
			io.WriteString(out, "some")
			return err
		}
	}
	failure := errors.New("two\nlines, \"ü\" and \x00")
	serve(t, dir, socket.Operations{
		"GET /failure": fails(failure),
		"GET /mistake": fails(cli.Usage(failure)),
		"GET /well":    fails(nil),
	})
	for name, status := range map[string]int{"GET /failure": 1, "GET /mistake": 2, "GET /well": 0} {
		out, err := ask(t, dir, name, nil, says("alone"))
		if out != "some" || cli.Status(err) != status || err != nil && err.Error() != failure.Error() {
			t.Errorf("%s: %q, %q with status %d", name, out, err, cli.Status(err))
		}
	}
	out, err := ask(t, dir, "GET /new", nil, says("alone"))
	if out != "" || err == nil || !strings.Contains(err.Error(), "no almanac of this version") {
		t.Errorf("an unknown operation: %q, %v", out, err)
	}
	full := errors.New("full")
	err = socket.Do(t.Context(), dir, "GET /well", nil, nil, refusing{full}, says("alone"))
	if !errors.Is(err, full) {
		t.Errorf("to a full disk: %v", err)
	}
}

// refusing takes nothing.
type refusing struct{ error }

func (r refusing) Write([]byte) (int, error) { return 0, r.error }

// A process that does not begin to answer ends no command's patience but its own: the error names
// the socket, and says of a change that it may have been made.
func TestStopped(t *testing.T) {
	socket.SetAnswerTime(t, time.Millisecond)
	dir := short(t)
	name := filepath.Join(dir, socket.Name)
	stopped, err := net.ListenUnix("unix", &net.UnixAddr{Name: name, Net: "unix"})
	if err != nil {
		t.Skip(err)
	}
	defer stopped.Close()
	for method, doubts := range map[string]bool{"GET": false, "POST": true, "PUT": true} {
		out, err := ask(t, dir, method+" /say", nil, says("alone"))
		if out != "" || err == nil || !strings.HasPrefix(err.Error(), name+" does not answer within 1ms") ||
			strings.HasSuffix(err.Error(), "look whether it did what was asked") != doubts {
			t.Errorf("%s: %q, %v", method, out, err)
		}
	}
}

// An answer begins before its operation is done, which may take long.
func TestLong(t *testing.T) {
	t.Parallel()
	dir := short(t)
	goOn := make(chan struct{})
	serve(t, dir, socket.Operations{
		"POST /say": func(ctx context.Context, asked url.Values, in io.Reader, out io.Writer) error {
			<-goOn
			return says("server")(ctx, asked, in, out)
		},
	})
	conn, err := net.Dial("unix", filepath.Join(dir, socket.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	sent := strings.Repeat("drafts ", 1e6)
	request, err := http.NewRequest("POST", "http://almanac/say?"+query, strings.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	go request.Write(conn)
	answer, err := http.ReadResponse(bufio.NewReader(conn), request)
	if err != nil {
		t.Fatal(err)
	}
	close(goOn)
	text, err := io.ReadAll(answer.Body)
	wants(t, "server: "+query+" "+sent, string(text), err)
}

// Of a server that was killed its socket is left. It is replaced, and misleads nobody before.
func TestStale(t *testing.T) {
	t.Parallel()
	dir := short(t)
	killed, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, socket.Name), Net: "unix"})
	if err != nil {
		t.Skip(err)
	}
	killed.SetUnlinkOnClose(false)
	killed.Close()
	got, err := ask(t, dir, "POST /say", nil, says("alone"))
	wants(t, "alone: "+query+" ", got, err)
	serve(t, dir, socket.Operations{"POST /say": says("server")})
	got, err = ask(t, dir, "POST /say", nil, says("alone"))
	wants(t, "server: "+query+" ", got, err)
}

// A file of the name that is no socket is refused by name and stays as it is.
func TestForeign(t *testing.T) {
	t.Parallel()
	for what, create := range map[string]func(name string) error{
		"a file":      func(name string) error { return os.WriteFile(name, []byte("mine"), 0o600) },
		"a directory": func(name string) error { return os.Mkdir(name, 0o700) },
		"a link":      func(name string) error { return os.Symlink("elsewhere", name) },
	} {
		dir := short(t)
		name := filepath.Join(dir, socket.Name)
		if err := create(name); err != nil {
			t.Fatal(err)
		}
		before, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = socket.Serve(t.Context(), dir, nil, slog.New(slog.DiscardHandler))
		if cli.Status(err) != 2 || !strings.Contains(err.Error(), name+" is no socket") {
			t.Errorf("%s: status %d, %v", what, cli.Status(err), err)
		}
		after, err := os.Lstat(name)
		if err != nil || !os.SameFile(before, after) || before.ModTime() != after.ModTime() {
			t.Errorf("%s is another one: %v", what, err)
		}
		got, err := ask(t, dir, "POST /say", nil, says("alone"))
		wants(t, "alone: "+query+" ", got, err)
	}
}

// A path may be longer than the address of a socket, or else the error says so.
func TestLongPath(t *testing.T) {
	t.Parallel()
	dir := short(t)
	for _, name := range []int{103 - len(dir) - 1 - len("/"+socket.Name), 88, 200} {
		dir := filepath.Join(dir, strings.Repeat("n", name))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		operations := socket.Operations{"GET /say": says("server")}
		end, err := socket.Serve(t.Context(), dir, operations, slog.New(slog.DiscardHandler))
		if _, noProc := os.Stat("/proc/self/fd"); noProc != nil {
			if err == nil || !strings.Contains(err.Error(), "103 at most") {
				t.Errorf("%d bytes without /proc: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := ask(t, dir, "GET /say", nil, says("alone"))
		wants(t, "server: "+query+" ", got, err)
		end()
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

// A server that ends meanwhile: what was answered in part is an error, and what may have been done
// is not done again.
func TestServerEnds(t *testing.T) {
	t.Parallel()
	dir := short(t)
	dies := func(_ context.Context, asked url.Values, _ io.Reader, out io.Writer) error {
		if text := asked.Get("say"); text != "" {
			io.WriteString(out, text)
		}
		panic(http.ErrAbortHandler)
	}
	serve(t, dir, socket.Operations{"GET /die": dies, "POST /die": dies, "PUT /die": dies})
	for _, test := range []struct {
		name, say, answer, want string
	}{
		{"GET /die", "some", "some", dir + " open ended before it had answered"},
		{"GET /die", "", "alone", ""},
		{"PUT /die", "", "alone", ""},
		{"POST /die", "", "", "it had answered: look whether"},
	} {
		var out strings.Builder
		err := socket.Do(t.Context(), dir, test.name, url.Values{"say": {test.say}}, nil, &out,
			func(_ context.Context, _ url.Values, _ io.Reader, out io.Writer) error {
				_, err := io.WriteString(out, "alone")
				return err
			})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if out.String() != test.answer || !strings.Contains(got, test.want) || test.want == "" && err != nil {
			t.Errorf("%s %q: %q, %v; want %q and %q", test.name, test.say, &out, err, test.answer, test.want)
		}
	}
}

// The end of a server ends the context of what runs, and waits for it.
func TestEnd(t *testing.T) {
	t.Parallel()
	dir := short(t)
	ctx, stop := context.WithCancel(t.Context())
	begun := make(chan struct{})
	end, err := socket.Serve(ctx, dir, socket.Operations{
		"GET /wait": func(ctx context.Context, _ url.Values, _ io.Reader, out io.Writer) error {
			close(begun)
			<-ctx.Done()
			return errors.New("the server is told to end")
		},
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { _, err := ask(t, dir, "GET /wait", nil, says("alone")); ended <- err }()
	<-begun
	stop()
	end()
	if err := <-ended; err == nil || err.Error() != "the server is told to end" {
		t.Errorf("ended with %v", err)
	}
}

// A directory that another process has open, without an answer, is tried again until it is free,
// its server answers, or somebody gives up.
func TestInUse(t *testing.T) {
	t.Parallel()
	dir := short(t)
	tries := 0
	got, err := ask(t, dir, "POST /say", nil,
		func(ctx context.Context, asked url.Values, in io.Reader, out io.Writer) error {
			if tries++; tries < 3 {
				return store.ErrInUse
			}
			return says("free")(ctx, asked, in, out)
		})
	wants(t, "free: "+query+" ", got, err)
	got, err = ask(t, dir, "POST /say", nil, func(context.Context, url.Values, io.Reader, io.Writer) error {
		serve(t, dir, socket.Operations{"POST /say": says("server")})
		return store.ErrInUse
	})
	wants(t, "server: "+query+" ", got, err)
	ctx, give := context.WithCancelCause(t.Context())
	up := errors.New("given up")
	err = socket.Do(ctx, short(t), "POST /say", nil, nil, io.Discard,
		func(context.Context, url.Values, io.Reader, io.Writer) error {
			give(up)
			return store.ErrInUse
		})
	if diff := cmp.Diff(up, err, cmp.Comparer(func(a, b error) bool { return a == b })); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}

// Somebody who gives up does not wait for a server that says nothing, or not everything.
func TestSilent(t *testing.T) {
	t.Parallel()
	for _, says := range []string{"", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Almanac-Result\r\n\r\n4\r\nsome\r\n"} {
		dir := short(t)
		l, err := net.Listen("unix", filepath.Join(dir, socket.Name))
		if err != nil {
			t.Skip(err)
		}
		defer l.Close()
		ctx, give := context.WithCancelCause(t.Context())
		up := errors.New("given up")
		go func() {
			conn, err := l.Accept()
			if err == nil {
				io.WriteString(conn, says)
				give(up)
				io.Copy(io.Discard, conn)
				conn.Close()
			}
		}()
		err = socket.Do(ctx, dir, "GET /say", nil, nil, io.Discard,
			func(context.Context, url.Values, io.Reader, io.Writer) error { return errors.New("alone") })
		if err != up {
			t.Errorf("after %q: %v", says, err)
		}
	}
}

package command

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/store"
)

// This file kills a server that is being written to, at moments that nobody
// chose, starts it again, and compares what it answered with what is there.
// `make torture` does it more often.

// Files so small that a run of some hundred writes has many of them.
var tortureLimits = limits{Segment: 8 << 10, Snapshot: 12 << 10}

// most is how many answers a server gives that is not killed for another reason.
const most = 400

// A way says when a server is killed.
type way string

const (
	atByte     way = "in the middle of a conversation"
	atSnapshot way = "while a snapshot is written"
	atStart    way = "while it starts"
	atAnswer   way = "after an answer"
)

var ways = []way{atByte, atSnapshot, atStart, atAnswer}

func TestTorture(t *testing.T) {
	t.Parallel()
	seed := numberFrom(t, "ALMANAC_TORTURE_SEED", rand.Uint64())
	kills := int(numberFrom(t, "ALMANAC_TORTURE", 3))
	t.Logf("%d kills; ALMANAC_TORTURE_SEED=%d makes the same choices", kills, seed)
	r := newTorture(t, seed)
	for i := range kills {
		if how := ways[i%len(ways)]; how == atStart {
			r.killStart(t)
		} else {
			r.kill(t, how)
		}
		if t.Failed() {
			t.Fatalf("in round %d", i+1)
		}
	}
	ready, end := r.start(t)
	r.compare(t, ready.URL)
	end()
	r.offline(t)
	t.Logf(
		"%d answers, %d of %d requests without one are there; %d unfinished snapshots and %d torn lines were found; %s",
		r.truth.answers.Load(),
		r.truth.luck,
		r.truth.doubts,
		r.unfinished,
		r.truncated,
		r.operator,
	)
}

// newTorture makes a directory and writers, who make the choices that a number stands for.
func newTorture(t *testing.T, seed uint64) *torture {
	t.Helper()
	dir := t.TempDir()
	r := &torture{
		rng:   rand.New(rand.NewPCG(seed, 0)),
		dir:   filepath.Join(dir, "data"),
		users: usersFile(t),
		truth: &truth{ids: map[string]string{}},
	}
	r.operator = newOperator(r.truth, filepath.Join(dir, "access.log"))
	r.flags = r.operator.flags()
	for i := range 8 {
		w := &tortureWriter{
			name:  "w" + strconv.Itoa(i),
			rng:   rand.New(rand.NewPCG(seed, uint64(i+1))),
			truth: r.truth,
		}
		w.asks.name = w.name
		r.writers = append(r.writers, w)
		r.operator.all = append(r.operator.all, &w.asks)
	}
	return r
}

// numberFrom returns the number in a variable.
func numberFrom(t *testing.T, variable string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// A torture is a directory and who writes to it.
type torture struct {
	rng     *rand.Rand
	dir     string
	users   string
	flags   []string // more, for the server
	writers []*tortureWriter
	truth   *truth

	operator *operator

	looks                 int // into the directory while a server starts, the last time
	unfinished, truncated int // found by starts
}

// command returns the command of the server.
func (r *torture) command(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := childCommand(t, r.dir, r.users, tortureLimits)
	cmd.Args = append(cmd.Args, r.flags...)
	return cmd
}

// start starts a server, and returns what kills it and waits for its end.
func (r *torture) start(t *testing.T) (readyLine, func()) {
	t.Helper()
	r.operator.settle(t)
	cmd := r.command(t)
	var stderr lockedBuffer
	cmd.Stderr = &stderr
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s", &stderr)
		}
	})
	isReady := make(chan struct{})
	looked := make(chan int)
	go func() { looked <- r.look(isReady) }()
	began := time.Now()
	ready := startProcess(t, cmd)
	close(isReady)
	r.looks = <-looked
	r.unfinished += strings.Count(stderr.String(), "unfinished snapshot")
	r.truncated += strings.Count(stderr.String(), "torn by a crash")
	watched := r.operator.watch(t, ready, began)
	return ready, sync.OnceFunc(func() {
		watched(func() { end(t, cmd) })
		if strings.Contains(stderr.String(), "access log") {
			t.Errorf("lines are said to be missing:\n%s", &stderr)
		}
	})
}

// end kills a process.
func end(t *testing.T, cmd *exec.Cmd) {
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	_ = cmd.Wait() // says that it was killed
}

// look looks into the directory until something happens, and returns how often.
// It is how moments are told apart without a clock.
func (r *torture) look(until <-chan struct{}) int {
	for n := 1; ; n++ {
		select {
		case <-until:
			return n
		default:
			r.tmp()
		}
	}
}

// tmp returns how many files there are in the snapshot that is being written.
func (r *torture) tmp() int {
	found, _ := filepath.Glob(filepath.Join(r.dir, "snapshots", "*.tmp", "*"))
	return len(found)
}

// killStart kills a server before it is ready, or hardly after.
func (r *torture) killStart(t *testing.T) {
	t.Helper()
	cmd := r.command(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range r.rng.IntN(max(r.looks, 1)) {
		r.tmp()
	}
	end(t, cmd)
}

// kill starts a server, compares what is there, lets everybody write and kills
// it.
func (r *torture) kill(t *testing.T, how way) {
	t.Helper()
	ready, end := r.start(t)
	defer end()
	r.compare(t, ready.URL)

	answers := &fuse{blow: end}
	bytes := &fuse{blow: end}
	answers.left.Store(most)
	bytes.left.Store(1 << 40)
	dead := make(chan struct{})
	var watcher sync.WaitGroup
	switch how {
	case atAnswer:
		answers.left.Store(1 + r.rng.Int64N(most))
	case atByte:
		bytes.left.Store(1 + r.rng.Int64N(most<<10))
	case atSnapshot:
		files := 1 + r.rng.IntN(7)
		after := most - r.rng.Int64N(most/2)
		watcher.Go(func() {
			for answers.left.Load() > after || r.tmp() < files {
				select {
				case <-dead:
					return
				default:
				}
			}
			end()
		})
	}
	var all sync.WaitGroup
	for _, w := range r.writers { // each by a connection of its own, which is served in order
		client := &http.Client{
			Transport: &http.Transport{
				DisableCompression: true,
				MaxConnsPerHost:    1,
				DialContext:        bytes.dial,
			},
		}
		defer client.CloseIdleConnections()
		all.Go(
			func() {
				w.write(t, caller{URL: ready.URL, Token: "token of admin", Client: client}, answers, r.operator)
			},
		)
	}
	all.Wait()
	close(dead)
	watcher.Wait()
}

// compare compares what a server shows with what was written.
func (r *torture) compare(t *testing.T, url string) {
	t.Helper()
	shown := r.truth.read(t, caller{URL: url, Token: "token of admin", Client: http.DefaultClient})
	for _, w := range r.writers {
		for _, p := range w.pieces {
			shown.check(t, p)
		}
	}
	shown.rest(t)
}

// offline checks the store itself, and that the log alone says the same.
func (r *torture) offline(t *testing.T) {
	t.Helper()
	r.operator.settle(t)
	var seqs []uint64
	for range 2 {
		s, err := store.Open(store.Options{Dir: r.dir, Snapshot: -1})
		if err != nil {
			t.Fatal(err)
		}
		seqs = append(seqs, s.Seq())
		if err := errors.Join(s.Check(), s.Close(), os.RemoveAll(filepath.Join(r.dir, "snapshots"))); err != nil {
			t.Error(err)
		}
	}
	if seqs[0] != seqs[1] {
		t.Errorf("with snapshots there are %d transactions, by the log alone %d", seqs[0], seqs[1])
	}
}

// A fuse burns while something is counted, and does something at its end.
type fuse struct {
	left atomic.Int64
	blow func()
}

// burn burns n, and returns how much of it was left.
func (f *fuse) burn(n int) int {
	left := f.left.Add(-int64(n)) + int64(n)
	if left > int64(n) {
		return n
	}
	if left <= 0 {
		return 0
	}
	return int(left)
}

// dial opens a connection that ends at a given byte of a request or an answer.
func (f *fuse) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	return fusedConn{conn, f}, err
}

type fusedConn struct {
	net.Conn
	fuse *fuse
}

func (c fusedConn) Write(b []byte) (int, error) {
	n := c.fuse.burn(len(b))
	if n == len(b) && n > 0 {
		return c.Conn.Write(b)
	}
	n, err := c.Conn.Write(b[:n])
	c.fuse.blow()
	return n, errors.Join(err, net.ErrClosed)
}

func (c fusedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && c.fuse.burn(n) < n {
		c.fuse.blow()
	}
	return n, err
}

package command

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// This file keeps a server that is killed as people keep one: it asks for its health and
// its metrics, and reads its access log.

const (
	answersPerLook = 25       // between two looks of the operator
	startTime      = patience // in which a server has to be ready
)

// asks are the requests of a client to the running server, in order.
type asks struct {
	name  string
	lines []askedLine
}

// An askedLine is the line of a request in the access log. An unanswered request has the status 0.
type askedLine struct {
	Method, Target string
	Status         int
}

// agentOf separates the name of the client from the number of the request.
const agentOf = " asks for the "

// sign sets the name of a request that its line has, and returns a function that notes the answer.
func (a *asks) sign(r *http.Request) (answered func(status int)) {
	a.lines = append(a.lines, askedLine{r.Method, r.URL.RequestURI(), 0})
	line := &a.lines[len(a.lines)-1]
	r.Header.Set("User-Agent", fmt.Sprint(a.name, agentOf, len(a.lines)))
	return func(status int) { line.Status = status }
}

// An operator watches over a server through all its lives.
type operator struct {
	truth     *truth
	all       []*asks // of everybody
	own       asks
	log       string // the access log
	read      int    // bytes of it that were judged
	truncated bool   // the last line of these is not whole
	looks     chan struct{}

	// Of the server that runs.
	ready         readyLine
	client        *http.Client
	sent, answers int64 // counts of truth before
	killed        atomic.Bool
	before        samples

	// For people.
	starts, looked, lines, lost, tears int
	slowest                            time.Duration // start
}

func newOperator(tr *truth, log string) *operator {
	o := &operator{truth: tr, log: log, own: asks{name: "operator"}, looks: make(chan struct{}, 1)}
	o.all = []*asks{&o.own}
	return o
}

// flags returns the operator's flags of a server.
func (o *operator) flags() []string {
	return []string{
		"-metrics-addr",
		"127.0.0.1:0",
		"-access-log",
		o.log,
		"-access-log-format",
		"json",
	}
}

func (o *operator) String() string {
	return fmt.Sprintf(
		"%d starts, the slowest ready after %v; health and metrics were asked for %d times; "+
			"the access log has %d lines, %d were lost by kills and %d torn",
		o.starts,
		o.slowest.Round(time.Millisecond),
		o.looked,
		o.lines,
		o.lost,
		o.tears,
	)
}

// mayLook makes the operator look, unless it is about to.
func (o *operator) mayLook() {
	select {
	case o.looks <- struct{}{}:
	default:
	}
}

// watch observes a ready server until the returned function has killed it with kill. Health checks
// must fail after that.
func (o *operator) watch(
	t *testing.T,
	ready readyLine,
	began time.Time,
) (watched func(kill func())) {
	t.Helper()
	o.ready = ready
	o.client = &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}, Timeout: startTime}
	o.before = samples{}
	o.sent, o.answers = o.truth.sent.Load(), o.truth.answers.Load()
	o.killed.Store(false)
	if !o.look(t) {
		t.Fatal("a server that says that it is ready is not")
	}
	took := time.Since(began)
	if o.starts, o.slowest = o.starts+1, max(o.slowest, took); took > startTime {
		t.Errorf("a start took %v", took)
	}
	dead := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		for {
			select {
			case <-o.looks:
				if !o.look(t) {
					return
				}
			case <-dead:
				return
			}
		}
	})
	return func(kill func()) {
		o.killed.Store(true)
		kill()
		if a, err := o.client.Get(ready.URL + "/_almanac/health"); err == nil {
			t.Errorf("health of a server that is gone: %s", a.Status)
			a.Body.Close()
		}
		close(dead)
		watcher.Wait()
		o.client.CloseIdleConnections()
	}
}

// look asks for health and metrics, and reports whether they were answered, as they must be
// until the server is killed. It is well, counters only grow, and writes are counted: at
// least those that were answered before, and no more than were sent by then.
func (o *operator) look(t *testing.T) bool {
	t.Helper()
	answers := o.truth.answers.Load() - o.answers
	var health struct{ Live, Ready, Writable bool }
	status, text, err := o.ask(o.ready.URL + "/_almanac/health")
	if err != nil {
		return o.excused(t, err)
	}
	if err := json.Unmarshal(text, &health); err != nil || status != http.StatusOK ||
		!health.Live ||
		!health.Ready ||
		!health.Writable {
		t.Errorf("health: %d %s %v", status, text, err)
	}
	if status, text, err = o.ask(o.ready.Metrics); err != nil {
		return o.excused(t, err)
	}
	sent := o.truth.sent.Load() - o.sent
	now, growing := parseSamples(t, string(text))
	var writes float64
	for key, n := range now {
		if was, known := o.before[key]; known && growing[key] && n < was {
			t.Errorf("%s was %v and is %v", key, was, n)
		}
		if operation, ok := strings.CutPrefix(key, `almanac_http_requests_total{operation="`); ok {
			operation, class, _ := strings.Cut(operation, `"`)
			if _, verb, _ := strings.Cut(operation, "."); class == `,class="2xx"}` &&
				(verb == "create" || verb == "update" || verb == "delete") {
				writes += n
			}
		}
	}
	if status != http.StatusOK || now["almanac_ready"] != 1 || now["almanac_writable"] != 1 {
		t.Errorf("metrics: %d %s", status, text)
	}
	for key := range maps.Keys(o.before) {
		if _, still := now[key]; !still {
			t.Errorf("%s is not there any more", key)
		}
	}
	if writes < float64(answers) || writes > float64(sent) {
		t.Errorf(
			"%v writes are counted, of which %d were answered before and %d were sent",
			writes,
			answers,
			sent,
		)
	}
	o.before = now
	o.looked++
	return true
}

// ask asks for something of the server.
func (o *operator) ask(url string) (status int, text []byte, err error) {
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return 0, nil, err
	}
	answered := func(int) {}
	if url != o.ready.Metrics { // which have no access log
		answered = o.own.sign(request)
	}
	response, err := o.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answered(response.StatusCode)
	text, err = io.ReadAll(response.Body)
	return response.StatusCode, text, err
}

// excused returns false: there was no answer. It has to be because of the kill.
func (o *operator) excused(t *testing.T, err error) bool {
	t.Helper()
	if !o.killed.Load() {
		t.Errorf("a server that runs did not answer: %v", err)
	}
	return false
}

// settle judges what the server that was killed has added to the access log: of everybody
// who asked it has the lines in their order, and only the last of them may be missing, or
// torn. The next server ends the line that is torn.
func (o *operator) settle(t *testing.T) {
	t.Helper()
	file, err := os.ReadFile(o.log)
	if err != nil && o.starts > 0 {
		t.Fatal(err)
	}
	text := string(file[o.read:])
	o.read = len(file)
	if o.truncated && text != "" {
		if !strings.HasPrefix(text, "\n") {
			t.Errorf("a line was added to one that is torn: %.200s", text)
		}
		text = text[1:]
		o.truncated = false
	}
	has := map[string]int{} // lines of each who asked
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, "\n") {
			o.truncated = true
			o.tears = o.tears + 1
			break
		}
		var e struct {
			askedLine
			Agent string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Method == "" {
			t.Errorf("not a line of the access log: %v: %s", err, line)
		}
		o.lines++
		for _, a := range o.all {
			if number, ok := strings.CutPrefix(e.Agent, a.name+agentOf); ok {
				o.judge(t, a, has[a.name], number, e.askedLine)
				has[a.name]++
			}
		}
	}
	for _, a := range o.all {
		for _, line := range a.lines[min(has[a.name], len(a.lines)):] {
			if line.Status != 0 {
				o.lost++
			}
		}
		a.lines = nil
	}
}

// judge compares a later line of a client in the access log with its request.
func (o *operator) judge(t *testing.T, a *asks, after int, number string, got askedLine) {
	t.Helper()
	if after >= len(a.lines) || number != fmt.Sprint(after+1) {
		t.Errorf(
			"%s asked %d times, and after %d lines there is one of request %s: %+v",
			a.name,
			len(a.lines),
			after,
			number,
			got,
		)
		return
	}
	want := a.lines[after]
	if want.Status == 0 {
		want.Status = got.Status
	}
	if got != want {
		t.Errorf(
			"request %s of %s is %+v in the access log, and was %+v",
			number,
			a.name,
			got,
			want,
		)
	}
}

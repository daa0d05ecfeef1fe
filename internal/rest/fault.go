// Faults: answers that go wrong because a test asked for it.

package rest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Fault is a rule by which requests of a world go wrong: which ones, and how.
// The zero value of a field asks for nothing, so a Fault needs what is to happen
// and nothing else: Fault{Status: 503} refuses everything.
type Fault struct {
	// Method is the one that it is about, or several with commas between them;
	// "" is all.
	Method string
	// Path is a pattern of paths: "" is all of them, * stands for a part of one
	// segment, {id} or another name in braces for a whole one, and ** at the end
	// for all that follows. A path in cal/events/v1 means that of every base
	// address; others mean themselves. Letter case does not count.
	Path string
	// Skip is how many of these requests are let through first.
	Skip int
	// Count is how many go wrong, after which the rule is done; 0 is all.
	Count int
	// Probability is the share of requests that go wrong, from 0 to 1, by a
	// generator that begins with Seed: the same rule picks the same requests
	// every time. 0 is all, as 1 is.
	Probability float64
	Seed        uint64

	// Applied lets the request take effect: its answer alone goes wrong, as when
	// a connection is lost in the middle. Without it a fault with Status or Reset
	// comes in the place of what was asked for.
	Applied bool
	// Delay is how long the request, or with Applied its answer, waits.
	Delay time.Duration
	// Status answers with an error, 400 to 599, with this code and message;
	// "" are words that say that it is a fault. RetryAfter is rounded up to whole
	// seconds; 0 sends no Retry-After.
	Status        int
	Code, Message string
	RetryAfter    time.Duration
	// Reset closes the connection in the place of an answer, by a reset if the
	// connection knows that. Clients repeat a request by themselves that may be
	// repeated, such as a GET, if its connection was kept from an earlier one:
	// Go's does, so that of Reset with Count 1 a program may see nothing. Cut
	// shows, since part of the answer has come.
	Reset bool
	// Cut ends the body, and the connection, after so many bytes, but before the
	// last one; less than 0 is before the first. No client repeats the request by
	// itself.
	Cut int
	// Malformed sends the first half of the body as if it were all: the answer is
	// whole, and no JSON.
	Malformed bool
	// Dribble is how long the body takes: it comes in a hundred pieces, or byte
	// by byte if it has less, with pauses before each.
	Dribble time.Duration
}

// Defaults of a fault with a status.
const (
	faultCode    = "almanac_fault"
	faultMessage = "This error was asked for by a rule of POST /_almanac/faults or of the test itself."
)

// Check says what is wrong with a fault, by the name of the field on the wire;
// nil is nothing.
func (f *Fault) Check() map[string]string {
	bad := map[string]string{}
	for method := range strings.SplitSeq(f.Method, ",") {
		if f.Method != "" && (method == "" || strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
			bad["method"] = "method must be a method in upper case, such as GET, or several with commas between them."
		}
	}
	if _, err := path.Match(f.Path, ""); err != nil || f.Path != "" && f.Path[0] != '/' {
		bad["path"] = "path must begin with a slash, such as /cal/events/v1/events/{id} or /cal/events/v1/**."
	}
	if !(f.Probability >= 0 && f.Probability <= 1) {
		bad["probability"] = "probability must be a number from 0 to 1."
	}
	if f.Status != 0 && (f.Status < 400 || f.Status > 599) {
		bad["status"] = "status must be that of an error, 400 to 599."
	}
	if f.Status == 0 && (f.Code != "" || f.Message != "" || f.RetryAfter != 0) {
		bad["status"] = "status is needed with code, message and retry_after."
	}
	for name, value := range map[string]int{"skip": f.Skip, "count": f.Count} {
		if value < 0 {
			bad[name] = name + " must not be less than 0."
		}
	}
	for name, value := range map[string]time.Duration{"delay": f.Delay, "dribble": f.Dribble, "retry_after": f.RetryAfter} {
		if value < 0 {
			bad[name] = name + " must not be less than 0."
		}
	}
	if f.Delay == 0 && f.Status == 0 && !f.Reset && !f.altersBody() {
		bad["status"] = "status, delay, reset, cut, malformed or dribble is needed: something has to go wrong."
	}
	if len(bad) == 0 {
		return nil
	}
	return bad
}

// altersBody reports whether the body of the answer goes wrong.
func (f *Fault) altersBody() bool { return f.Cut != 0 || f.Malformed || f.Dribble > 0 }

// covers reports whether the fault is about a request, by the paths that it is
// known by.
func (f *Fault) covers(method string, paths ...string) bool {
	return (f.Method == "" || slices.Contains(strings.Split(f.Method, ","), method)) &&
		(f.Path == "" || slices.ContainsFunc(paths, func(p string) bool { return matchPath(f.Path, p) }))
}

// matchPath compares a path with a pattern, segment by segment. A slash at the
// end counts in neither.
func matchPath(pattern, p string) bool {
	return matchSegments(pattern, p, func(want, got string) bool {
		matched, _ := path.Match(want, got) // Check has refused bad patterns
		return matched
	})
}

// matchRoute compares a pattern with the path of a route, in which a name in
// braces stands for any segment.
func matchRoute(pattern, route string) bool {
	return matchSegments(pattern, strings.TrimSuffix(route, "{$}"), func(want, got string) bool {
		matched, _ := path.Match(want, got)
		return matched || strings.HasPrefix(got, "{")
	})
}

func matchSegments(pattern, p string, match func(want, got string) bool) bool {
	wanted := strings.Split(strings.TrimSuffix(strings.ToLower(pattern), "/"), "/")
	got := strings.Split(strings.TrimSuffix(strings.ToLower(p), "/"), "/")
	for i, want := range wanted {
		if want == "**" && i == len(wanted)-1 {
			return true
		}
		if i == len(got) {
			return false
		}
		if strings.HasPrefix(want, "{") && strings.HasSuffix(want, "}") {
			want = "?*"
		}
		if !match(want, got[i]) {
			return false
		}
	}
	return len(wanted) == len(got)
}

// answer is the error that a fault with a status answers with.
func (f *Fault) answer() *Error {
	return &Error{Status: f.Status, Code: cmp.Or(f.Code, faultCode), Message: cmp.Or(f.Message, faultMessage)}
}

// retryAfter is the value of Retry-After, "" for none.
func (f *Fault) retryAfter() string {
	if f.RetryAfter == 0 {
		return ""
	}
	return strconv.FormatInt(int64((f.RetryAfter+time.Second-1)/time.Second), 10)
}

// faults is the rules of a world, in the order in which they were asked for. The
// first that is about a request and picks it counts.
type faults struct {
	mu    sync.Mutex // guards all below
	last  int64
	rules []*faultRule
}

// A faultRule is a fault in force.
type faultRule struct {
	Fault
	id    int64
	seen  int // requests that it is about
	fired int // those that went wrong
	rng   *rand.Rand
}

// maxFaults is how many rules a world may have.
const maxFaults = 1000

// add puts a fault in force that was checked, and returns its id.
func (all *faults) add(f Fault) (int64, error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if len(all.rules) >= maxFaults {
		return 0, &Error{Status: http.StatusServiceUnavailable, Code: "almanac_too_many_faults",
			Message: fmt.Sprintf("There are %d faults already: DELETE those that are not needed any more.", maxFaults)}
	}
	all.last++
	all.rules = append(all.rules, &faultRule{Fault: f, id: all.last, rng: rand.New(rand.NewPCG(f.Seed, 0))})
	return all.last, nil
}

// pick returns the rule by which a request goes wrong, or nil.
func (all *faults) pick(method string, paths ...string) (picked *Fault, id int64) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, rule := range all.rules {
		if rule.done() || !rule.covers(method, paths...) {
			continue
		}
		if rule.seen++; rule.seen <= rule.Skip || rule.Probability != 0 && rule.rng.Float64() >= rule.Probability {
			continue
		}
		rule.fired++
		f := rule.Fault
		return &f, rule.id
	}
	return nil, 0
}

func (rule *faultRule) done() bool { return rule.Count != 0 && rule.fired >= rule.Count }

// list returns the rules, those that are done too, as they are now.
func (all *faults) list() []faultRule {
	all.mu.Lock()
	defer all.mu.Unlock()
	list := make([]faultRule, len(all.rules))
	for i, rule := range all.rules {
		list[i] = *rule
	}
	return list
}

// remove removes a rule and reports whether it was there.
func (all *faults) remove(id int64) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	before := len(all.rules)
	all.rules = slices.DeleteFunc(all.rules, func(rule *faultRule) bool { return rule.id == id })
	return len(all.rules) < before
}

// clear removes all rules.
func (all *faults) clear() {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.rules = nil
}

// checkFault is Fault.Check, and also refuses a fault that no request can meet.
func (w *World) checkFault(f *Fault) map[string]string {
	bad := f.Check()
	if bad == nil && !w.server.takes(f) {
		bad = map[string]string{"path": fmt.Sprintf("path %q, with the method, is that of no route: see GET /cal/events/v1/doc, or "+
			"the example /cal/events/v1/events/{id}.",
			strings.TrimSpace(f.Method+" "+f.Path))}
	}
	return bad
}

// takes reports whether a fault is about requests to one of the routes.
func (s *Server) takes(f *Fault) bool {
	for _, rt := range s.routes {
		for _, b := range s.bases {
			if f.Path != "" && !matchRoute(f.Path, b.path(rt.pattern)) {
				continue
			}
			methods := append(rt.methods(func(*Op) bool { return true }), "HEAD", "OPTIONS")
			if f.Method == "" || slices.ContainsFunc(strings.Split(f.Method, ","), func(m string) bool { return slices.Contains(methods, m) }) {
				return true
			}
		}
	}
	return false
}

// AddFault puts a fault in force, behind those that are, and returns what removes
// it. Of several faults that are about a request the first one counts, and only
// that. The error says what is wrong with the fault.
func (w *World) AddFault(f Fault) (remove func(), err error) {
	if bad := w.checkFault(&f); bad != nil {
		return nil, errors.New(strings.Join(slices.Sorted(maps.Values(bad)), " "))
	}
	id, err := w.faults.add(f)
	if err != nil {
		return nil, err
	}
	return func() { w.faults.remove(id) }, nil
}

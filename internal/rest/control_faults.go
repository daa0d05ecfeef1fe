// The routes for tests that are about faults and the request log.

package rest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// faultMembers is what addFault reads.
var faultMembers = []string{
	"method", "path", "skip", "count", "probability", "seed", "applied", "delay", "status", "code", "message", "retry_after",
	"reset", "cut", "malformed", "dribble",
}

// A faultBody is a rule on the wire. Durations are texts such as 250ms.
type faultBody struct {
	ID          int64   `json:"id"`
	Method      string  `json:"method,omitempty"`
	Path        string  `json:"path,omitempty"`
	Skip        int     `json:"skip,omitempty"`
	Count       int     `json:"count,omitempty"`
	Probability float64 `json:"probability,omitempty"`
	Seed        uint64  `json:"seed,omitempty"`
	Applied     bool    `json:"applied,omitempty"`
	Delay       string  `json:"delay,omitempty"`
	Status      int     `json:"status,omitempty"`
	Code        string  `json:"code,omitempty"`
	Message     string  `json:"message,omitempty"`
	RetryAfter  string  `json:"retry_after,omitempty"`
	Reset       bool    `json:"reset,omitempty"`
	Cut         int     `json:"cut,omitempty"`
	Malformed   bool    `json:"malformed,omitempty"`
	Dribble     string  `json:"dribble,omitempty"`
	Fired       int     `json:"fired"` // requests that went wrong by it
}

func (rule *faultRule) body() faultBody {
	f := &rule.Fault
	b := faultBody{
		ID: rule.id, Method: f.Method, Path: f.Path, Skip: f.Skip, Count: f.Count, Probability: f.Probability, Seed: f.Seed,
		Applied: f.Applied, Status: f.Status, Code: f.Code, Message: f.Message, Reset: f.Reset, Cut: f.Cut, Malformed: f.Malformed,
		Fired: rule.fired,
	}
	if f.Delay > 0 {
		b.Delay = f.Delay.String()
	}
	if f.RetryAfter > 0 {
		b.RetryAfter = f.RetryAfter.String()
	}
	if f.Dribble > 0 {
		b.Dribble = f.Dribble.String()
	}
	return b
}

// listFaults answers GET /_almanac/faults.
func listFaults(r *request, _ *members) (*response, error) {
	list := []faultBody{}
	for _, rule := range r.faults.list() {
		list = append(list, rule.body())
	}
	return done(http.StatusOK, struct {
		Faults []faultBody `json:"faults"`
	}{list})
}

// addFault answers POST /_almanac/faults: a rule as Fault describes it, with names
// in lower case and "retry_after".
func addFault(r *request, m *members) (*response, error) {
	f := Fault{
		Method: strings.ToUpper(strings.ReplaceAll(m.text("method"), " ", "")), Path: m.text("path"), Skip: m.whole("skip"),
		Count:       m.whole("count"),
		Probability: read(m, "probability", "a number from 0 to 1", func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }),
		Seed:        read(m, "seed", "a whole number, not less than 0", func(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) }),
		Applied:     m.yes("applied"), Delay: m.span("delay"), Status: m.whole("status"), Code: m.text("code"), Message: m.text("message"),
		RetryAfter: m.span("retry_after"), Reset: m.yes("reset"), Cut: m.whole("cut"), Malformed: m.yes("malformed"), Dribble: m.span("dribble"),
	}
	if err := m.err(); err != nil {
		return nil, err
	}
	if bad := r.World.checkFault(&f); bad != nil {
		return nil, badMembers(bad)
	}
	id, err := r.faults.add(f)
	if err != nil {
		return nil, err
	}
	rule := faultRule{Fault: f, id: id}
	return done(http.StatusCreated, rule.body())
}

// removeFault answers DELETE /_almanac/faults/{id}.
func removeFault(r *request, _ *members) (*response, error) {
	if !r.faults.remove(r.id()) {
		return nil, &Error{Status: http.StatusNotFound, Code: "almanac_no_such_fault",
			Message: fmt.Sprintf("This world has no fault %s.", r.path["id"])}
	}
	return done(http.StatusOK, struct {
		ID int64 `json:"id"`
	}{r.id()})
}

// clearFaults answers DELETE /_almanac/faults.
func clearFaults(r *request, m *members) (*response, error) {
	r.faults.clear()
	return listFaults(r, m)
}

// A recordedBody is a RecordedRequest on the wire. Bodies that are no text are in base64,
// under another name.
type recordedBody struct {
	Number    int         `json:"number"`
	Time      time.Time   `json:"time"`
	World     string      `json:"world"`
	Method    string      `json:"method"`
	Path      string      `json:"path"`
	Query     string      `json:"query"`
	Operation string      `json:"operation"`
	Header    http.Header `json:"headers"`
	Body      *string     `json:"body,omitempty"`
	BodyBytes []byte      `json:"body_base64,omitempty"`

	Status       int         `json:"status"`
	AnswerHeader http.Header `json:"answer_headers"`
	Answer       *string     `json:"answer,omitempty"`
	AnswerBytes  []byte      `json:"answer_base64,omitempty"`

	Fault int64 `json:"fault"`
	Cut   bool  `json:"cut"`
}

func (e *RecordedRequest) body() recordedBody {
	b := recordedBody{
		Number: e.Number, Time: e.Time, World: e.World, Method: e.Method, Path: e.Path, Query: e.Query, Operation: e.Operation,
		Header: e.Header, Status: e.Status, AnswerHeader: e.AnswerHeader, Fault: e.Fault, Cut: e.Cut,
	}
	b.Body, b.BodyBytes = textOrBytes(e.Body)
	b.Answer, b.AnswerBytes = textOrBytes(e.Answer)
	return b
}

func textOrBytes(body []byte) (*string, []byte) {
	if !utf8.Valid(body) {
		return nil, body
	}
	text := string(body)
	return &text, nil
}

// listRequests answers GET /_almanac/requests: the request log of the world, the
// oldest request first, and how many of those before it are not in it any more.
func listRequests(r *request, _ *members) (*response, error) {
	recorded, before := r.requests.list()
	list := make([]recordedBody, len(recorded))
	for i := range recorded {
		list[i] = recorded[i].body()
	}
	return done(http.StatusOK, struct {
		Requests []recordedBody `json:"requests"`
		Before   int            `json:"before"`
	}{list, before})
}

// clearRequests answers DELETE /_almanac/requests.
func clearRequests(r *request, m *members) (*response, error) {
	r.requests.clear()
	return listRequests(r, m)
}

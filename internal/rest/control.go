// The routes below /_almanac/ by which a test controls a fixture: what all of
// them have in common. There are none on other servers: they answer 404.
//
// Who may call them: every program on the machine of the server, without a token,
// since a fixture holds nothing but what tests put there. Who asks from elsewhere,
// by another name than that of this machine, by way of a proxy, or from a page of
// another site needs the token of an administrator.
//
// They are about the world that Almanac-World names, as all requests are. Members
// come as a JSON object, a form or a query, whatever is easiest to send; a body
// that begins with a brace is JSON, whatever its type says. Errors have the form
// of all others, and an unknown member is one.

package rest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/account"
	"almanac/internal/params"
)

// Operations on fixtures.
var (
	// Clock is the clock of a world.
	Clock = Resource{Read: control("clock.read", readClock), Update: control("clock.update", setClock, "now", "advance", "frozen", "real")}

	// Worlds is the worlds beside the server's own.
	Worlds = Resource{List: control("worlds.list", listWorlds), Delete: control("worlds.delete", dropWorld)}

	// Snapshots is the states of a world that have names, and Restore returns to
	// one.
	Snapshots = Resource{
		List: control("snapshots.list", listSnapshots), Create: control("snapshots.create", takeSnapshot, "name"),
		Delete: control("snapshots.delete", forgetSnapshot),
	}
	Restore = control("restore", restoreSnapshot, "name")

	// Reset makes a world what it was when it began.
	Reset = control("reset", resetWorld)

	// Faults is the rules by which requests go wrong, and ClearFaults removes all.
	Faults = Resource{
		List: control("faults.list", listFaults), Create: control("faults.create", addFault, faultMembers...),
		Delete: control("faults.delete", removeFault),
	}
	ClearFaults = control("faults.clear", clearFaults)

	// Requests is the request log of a world, and ClearRequests empties it.
	Requests      = Resource{List: control("requests.list", listRequests)}
	ClearRequests = control("requests.clear", clearRequests)
)

// errControl answers a caller who may not control the fixture.
var errControl = &Error{Status: http.StatusForbidden, Code: "rest_forbidden",
	Message: "The routes for tests are open to programs on the machine of the server, by an address of this machine. From " +
		"elsewhere, send the token of an administrator."}

// control makes an operation on a fixture, that takes members of these names. f
// reads them from m, and looks at m.err before it does anything.
func control(name string, f func(r *request, m *members) (*response, error), names ...string) *Op {
	return &Op{Name: name, Params: params.None, control: true, unlisted: true, serve: func(r *request) (*response, error) {
		if r.caller.Role != account.Administrator && !local(r.http) {
			return nil, errControl
		}
		m := &members{r.in, map[string]string{}}
		if len(r.body) > 0 && r.body[0] == '{' {
			var err error
			if m.in, err = params.Read(params.Source{Method: r.http.Method, ContentType: "application/json", Body: r.body,
				Query: r.http.URL.RawQuery}); err != nil {
				return nil, err
			}
		}
		m.refuseOthers(names)
		if err := m.err(); err != nil {
			return nil, err
		}
		return f(r, m)
	}}
}

// members is what a request says to a fixture, with what is wrong with it.
type members struct {
	in  *params.Input
	bad map[string]string // by name
}

// refuseOthers refuses members with other names, but for the parameters that every
// route takes.
func (m *members) refuseOthers(names []string) {
	for _, name := range m.in.Names() {
		switch {
		case slices.Contains(names, name), strings.HasPrefix(name, "_"), name == "rest_route":
		case len(names) == 0:
			m.bad[name] = name + " is no member of this request, which takes none."
		default:
			m.bad[name] = name + " is no member of this request; there are " + strings.Join(names, ", ") + "."
		}
	}
}

// err is the answer to what is wrong, nil for nothing.
func (m *members) err() error {
	if len(m.bad) == 0 {
		return nil
	}
	return badMembers(m.bad)
}

// badMembers answers members that cannot be taken.
func badMembers(bad map[string]string) *Error {
	invalid := &params.Invalid{}
	for _, name := range slices.Sorted(maps.Keys(bad)) {
		invalid.Complaints = append(invalid.Complaints, params.Complaint{Name: name, Reason: bad[name]})
	}
	return invalidParams(invalid)
}

// sent reports whether the request has a member.
func (m *members) sent(name string) bool {
	_, ok := m.in.Echo(name)
	return ok
}

// text returns a member as it was sent, "" if it was not.
func (m *members) text(name string) string {
	text, _ := m.in.Echo(name)
	return text
}

// read returns a member that parse understands, its zero value if it was not
// sent.
func read[T any](m *members, name, want string, parse func(string) (T, error)) (value T) {
	if !m.sent(name) {
		return value
	}
	value, err := parse(m.text(name))
	if err != nil {
		m.bad[name] = name + " must be " + want + "."
	}
	return value
}

func (m *members) whole(name string) int { return read(m, name, "a whole number", strconv.Atoi) }

func (m *members) yes(name string) bool { return read(m, name, "true or false", strconv.ParseBool) }

// span reads how long something takes: as 250ms or 1m30s, or a number of seconds.
func (m *members) span(name string) time.Duration {
	return read(m, name, "a duration such as 250ms or 1m30s, or a number of seconds", func(text string) (time.Duration, error) {
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			text += "s"
		}
		return time.ParseDuration(text)
	})
}

// name reads the name of a snapshot, which has the form of those of worlds.
func (m *members) name(name string) string {
	if !m.sent(name) {
		m.bad[name] = name + " is needed: that of a snapshot."
	}
	return read(m, name, fmt.Sprintf("a name of at most %d visible ASCII characters without a slash", maxWorldName),
		func(text string) (string, error) {
			if folded, ok := worldName(text); ok {
				return folded, nil
			}
			return "", errWorldName
		})
}

// done answers what has nothing more to say than that it was done.
func done(status int, body any) (*response, error) { return &response{status: status, body: body}, nil }

// Helpers for table tests of writes through the front door: a row for each fact that clients rely
// on.

package write_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/contract"
)

// A row is one request and what it answers.
type row struct {
	name string
	as   account.Role // "" is the administrator
	ask  string       // "PATCH /events/1"; "" is the default of the table
	send string       // JSON, merged into the table's body
	want string       // see outcome
}

// stranger is an anonymous caller.
const stranger account.Role = "stranger"

// absent is the wanted value of a member that must be missing.
const absent = "<absent>"

type desk struct {
	*testing.T
	srv *almanactest.Server
}

var now = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// open starts a server and plays requests of the form "POST /venues {…}", which must succeed. Ids
// count from 1 in their order, terms separately.
func open(t *testing.T, given ...string) desk {
	t.Helper()
	d := desk{t, contract.Start(t, almanactest.Options{Now: now, Zone: "America/New_York"})}
	for _, line := range given {
		method, rest, _ := strings.Cut(line, " ")
		path, body, _ := strings.Cut(rest, " ")
		if status, answer := d.ask("", method, path, body); status >= 300 {
			t.Fatalf("given %s: %d %v", line, status, answer)
		}
	}
	return d
}

func (d desk) ask(as account.Role, method, path, body string) (int, map[string]any) {
	d.Helper()
	switch as {
	case "":
		as = account.Administrator
	case stranger:
		as = ""
	}
	status, answer := apitest.Text(d, d.srv.As(as), method, d.srv.URL+"/cal/events/v1"+path, body)
	return status, apitest.Value[map[string]any](
		d,
		bytes.ReplaceAll(answer, []byte(d.srv.URL), []byte("URL")),
	)
}

// play plays each row on a server of its own. The row's body is merged into the table's.
func play(t *testing.T, given []string, ask, send string, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			d := open(t, given...)
			method, path, _ := strings.Cut(cmp.Or(r.ask, ask), " ")
			status, answer := d.ask(r.as, method, path, merge(t, send, r.send))
			compare(t, r.want, status, answer)
		})
	}
}

// merge adds members to an object; "-" takes one away.
func merge(t *testing.T, base, more string) string {
	t.Helper()
	object := map[string]any{}
	for _, text := range []string{base, more} {
		if text == "" {
			continue
		}
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	for name, value := range object {
		if value == "-" {
			delete(object, name)
		}
	}
	if base == "" && more == "" {
		return ""
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// compare compares an answer with the wanted members of a record, or the wanted outcome of a
// refusal.
func compare(t *testing.T, want string, status int, answer map[string]any) {
	t.Helper()
	if !strings.HasPrefix(want, "{") {
		if diff := gocmp.Diff(want, outcome(status, answer)); diff != "" {
			t.Errorf("(-want +got)\n%s%v", diff, answer)
		}
		return
	}
	var wanted any
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatalf("%v in %s", err, want)
	}
	if status >= 300 {
		t.Fatalf("refused: %s %v", outcome(status, answer), answer)
	}
	if diff := gocmp.Diff(wanted, pick(answer, wanted)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// outcome writes a refusal in a line: status, code, parameters, and "type" if a parameter has the
// wrong JSON type.
func outcome(status int, answer map[string]any) string {
	text := fmt.Sprint(status, " ", answer["code"])
	data, _ := answer["data"].(map[string]any)
	switch about := data["params"].(type) {
	case []any:
		for _, name := range about {
			text += fmt.Sprint(" ", name)
		}
	case map[string]any:
		var names []string
		for name := range about {
			names = append(names, name)
		}
		slices.Sort(names)
		text += " " + strings.Join(names, " ")
	}
	if _, ok := data["details"].(map[string]any); ok {
		text += ", type"
	}
	return text
}

// pick reduces got to the members that want has.
func pick(got, want any) any {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return got
		}
		picked := map[string]any{}
		for name, value := range want {
			if there, ok := object[name]; ok {
				picked[name] = pick(there, value)
			} else {
				picked[name] = absent
			}
		}
		return picked
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return got
		}
		picked := make([]any, len(list))
		for i := range list {
			picked[i] = pick(list[i], want[i])
		}
		return picked
	}
	return got
}

// changes returns the members of after that differ from before, without derived dates and
// modified.
func changes(before, after map[string]any) map[string]any {
	changed := map[string]any{}
	for name, value := range after {
		if strings.HasPrefix(name, "modified") || strings.HasSuffix(name, "_date_details") {
			continue
		}
		if !gocmp.Equal(before[name], value) {
			changed[name] = value
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			changed[name] = absent
		}
	}
	return changed
}

// playChanges plays each row as an update on a server of its own, and compares all changes of the
// record. A refusal must change nothing.
func playChanges(t *testing.T, given []string, path string, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			d := open(t, given...)
			_, before := d.ask("", "POST", path, "{}")
			method, path, _ := strings.Cut(cmp.Or(r.ask, "PATCH "+path), " ")
			status, after := d.ask(r.as, method, path, r.send)
			if status >= 300 {
				compare(t, r.want, status, after)
				return
			}
			var wanted any
			if err := json.Unmarshal([]byte(r.want), &wanted); err != nil {
				t.Fatalf("%v in %q, answered %v", err, r.want, after)
			}
			got := any(changes(before, after))
			if members, ok := wanted.(map[string]any); ok &&
				len(members) == len(got.(map[string]any)) {
				got = pick(got, wanted)
			}
			if diff := gocmp.Diff(wanted, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

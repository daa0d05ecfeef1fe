package adopt

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/write/intake"
)

// An original is a stand-in of a site with The Events Calendar, whose free edition tells states of
// events only beside its lists, and whose passwords hide contents as the reference has it.
type original struct {
	posts      bool         // WordPress tells of its posts
	json       bool         // single events have json_ld
	passwords  bool         // an editor reads passwords
	mayEdit    bool         // the login may
	unreliable bool         // WordPress is busy once
	asked      atomic.Int64 // for posts
}

const (
	dates = `"start_date":"2041-05-10 20:00:00","end_date":"2041-05-10 22:00:00","timezone":"UTC",
		"date_utc":"2020-01-01 10:00:00","status":"publish"`
	blank = `"description":"","excerpt":"","cost":"","website":"","image":false,"all_day":null,
		"show_map":null,"show_map_link":null,"hide_from_listings":null,"sticky":null,"featured":null,
		"categories":[],"tags":[],"venue":[],"organizer":[]`
	whole = `"description":"<p>Behind the door</p>","all_day":false,"cost":"$5","venue":[],
		"organizer":[]`
	cellar = `{"id":11,"global_id":"old.example?id=11","status":"publish","slug":"cellar","venue":[],
		"url":"http://old.example/venue/cellar/","address":"","show_map":null,"show_map_link":null}`
	guild = `{"id":22,"global_id":"old.example?id=22","status":"publish","slug":"guild",
		"organizer":[],"phone":"","image":false}`
	choir = `{"id":21,"global_id":"old.example?id=21","status":"publish","slug":"choir",
		"date_utc":"2020-01-01 10:00:00","modified_utc":"2020-01-01 10:00:00","organizer":"Choir"}`
	concert = `"all_day":false,"venue":` + cellar + `,"organizer":[` + choir + `,` + guild + `]`
)

// event returns an event of the site; members are those that differ.
func event(id int, title, members string) string {
	return fmt.Sprintf(
		`{"id":%d,"global_id":"old.example?id=%[1]d","title":"%s","slug":"%s",
			"url":"http://old.example/event/%[3]s/",%s,%s}`,
		id,
		title,
		strings.ToLower(title),
		dates,
		members,
	)
}

func (o *original) serve(t *testing.T) string {
	t.Helper()
	return front(t, "http://127.0.0.1:1", func(w http.ResponseWriter, r *http.Request) bool {
		_, _, isEditor := r.BasicAuth()
		isEditor = isEditor && o.mayEdit && r.URL.Query().Get("context") == "edit"
		path := strings.TrimPrefix(r.URL.Path, "/wp-json/")
		secret := event(34, "Secret", blank)
		if isEditor {
			secret = event(34, "Secret", whole)
		}
		id, isSingle := strings.CutPrefix(path, "tribe/events/v1/events/")
		switch {
		case path == "tribe/events/v1/venues":
			fmt.Fprintf(w, `{"total":1,"total_pages":1,"venues":[%s]}`, cellar)
		case path == "tribe/events/v1/events":
			fmt.Fprintf(w, `{"total":4,"total_pages":1,"events":[%s]}`, strings.Join([]string{
				event(31, "Concert", concert),
				event(32, "Fair", `"all_day":false`), event(33, "Market", `"all_day":false`), secret,
			}, ","))
		case isSingle && o.json:
			state := map[string]string{"31": "Scheduled", "32": "Cancelled", "33": "Postponed"}[id]
			fmt.Fprintf(w, `{"json_ld":{"eventStatus":"https://schema.org/Event%s"}}`, state)
		case strings.HasPrefix(path, "tribe/events/v1/"):
			fmt.Fprintf(w, `{"%s":[],"total":0,"total_pages":0}`, path[len("tribe/events/v1/"):])
		case path == "wp/v2/tribe_events" && o.unreliable && o.asked.Add(1) == 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case path == "wp/v2/tribe_events" && o.posts:
			password := ""
			if isEditor && o.passwords {
				password = `,"password":"sesame"`
			}
			fmt.Fprintf(w, `[{"id":31,"meta":{"_tribe_events_status":""},"class_list":["post-31"]},
				{"id":32,"meta":{"_tribe_events_status":"canceled","_tribe_events_status_reason":"Rain"},"class_list":[]},
				{"id":33,"class_list":["tribe-events-status__list-event-postponed"]},
				{"id":34,"meta":{"_tribe_events_status":""}%s}]`, password)
		case path == "wp/v2/tribe_events":
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"code":"rest_cannot_view"}`)
		default:
			fmt.Fprint(w, "<html>")
		}
		return true
	})
}

// States of events come along; nothing that a password hides is published, and it does not end an
// adoption.
func TestOriginal(t *testing.T) {
	t.Parallel()
	states := []string{"concert scheduled ", "fair canceled Rain", "market postponed "}
	withoutReason := []string{"concert scheduled ", "fair canceled ", "market postponed "}
	const missing = "400 rest_invalid_param"
	const left = " is left out: a password hides its content"
	for name, test := range map[string]struct {
		site  *original
		login bool
		here  []string
		code  string // of the protected event, to strangers
		told  []string
	}{
		"WordPress is open": {
			&original{posts: true}, false, states, missing,
			[]string{
				"events: 34 http://old.example/event/secret/" + left,
				"venues: 11 http://old.example/venue/cellar/" + left,
			},
		},
		"WordPress is busy": {
			&original{posts: true, unreliable: true}, false, states, missing, nil,
		},
		"WordPress is closed": {
			&original{json: true}, false, withoutReason, missing, nil,
		},
		"all is closed": {
			&original{}, false,
			[]string{"concert scheduled ", "fair scheduled ", "market scheduled "}, missing,
			[]string{"cancelled or postponed: on its page"},
		},
		"a login": {
			&original{posts: true, passwords: true, mayEdit: true}, true,
			append(slices.Clone(states), "secret scheduled "), "403 event-password-protected",
			[]string{"/venue/cellar/" + left},
		},
		"a login, and no passwords": {
			&original{posts: true, mayEdit: true}, true, states, "403 event-not-accessible",
			[]string{"passwords that the account cannot read: these events are private here"},
		},
		"a login that may not edit": {
			&original{posts: true, passwords: true}, true, states, missing,
			[]string{"/event/secret/" + left},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := test.site.serve(t)
			ours := almanactest.Start(t, almanactest.Options{NoLimits: true})
			dir := t.TempDir()
			args := []string{"-to", ours.URL, "-token", ours.Token, "-strict"}
			if test.login {
				file := filepath.Join(dir, "password")
				if err := os.WriteFile(file, []byte("abcd efgh"), 0o600); err != nil {
					t.Fatal(err)
				}
				args = append(args, "-login", "ann", "-password-file", file)
			}
			for n := range 2 {
				before := ours.Store.Seq()
				archive := filepath.Join(dir, strconv.Itoa(n))
				stdout, stderr, err := adoptNow(
					t, t.Context(), append(args, "-archive", archive, site)...)
				if err != nil {
					t.Fatalf("%v\n%s%s", err, stdout, stderr)
				}
				for _, told := range test.told {
					if !strings.Contains(stdout+stderr, told) {
						t.Errorf("%q is not told:\n%s%s", told, stdout, stderr)
					}
				}
				if after := ours.Store.Seq(); n > 0 && after != before {
					t.Errorf("the second adoption made %d transactions", after-before)
				}
			}
			var here []string
			list := fetch(t, ours.URL+v1+"/events?start_date=2041-01-01&end_date=2042-01-01")
			for _, record := range list["events"].([]any) {
				e := record.(map[string]any)
				reason, _ := e["event_status_reason"].(string)
				here = append(here, fmt.Sprint(e["slug"], " ", e["event_status"], " ", reason))
			}
			if diff := cmp.Diff(test.here, here); diff != "" {
				t.Error(diff)
			}
			answer, err := http.Get(ours.URL + v1 + "/events/by-slug/secret")
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			var refusal struct{ Code string }
			err = json.NewDecoder(answer.Body).Decode(&refusal)
			if code := fmt.Sprint(answer.StatusCode, " ", refusal.Code); err != nil || code != test.code {
				t.Errorf("a stranger gets %s, %v, want %s", code, err, test.code)
			}
			if strings.HasSuffix(test.code, "protected") {
				whole := fetch(t, ours.URL+v1+"/events/by-slug/secret?password=sesame")
				if whole["description"] != "<p>Behind the door</p>" || whole["cost"] != "$5" {
					t.Errorf("the protected event is %v", whole)
				}
			}
			offline := filepath.Join(dir, "offline")
			importArchive(t, filepath.Join(dir, "0"), offline)
			again, _ := stored(t, offline)
			if diff := cmp.Diff(content(t, ours.URL), again); diff != "" {
				t.Errorf("the archive alone has other records (-site, +archive)\n%s", diff)
			}
			concert := fetch(t, ours.URL+v1+"/events/by-slug/concert")
			if organizers, _ := concert["organizer"].([]any); len(organizers) != 1 {
				t.Errorf("the organizers are %v", organizers)
			}
		})
	}
}

// An archive that an older version began may have records whose content is hidden among the others.
func TestOlderArchive(t *testing.T) {
	t.Parallel()
	for record, want := range map[string]bool{
		event(34, "Secret", blank):              false,
		event(31, "Concert", `"all_day":false`): true,
	} {
		table := newTable(&archive{})
		item := intake.Item{Kind: "events", Record: []byte(record)}
		if got := table.see(item); got != want {
			t.Errorf("%s is to be added: %v", record, got)
		}
	}
}

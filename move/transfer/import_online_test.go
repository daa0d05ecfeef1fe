package transfer_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Where people take part online comes along in each form that has it, goes when a newer version has
// it no more, and is no unknown member; that an event is online without an address is one.
func TestImportOnline(t *testing.T) {
	t.Parallel()
	const link = "https://meet.example/a?b=1&c=2"
	from := startServer(t, "-memory", "-url", "http://from.example")
	c := from.Admin()
	made := map[string]any{}
	text := c.Must(t, "POST", v1+"/events", `{"title":"Talk","virtual_url":"`+link+`",`+
		`"start_date":"2031-05-01 19:00","end_date":"2031-05-01 20:00"}`)
	if err := json.Unmarshal([]byte(text), &made); err != nil {
		t.Fatal(err)
	}
	c.Must(t, "POST", v1+"/events", `{"title":"Course","virtual_url":"`+link+`","recurrence":{"rule":"FREQ=WEEKLY;COUNT=2"},`+
		`"start_date":"2031-05-02 19:00","end_date":"2031-05-02 20:00"}`)
	online := func(dir string) (found []string) {
		s, err := store.Open(store.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		_ = s.View(func(v *store.View) error {
			for r := range v.Each(store.Events) {
				if e := r.(*store.Event); e.VirtualURL != "" {
					found = append(found, fmt.Sprint(e.Title, " ", e.VirtualURL, strings.Repeat(" and a venue", len(e.Venues))))
				}
			}
			return nil
		})
		slices.Sort(found)
		return found
	}
	all := []string{"Course " + link, "Course " + link, "Talk " + link}
	const window = "?start_date=2031-01-01&end_date=2032-01-01&per_page=50"
	dirs := map[string]string{}
	for _, path := range []string{v1 + "/events", v1 + "/events.ics", v1 + "/events.csv"} {
		dirs[path] = t.TempDir()
		file := tempFile(t, strings.ReplaceAll(path, "/", "-"), c.Must(t, "GET", path+window, ""))
		_, _, stderr := runImport(t, "-data", dirs[path], file)
		if got := online(dirs[path]); cmp.Diff(all, got) != "" {
			t.Errorf("%s: %v\n%s", path, got, stderr)
		}
		wantSums(t, dirs[path], path+" again", 0, 0, file)
	}
	c.Must(t, "PATCH", fmt.Sprint(v1, "/events/", made["id"]), `{"virtual_url":"","title":"Talk"}`)
	for path, dir := range dirs {
		mustImport(t, "-data", dir, tempFile(t, strings.ReplaceAll(path, "/", "-"), c.Must(t, "GET", path+window, "")))
		if got := online(dir); cmp.Diff(all[:2], got) != "" {
			t.Errorf("%s: taken away: %v", path, got)
		}
	}

	dir := t.TempDir()
	for second, tt := range []struct {
		members, want string
		isUnknown     bool
	}{
		{`"is_virtual":true,"virtual_url":"` + link + `","virtual_video_source":"video"`, link, false},
		{`"is_virtual":false,"virtual_url":null,"virtual_video_source":""`, "", false},
		{`"is_virtual":true,"virtual_url":"meet.example/a","virtual_video_source":""`, "http://meet.example/a", false},
		{`"ticketed":false`, "http://meet.example/a", false}, // a site without the extension
		{`"is_virtual":false,"virtual_url":"` + link + `"`, "", false},
		{`"is_virtual":true,"virtual_url":"","virtual_video_source":"video"`, "", true},
		{`"is_virtual":true,"virtual_url":" HTTPS://Meet.example/a "`, "HTTPS://Meet.example/a", false},
		{`"is_virtual":true,"virtual_url":"Call +49 30 1234"`, "", true},
		{`"is_virtual":true,"virtual_url":"mailto:a@example.org"`, "", true},
	} {
		file := tempFile(t, "list.json", fmt.Sprintf(`{"events":[{"id":7,"global_id":"old.example?id=7","title":"Talk","status":"publish",
			"start_date":"2031-05-01 19:00:00","end_date":"2031-05-01 20:00:00","timezone":"UTC",
			"modified_utc":"2030-01-01 00:00:%02d",%s}]}`, second, tt.members))
		exit, _, stderr := runImport(t, "-data", dir, file)
		want := []string(nil)
		if tt.want != "" {
			want = []string{"Talk " + tt.want}
		}
		if got := online(dir); exit != 0 || cmp.Diff(want, got) != "" || strings.Contains(stderr, "virtual") != tt.isUnknown {
			t.Errorf("%s: %d, %v\n%s", tt.members, exit, got, stderr)
		}
	}
	file := tempFile(t, "script.json", `{"events":[{"title":"Bad","virtual_url":"javascript:alert(1)","start_date":"2031-05-01 19:00:00",`+
		`"end_date":"2031-05-01 20:00:00","timezone":"UTC"}]}`)
	if exit, stdout, stderr := runImport(t, "-data", dir, file); exit == 0 ||
		!strings.Contains(stdout+stderr, "virtual_url must be an address") {
		t.Errorf("a script: %d\n%s%s", exit, stdout, stderr)
	}
	calendar := calendarFile(t, vevent("a@x.example", "DTSTART:20310501T190000Z\r\nSUMMARY:Talk\r\n"+
		"CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:+1-555-0100\r\nCONFERENCE;VALUE=URI:"+link+"\r\n"))
	dir = t.TempDir()
	mustImport(t, "-data", dir, calendar)
	if got := online(dir); cmp.Diff(all[2:], got) != "" {
		t.Errorf("a conference: %v", got)
	}
}

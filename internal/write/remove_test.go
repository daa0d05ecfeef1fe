// Tests of removals for good.

package write_test

import (
	"net/http"
	"strings"
	"testing"

	"almanac/internal/people/account"
)

// An author does not remove a category from records of others, and the refusal tells how many they
// are, as far as the author sees them.
func TestRemoveUsedTerm(t *testing.T) {
	t.Parallel()
	const music, event = `POST /categories {"name":"Music"}`, `"start_date":"2031-05-10","end_date":"2031-05-10","categories":[1]`
	const visible, hidden = "records of others that name it: ", "records name it that are hidden from you"
	public := `POST /events {"title":"A",` + event + `}`
	draft := `POST /events {"title":"B","status":"draft",` + event + `}`
	for _, tt := range []struct {
		name, own string // own is an event of the author
		given     []string
		as        account.Role
		want      []string // parts of the message; none: it is removed
	}{
		{name: "unused"},
		{name: "used by the author", own: `{"title":"Own",` + event + `}`},
		{
			name:  "used by others",
			own:   `{"title":"Own",` + event + `}`,
			given: []string{public, public, draft},
			want:  []string{visible + "2", hidden},
		},
		{name: "used by a draft of others", given: []string{draft}, want: []string{hidden}},
		{
			name:  "used by an event of others in the trash",
			given: []string{public, "DELETE /events/1"},
			want:  []string{hidden},
		},
		{
			name:  "used by a series of others",
			want:  []string{visible + "3"},
			given: []string{`POST /events {"title":"C","recurrence":"FREQ=DAILY;COUNT=2",` + event + `}`},
		},
		{name: "removed by an editor", given: []string{public, draft}, as: account.Editor},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := open(t, append([]string{music}, tt.given...)...)
			as := account.Author
			if tt.as != "" {
				as = tt.as
			}
			if tt.own != "" {
				if status, answer := d.ask(account.Author, "POST", "/events", tt.own); status != http.StatusCreated {
					t.Fatal(status, answer)
				}
			}
			status, answer := d.ask(as, "DELETE", "/categories/1", "")
			message, _ := answer["message"].(string)
			if want := map[bool]int{
				true:  http.StatusOK,
				false: http.StatusForbidden,
			}[tt.want == nil]; status != want {
				t.Fatalf("answered %d %v, want %d", status, answer, want)
			}
			for _, part := range []string{visible, hidden} {
				if wanted := strings.Contains(strings.Join(tt.want, ""), part); strings.Contains(
					message,
					part,
				) != wanted {
					t.Errorf("the message is %q, want %q in it: %v", message, part, wanted)
				}
			}
			for _, part := range tt.want {
				if answer["code"] != "rest_cannot_delete" || !strings.Contains(message, part) {
					t.Errorf("answered %v, want %q in it", answer, part)
				}
			}
			status, answer = d.ask("", "GET", "/categories/1", "")
			if want := map[bool]int{
				true:  http.StatusBadRequest,
				false: http.StatusOK,
			}[tt.want == nil]; status != want {
				t.Errorf("afterwards the category is %d %v, want %d", status, answer, want)
			}
			if tt.want != nil && tt.name == "used by others" && answer["count"] != 3.0 {
				t.Errorf("afterwards %v events have the category", answer["count"])
			}
		})
	}
}

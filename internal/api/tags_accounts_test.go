package api

import (
	"net/http"
	"testing"
	"time"

	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/store"
)

// The entity tag of a list is that of one account: another with the same role is
// not told that nothing has changed, also when the server was started again and
// neither has written since.
func TestTagsOfAccounts(t *testing.T) {
	t.Parallel()
	o := store.Options{Dir: t.TempDir(), Now: func() time.Time { return describedNow }}
	st, err := store.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	start := store.WallOf(describedNow.AddDate(0, 1, 0))
	err = st.Update(3, func(tx *store.Tx) error {
		plan := store.Post{Author: 3, Status: store.Draft, Slug: "plan"}
		return tx.Put(&store.Event{Post: plan, Title: "Plan", Start: start, End: start + 3600})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if st, err = store.Open(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Check(); err != nil {
			t.Error(err)
		}
		st.Close()
	})
	accounts, err := account.Memory(
		account.User{
			Account: account.Account{
				ID:    3,
				Login: "ann",
				Role:  account.Author,
			},
			Token: "ann",
		},
		account.User{
			Account: account.Account{
				ID:    4,
				Login: "bob",
				Role:  account.Author,
			},
			Token: "bob",
		})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{
		Store:    st,
		Accounts: accounts,
		Clock:    caltime.Frozen(describedNow),
	}, listed)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(token, tag string) (status int, total float64, theirs string) {
		w := apitest.Serve(
			s,
			"GET",
			"http://cal.example.org/cal/events/v1/events?status=draft",
			"",
			"Authorization",
			apitest.Bearer(token),
			"If-None-Match",
			tag,
		)
		if w.Code == http.StatusOK {
			total = apitest.Value[map[string]any](t, w.Body.Bytes())["total"].(float64)
		}
		return w.Code, total, w.Header().Get("ETag")
	}
	status, total, tag := ask("ann", "")
	if status != http.StatusOK || total != 1 || tag == "" {
		t.Fatalf("their author is answered %d with %v drafts and the tag %q", status, total, tag)
	}
	if status, _, _ := ask("ann", tag); status != http.StatusNotModified {
		t.Errorf("their author, who has them, is answered %d", status)
	}
	if status, total, _ := ask("bob", tag); status != http.StatusOK || total != 0 {
		t.Errorf("another author is answered %d with %v drafts", status, total)
	}
}

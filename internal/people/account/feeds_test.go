package account_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/people/account"

	"github.com/google/go-cmp/cmp"
)

// A secret feed opens what its account may see until it is revoked, expires, or the account is
// disabled or removed. Its secret is no token, and a token is no secret of a feed.
func TestFeeds(t *testing.T) {
	t.Parallel()
	st := taken(t, users)
	now := noon
	uses := filepath.Join(t.TempDir(), "used.json")
	d := recorder(st, uses, &now, &bytes.Buffer{})
	secrets := map[string]string{}
	for _, f := range []struct {
		user, name, called, filter string
		expires                    time.Time
	}{
		{"Zoe", "choir", "choir", "tags=choir&status=any", time.Time{}},
		{"zoe@example.org", "", "feed-1", "", noon.Add(time.Hour)}, {"mute", "choir", "choir", "", time.Time{}},
	} {
		change(t, st, func(u *account.Users) error {
			secret, called, err := u.AddFeed(f.user, f.name, f.filter, f.expires)
			if secrets[f.user] = secret; called != f.called || len(secret) != 64 {
				t.Errorf("a feed %q with the secret %q", called, secret)
			}
			return err
		})
	}
	type opened struct {
		Login, Filter string
		OK            bool
	}
	expect := func(what string, want map[string]opened) {
		t.Helper()
		got := map[string]opened{}
		for user, secret := range secrets {
			a, filter, ok := d.Feed(secret)
			got[user] = opened{a.Login, filter, ok}
			if _, err := d.Authenticate("Bearer " + secret); !errors.Is(
				err,
				account.ErrUnknownToken,
			) {
				t.Errorf("%s: the secret of a feed as a token: %v", what, err)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", what, diff)
		}
	}
	choir := opened{"Zoe", "tags=choir&status=any", true}
	soon := opened{"Zoe", "", true}
	mute := opened{"mute", "", true}
	expect("all", map[string]opened{"Zoe": choir, "zoe@example.org": soon, "mute": mute})
	for _, token := range []string{"first", "abcd EFGH 1234", "", " ", "gone"} {
		if a, _, ok := d.Feed(token); ok {
			t.Errorf("%q opens a feed of %v", token, a)
		}
	}
	if err := account.Change(st, noon, func(u *account.Users) error {
		_, _, err := u.AddFeed("Zoe", "choir", "", time.Time{})
		return err
	}); err == nil || err.Error() != `user "Zoe" has a feed "choir" already: revoke it, or choose another name` {
		t.Errorf("a name that is taken: %v", err)
	}
	now = noon.Add(time.Hour)
	expect("expired", map[string]opened{"Zoe": choir, "zoe@example.org": {}, "mute": mute})
	change(t, st, func(u *account.Users) error { _, err := u.Disable("zoe", false); return err })
	expect("disabled", map[string]opened{"Zoe": {}, "zoe@example.org": {}, "mute": mute})
	change(t, st, func(u *account.Users) error { _, err := u.Enable("zoe"); return err })
	expect("enabled", map[string]opened{"Zoe": choir, "zoe@example.org": {}, "mute": mute})
	change(
		t,
		st,
		func(u *account.Users) error { _, err := u.SetRole("Zoe", account.Subscriber, false); return err },
	)
	if a, _, _ := d.Feed(secrets["Zoe"]); a.Role != account.Subscriber {
		t.Errorf("after a change of the role: %v", a)
	}
	now = noon.Add(3*time.Hour + time.Minute)
	expect("later", map[string]opened{"Zoe": choir, "zoe@example.org": {}, "mute": mute})
	d.Close()
	times, err := account.ReadUses(uses)
	if err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	for _, l := range account.List(*st.Accounts(), times, now) {
		if l.Feeds != nil {
			_ = json.NewEncoder(&shown).Encode(l.Feeds)
		}
	}
	want := `[{"name":"choir","created":"2031-05-10T12:00:00Z","expired":false,"used":"2031-05-10T15:00:00Z",` +
		`"filter":"tags=choir\u0026status=any"},` +
		`{"name":"feed-1","created":"2031-05-10T12:00:00Z","expires":"2031-05-10T13:00:00Z","expired":true,"used":"2031-05-10T12:00:00Z"}]
[{"name":"choir","created":"2031-05-10T12:00:00Z","expired":false,"used":"2031-05-10T15:00:00Z"}]
`
	if diff := cmp.Diff(want, shown.String()); diff != "" {
		t.Errorf("listed (-want, +got):\n%s", diff)
	}

	text := change(t, st, func(u *account.Users) error { return u.RevokeFeed("ZOE", "choir") })
	expect("revoked", map[string]opened{"Zoe": {}, "zoe@example.org": {}, "mute": mute})
	if strings.Contains(text, secrets["mute"]) || !strings.Contains(text, sum(secrets["mute"])) ||
		strings.Contains(text, sum(secrets["Zoe"])) {
		t.Errorf("the store has the wrong secrets: %s", text)
	}
	if err := account.Change(st, noon, func(u *account.Users) error { return u.RevokeFeed("Zoe", "choir") }); !errors.Is(
		err,
		account.ErrNoFeed,
	) ||
		!strings.Contains(err.Error(), `"choir" of user "Zoe"; there are feed-1`) {
		t.Errorf("revoked again: %v", err)
	}
	change(t, st, func(u *account.Users) error { _, err := u.Remove("mute", false); return err })
	expect("removed", map[string]opened{"Zoe": {}, "zoe@example.org": {}, "mute": {}})
}

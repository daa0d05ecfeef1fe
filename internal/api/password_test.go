// Guessing passwords of events, and what is in no log.

package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

const (
	wrong   = "event-password-protected"
	tooMany = "rest_too_many_requests"
)

// locked returns events with passwords, whose descriptions are their titles.
func locked(passwords ...string) []*store.Event {
	var events []*store.Event
	for i, password := range passwords {
		title := fmt.Sprintf("concert %d", i+1)
		events = append(events, &store.Event{
			Post: store.Post{
				Description: title,
			},
			Title:    title,
			Password: password,
		})
	}
	return events
}

// opened returns the descriptions in a list, without those that are blank.
func opened(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var list struct {
		Events []struct{ Description string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	var all []string
	for _, e := range list.Events {
		if text := strings.TrimSuffix(strings.TrimPrefix(e.Description, "<p>"), "</p>"); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, ", ")
}

// Ten wrong passwords at once, then one every six seconds. While there is none left a right one is
// refused too, so that the answer tells nothing; a repeated wrong one is answered, as it tells
// nothing new; and guesses of anonymous callers do not touch accounts.
func TestGuesses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := guard(t, almanactest.Options{}, locked("right", "other")...)
		read := func(from, token, password string) *httptest.ResponseRecorder {
			return g.ask(from, token, "GET", "/events/1?password="+password, "")
		}
		for i := range 30 {
			expect(t, fmt.Sprint("right ", i), read(here, "", "right"), 200, "", "")
		}
		for i := range 10 {
			expect(
				t,
				fmt.Sprint("guess ", i),
				read(here, "", fmt.Sprint("guess", i)),
				403,
				wrong,
				"",
			)
			expect(
				t,
				fmt.Sprint("guess again ", i),
				read(here, "", fmt.Sprint("guess", i)),
				403,
				wrong,
				"",
			)
		}
		expect(t, "one more", read(here, "", "guess10"), 429, tooMany, "6")
		expect(t, "the right one", read(here, "", "right"), 429, tooMany, "6")
		expect(t, "one of before", read(here, "", "guess3"), 403, wrong, "")
		expect(
			t,
			"another event",
			g.ask(here, "", "GET", "/events/by-slug/x?password=guess3", ""),
			400,
			"rest_invalid_param",
			"",
		)
		expect(
			t,
			"the password of another event, in a list",
			g.ask(here, "", "GET", "/events?starts_after=2000-01-01&password=other",
				""),
			429,
			tooMany,
			"6",
		)
		expect(
			t,
			"a list without a password",
			g.ask(here, "", "GET", "/events?starts_after=2000-01-01", ""),
			200,
			"",
			"",
		)
		expect(t, "from elsewhere", read(there, "", "right"), 200, "", "")
		expect(t, "with an account", read(here, g.token, "right"), 200, "", "")
		for i := range 10 {
			expect(
				t,
				fmt.Sprint("guess with an account ", i),
				read(fmt.Sprintf("192.0.2.%d", 10+i), g.token, fmt.Sprint("account", i)),
				403,
				wrong,
				"",
			)
		}
		expect(
			t,
			"one more with the account, from elsewhere",
			read("192.0.2.99", g.token, "account10"),
			429,
			tooMany,
			"6",
		)
		time.Sleep(6*time.Second - 1)
		expect(t, "too early", read(here, "", "right"), 429, tooMany, "1")
		time.Sleep(1)
		expect(t, "in time", read(here, "", "right"), 200, "", "")
		expect(t, "again, as that was no guess", read(here, "", "guess11"), 403, wrong, "")
		expect(t, "one more", read(here, "", "right"), 429, tooMany, "6")

		g = guard(t, almanactest.Options{NoLimits: true}, locked("right")...)
		for i := range 50 {
			expect(
				t,
				fmt.Sprint("without limits, guess ", i),
				read(here, "", fmt.Sprint("guess", i)),
				403,
				wrong,
				"",
			)
		}
	})
}

// While somebody guesses, everybody at the same address waits, also a guest that was let in
// before; a minute after the guessing has ended the guest is let in, as often as it asks, and
// guesses of an hour are as many as the limit says.
func TestGuests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := guard(t, almanactest.Options{}, locked("right")...)
		ask := func(password string) *httptest.ResponseRecorder {
			return g.ask(here, "", "GET", "/events/1?password="+password, "")
		}
		expect(t, "at first", ask("right"), 200, "", "")
		compared := 0
		for guess := range 3600 {
			if ask(fmt.Sprint("guess", guess)).Code == 403 {
				compared++
			}
			time.Sleep(time.Second)
		}
		if compared > 10+600 {
			t.Errorf("%d guesses were compared in an hour", compared)
		}
		for guess := range 10 {
			ask(fmt.Sprint("last", guess))
		}
		expect(t, "beside them", ask("right"), 429, tooMany, "6")
		time.Sleep(time.Minute)
		for range 30 {
			expect(t, "a minute later", ask("right"), 200, "", "")
		}
	})
}

// A password opens its events in a list. A mismatch with other events is no guess, however many
// they are.
func TestPasswordsInLists(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var passwords []string
		for i := range 44 {
			passwords = append(passwords, fmt.Sprint("other", i))
		}
		passwords[24], passwords[30] = "club", "club"
		g := guard(t, almanactest.Options{}, locked(passwords...)...)
		const path = "/events?starts_after=2000-01-01&per_page=50&password="
		const club = "concert 25, concert 31"
		for range 20 {
			for _, from := range []string{here, there} {
				if got := opened(t, g.ask(from, "", "GET", path+"club", "")); got != club {
					t.Fatalf("opened %q, want %q", got, club)
				}
			}
		}
		// One that opens nothing takes a token for each ten events: five of ten here.
		for _, password := range []string{"x", "y"} {
			for range 2 { // the second time nothing new is told
				if got := opened(t, g.ask(here, "", "GET", path+password, "")); got != "" {
					t.Errorf("a wrong one opened %q", got)
				}
			}
		}
		expect(t, "one more", g.ask(here, "", "GET", path+"z", ""), 429, tooMany, "6")

		// No list that others asked for tells who may not guess any more.
		for range 3 {
			if got := opened(t, g.ask(there, "", "GET", path+"other7", "")); got != "concert 8" {
				t.Errorf("opened %q", got)
			}
		}
		expect(
			t,
			"what another was shown",
			g.ask(here, "", "GET", path+"other7", ""),
			429,
			tooMany,
			"6",
		)
	})
}

// Callers with an account search the content of events that the password opens, and nobody finds
// more.
func TestSearchWithPassword(t *testing.T) {
	t.Parallel()
	events := locked("club", "other", "club", "")
	g := guard(t, almanactest.Options{}, events...)
	s := almanactest.Start(t, almanactest.Options{Store: g.store})
	for _, tt := range []struct {
		role  account.Role
		query string
		want  string
	}{
		{"", "search=concert", "concert 4"}, {"", "search=concert&password=club", "concert 4"},
		{account.Subscriber, "search=concert", "concert 4"}, {account.Subscriber, "search=concert&password=wrong", "concert 4"},
		{account.Subscriber, "search=concert&password=club", "concert 1, concert 3, concert 4"},
		{account.Subscriber, "search=concert&password=club&orderby=title&order=desc", "concert 4, concert 3, concert 1"},
		{account.Subscriber, "search=concert+-4&password=other", "concert 2"}, {account.Subscriber, `search="concert 3"&password=club`,
			"concert 3"},
		{account.Contributor, "search=concert&password=other&per_page=1&page=2", "concert 4"},
		{account.Contributor, "search=nothing&password=club", ""},
		{account.Contributor, "include=1,2&search=concert&password=other", "concert 2"},
		{account.Editor, "search=concert", "concert 1, concert 2, concert 3, concert 4"},
	} {
		status, body := apitest.Do(
			t,
			s.As(tt.role),
			"GET",
			s.URL+v1+"/events?starts_after=2000-01-01&"+strings.ReplaceAll(tt.query,
				" ", "%20"),
			"",
		)
		if got := strings.Join(sample.Names(body), ", "); status != 200 || got != tt.want {
			t.Errorf("%s as %q: %d %s, want %s", tt.query, tt.role, status, got, tt.want)
		}
	}
}

// One request computes a limited number of password hashes; they are cached, so that the next one
// comes further.
func TestTries(t *testing.T) {
	t.Parallel()
	keeper := almanactest.Options{NoLimits: true, MaxPerPage: 200}
	var events []*store.Event
	for range 150 {
		events = append(events, &store.Event{Title: "x", Password: sealed})
		events[len(events)-1].Password = strings.Replace(
			sealed,
			"AAAAAAAA",
			fmt.Sprintf("%08d", len(events)),
			1,
		)
	}
	g := guard(t, keeper, events...)
	var got []int
	for range 4 {
		w := g.ask(here, "", "GET", "/events?starts_after=2000-01-01&per_page=200&password=x", "")
		got = append(got, w.Code)
		if w.Code == 503 {
			expect(t, "a list of many", w, 503, "rest_too_busy", "1")
		}
	}
	if diff := cmp.Diff([]int{503, 503, 200, 200}, got); diff != "" {
		t.Errorf("150 passwords (-want, +got):\n%s", diff)
	}
}

// sealed is a hash of few iterations, whose salt may be changed.
const sealed = "$pbkdf2-sha256$i=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// The log says what was asked, and not what opens something.
func TestLogIsRedacted(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	accounts, err := account.Memory(account.User{
		Account: account.Account{
			ID:    1,
			Login: "a",
			Role:  account.Administrator,
		},
		Token: "hush-token",
	})
	if err != nil {
		t.Fatal(err)
	}
	h, err := api.New(api.Options{
		Store:    s,
		Accounts: accounts,
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{
			Level: slog.LevelDebug,
		})),
	},
		func(on func(string, *api.Op)) {
			on("GET /cal/events/v1/events", api.Events.List)
			on("POST /cal/events/v1/events", api.Events.Create)
		})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ method, query, body, want string }{
		{"GET", "page=1&search=jazz", "", "page=1&search=jazz"},
		{"GET", "password=hush&page=1", "", "password=***&page=1"},
		{"GET", "page=1;password=hush", "", "page=1&password=***"},
		{"GET", "p%61ssword=hush", "", "p%61ssword=***"},
		{"GET", "PASSWORD=hush&password[]=hush&password%5B0%5D=hush&password[a][b]=hush", "",
			"PASSWORD=***&password[]=***&password%5B0%5D=***&password[a][b]=***"},
		{"GET", "_wpnonce=hush&token=hush&access_token=hush&api_key=hush", "", "_wpnonce=***&token=***&access_token=***&api_key=***"},
		{"GET", "rest_route=/cal/events/v1/events?password=hush", "", "rest_route=***"},
		{"GET", "rest_route=%2Fcal%2Fevents%2Fv1%2Fevents%3Fpassword%3Dhush", "", "rest_route=***"},
		{"GET", "search=passwords", "", "search=passwords"},
		{"POST", "", `{"title":"x","start_date":"now","end_date":"now","password":"hush"}`, `""`},
		{"POST", "password=hush&title=x&start_date=now&end_date=now", "", "password=***&title=x&start_date=now&end_date=now"},
		{"GET", "", `{"password":"hush"}`, `""`},
	} {
		log.Reset()
		r := httptest.NewRequest(
			tt.method,
			"/cal/events/v1/events?"+tt.query,
			strings.NewReader(tt.body),
		)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer hush-token")
		h.ServeHTTP(httptest.NewRecorder(), r)
		if text := log.String(); strings.Contains(text, "hush") ||
			!strings.Contains(strings.ReplaceAll(text, `"`, ""),
				"query="+strings.ReplaceAll(tt.want, `"`, "")+" ") {
			t.Errorf(
				"%s %s is logged as %s, want the query %s",
				tt.method,
				tt.query,
				text,
				tt.want,
			)
		}
	}
}

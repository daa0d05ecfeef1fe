package respcache_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/account"
	"almanac/internal/render"
	"almanac/internal/respcache"
	"almanac/internal/respond"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// entry makes an entry of a text.
func entry(text string) *respcache.Entry {
	return &respcache.Entry{
		Fragment: respond.Fragment{
			Text: []byte(text),
		},
		Tag: respond.Tag([]byte(text)),
	}
}

// event names an event.
func event(id int64, single bool) respcache.Key {
	return respcache.RecordKey(1, &store.Event{
		Post: store.Post{
			Meta: store.Meta{
				ID: id,
			},
		},
	}, single, "")
}

// An entry is fresh in the version in which it was made, and in a later one once it is validated
// there.
func TestFresh(t *testing.T) {
	t.Parallel()
	one := &store.State{}
	two := store.State{}
	versions := []respcache.Version{{}, {
		State: one,
	}, {
		State:  one,
		Second: 1,
	}, {
		State:  &two,
		Second: 1,
	}, {
		State: &two,
	}}
	c := respcache.New(0)
	key := respcache.AnswerKey(1, "events.list", "page=2", account.Account{})
	c.Put(key, entry("text"), versions[1])
	for at := range versions {
		e := c.Get(key)
		if at > 1 {
			e.Validate(versions[at])
		}
		var fresh []bool
		for _, v := range versions {
			fresh = append(fresh, e.Fresh(v))
		}
		want := make([]bool, len(versions))
		want[max(1, at)] = true
		if diff := cmp.Diff(want, fresh); diff != "" {
			t.Errorf("validated in version %d, fresh (-want, +got):\n%s", at, diff)
		}
	}
}

// No caller gets what is another's, no site what names another, and no site without
// a number anything.
func TestKeys(t *testing.T) {
	t.Parallel()
	keys := []respcache.Key{
		respcache.AnswerKey(1, "events.list", "", account.Account{}),
		respcache.AnswerKey(2, "events.list", "", account.Account{}),
		respcache.AnswerKey(1, "venues.list", "", account.Account{}),
		respcache.AnswerKey(1, "events.list", "page=2", account.Account{}),
		respcache.AnswerKey(1, "events.list", "", account.Account{ID: 7}),
		respcache.AnswerKey(1, "events.list", "", account.Account{ID: 7, Role: account.Editor}),
		respcache.AnswerKey(1, "events.list", "editor ", account.Account{ID: 7}),
		event(7, false), event(8, false), event(7, true),
		respcache.RecordKey(1, &store.Venue{Post: store.Post{Meta: store.Meta{ID: 7}}}, false, ""),
	}
	c := respcache.New(0)
	for i, key := range keys {
		c.Put(key, entry(fmt.Sprint(i)), respcache.Version{})
	}
	for i, key := range keys {
		if e := c.Get(key); e == nil || string(e.Text) != fmt.Sprint(i) {
			t.Errorf("%+v: %v", key, e)
		}
	}
	nowhere := respcache.AnswerKey(0, "events.list", "", account.Account{})
	c.Put(nowhere, entry("text"), respcache.Version{})
	if e := c.Get(nowhere); e != nil {
		t.Errorf("of no site %q is remembered", e.Text)
	}
	none := respcache.New(-1)
	none.Put(keys[0], entry("text"), respcache.Version{})
	if e := none.Get(keys[0]); e != nil {
		t.Errorf("a cache of nothing remembers %q", e.Text)
	}
}

// Compressed forms are a part of the budget, whenever they are made.
func TestBudget(t *testing.T) {
	t.Parallel()
	const budget, size, most = 1 << 20, 4 << 10, 1 << 20 / (4 << 10)
	for name, grown := range map[string]int{"plain": 0, "compressed": 3 * size} {
		c := respcache.New(budget)
		for id := range int64(10 * most) {
			e := entry(strings.Repeat("x", size))
			c.Put(event(id, false), e, respcache.Version{})
			e.Grown(grown)
		}
		bytes := 0
		for id := range int64(10 * most) {
			if c.Get(event(id, false)) != nil {
				bytes += size + grown
			}
		}
		if bytes > budget || bytes < budget/2 {
			t.Errorf("%s: %d bytes are remembered in a budget of %d", name, bytes, budget)
		}
	}
}

// An answer whose body is that of a record holds the text also when the record has gone, so it
// counts.
func TestAnswersOfRecordsCount(t *testing.T) {
	t.Parallel()
	const size = 10_000
	c := respcache.New(1 << 20)
	record := entry(strings.Repeat("x", size))
	answer := &respcache.Entry{Tag: record.Tag, Answer: &respond.Response{Body: record.Body()}}
	c.Put(
		respcache.AnswerKey(1, "events.read", "7", account.Account{}),
		answer,
		respcache.Version{},
	)
	if got := c.Stats().Bytes; got < 2*size {
		t.Errorf("%d bytes are counted for an answer of %d, and its compressed form", got, size)
	}
}

// Whatever an entry holds counts, once.
func TestEverythingCounts(t *testing.T) {
	t.Parallel()
	const much = 10_000
	text := strings.Repeat("x", much)
	events := make([]*store.Event, much/8)
	var links render.Links
	for range much / 64 {
		links.Add(new(render.Links), &store.Venue{Post: store.Post{Image: 1}})
	}
	answer := func(keys ...string) *respond.Response { return &respond.Response{Keys: keys} }
	for name, tt := range map[string]struct {
		entry *respcache.Entry
		most  int64 // more would be counting it twice
	}{
		"text": {&respcache.Entry{
			Fragment: respond.Fragment{
				Text: []byte(text),
			},
		}, much},
		"HTML": {&respcache.Entry{
			HTML: text,
		}, much},
		"data": {&respcache.Entry{
			Data: text,
		}, much},
		"events": {&respcache.Entry{
			Events: events,
		}, much},
		"keys": {&respcache.Entry{
			Answer: answer(text),
		}, 2 * much},
		"links": {&respcache.Entry{
			Links: &links,
		}, much},
	} {
		c := respcache.New(1 << 20)
		c.Put(event(7, false), tt.entry, respcache.Version{})
		if got := c.Stats().Bytes; got < much/2 || got > tt.most+4096 ||
			name != "links" && got < much {
			t.Errorf("%s: %d bytes are counted for %d", name, got, much)
		}
	}
	sizes := make([]int64, 2)
	for i, e := range []*respcache.Entry{{Tag: "x"}, {Tag: "x", Answer: answer()}} {
		c := respcache.New(1 << 20)
		c.Put(event(7, false), e, respcache.Version{})
		sizes[i] = c.Stats().Bytes
	}
	if sizes[1] < sizes[0]+1024 {
		t.Errorf(
			"an answer counts %d bytes, and its tag alone %d: its fields take some kilobyte",
			sizes[1],
			sizes[0],
		)
	}
	asked := respcache.New(1 << 20)
	asked.Put(
		respcache.AnswerKey(1, "events.list", text, account.Account{}),
		&respcache.Entry{},
		respcache.Version{},
	)
	if got := asked.Stats().Bytes; got < much {
		t.Errorf("%d bytes are counted for a query of %d", got, much)
	}
}

package filters_test

// Searches that would take long.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"almanac/filters"
	"almanac/store"
)

// common makes a store of n events that hold 26 words each, but not side by side.
// They are protected, so that what reads one has to ask whether it may.
func common(tb testing.TB, n int) (s *store.Store, phrase string) {
	tb.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	var words []string
	for c := 'a'; c <= 'z'; c++ {
		words = append(words, strings.Repeat(string(c), 4))
	}
	phrase = strings.Join(words, " ")
	err = s.Update(1, func(tx *store.Tx) error {
		for i := range n {
			e := &store.Event{
				Post: store.Post{
					Status: store.Publish,
					Author: 1,
					Description: strings.Join(
						words[1:],
						" ",
					) + " aaaa" + strings.Repeat(
						" more",
						100,
					),
				},
				Title:    fmt.Sprint("Event ", i),
				Timezone: "UTC",
				Start:    1,
				End:      2,
				Password: "x",
			}
			if err := tx.Put(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return s, phrase
}

// leaving is the context of a client that leaves after some looks at it.
type leaving struct {
	context.Context
	looks int
}

func (l *leaving) Err() error {
	if l.looks--; l.looks < 0 {
		return context.Canceled
	}
	return nil
}

// A search reads no more than it may, and nothing more when its client has left; an unread text is
// no part of an answer.
func TestFinish(t *testing.T) {
	t.Parallel()
	const n = 2000
	s, phrase := common(t, n)
	read := 0
	find := func(search string, opens func(*store.Event) bool) *filters.Found {
		f := filters.AllEvents()
		f.Search = filters.ParseSearch(search)
		f.Opens = opens
		var found *filters.Found
		if err := s.View(func(v *store.View) error { found = f.Find(v, 0, 10); return nil }); err != nil {
			t.Fatal(err)
		}
		return found
	}
	opens := func(*store.Event) bool { read++; return true }
	signs := "aaaa more" // is in all of them
	if found := find(`"`+signs+`"`, opens); !found.Reads() ||
		found.Finish(t.Context(), math.MaxInt64) != nil ||
		found.Total != n ||
		read != n {
		t.Errorf("a phrase: %d found, %d read", found.Total, read)
	}
	read = 0
	if err := find(`"`+signs+`"`, opens).Finish(&leaving{t.Context(), 50}, math.MaxInt64); !errors.Is(
		err,
		context.Canceled,
	) ||
		read > 50 {
		t.Errorf("a client that left: %v after %d were read", err, read)
	}
	read = 0
	if err := find(`"`+signs+`"`, opens).Finish(t.Context(), n*600); !errors.Is(
		err,
		filters.ErrWide,
	) ||
		read != 0 {
		t.Errorf("too much: %v after %d were read", err, read)
	}
	if found := find(phrase, opens); found.Finish(t.Context(), n*700) != nil || found.Total != 0 {
		t.Errorf("a phrase that is nowhere: %d found", found.Total)
	}
	// Texts hidden from the viewer do not count: their size would be revealed.
	if found := find(phrase, nil); found.Finish(t.Context(), 1) != nil || found.Total != 0 {
		t.Errorf("a stranger: %d found", found.Total)
	}
	if found := find("aaaa zzzz", opens); !found.Finished() || found.Total != n {
		t.Errorf("words alone: %d found, finished: %t", found.Total, found.Finished())
	}
}

// A word that comes twice in a search of venues is looked for once.
func TestWordsOnce(t *testing.T) {
	t.Parallel()
	if got := filters.ParseWords("Big band big BAND, big"); !slices.Equal(
		got,
		filters.Words{"big", "band"},
	) {
		t.Errorf("%q", got)
	}
}

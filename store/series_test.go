// Series: their form on disk, what finds their events, and who sees that they change.

package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/store/record"
)

// weekly returns a series, and instance an event of one.
func weekly(status Status) *Series {
	return &Series{
		Event: Event{
			Post: Post{
				Author: 3,
				Status: status,
			},
			Title:    "Choir",
			Timezone: "UTC",
		},
		Rule: "FREQ=WEEKLY",
	}
}

func instance(series int64, start Wall, status Status) *Event {
	return &Event{
		Post: Post{
			Author: 3,
			Status: status,
		},
		Start: start,
		End:   start,
		Recurrence: &Recurrence{
			Series: series,
			Start:  start,
		},
	}
}

// Horizons are due 732 days ahead, also after the store was opened again. Horizons of
// series that have ended or have no more to come never are.
func TestSeriesDue(t *testing.T) {
	t.Parallel()
	m := newMemFiles()
	s, err := open(Options{}, m)
	must(t, err)
	horizon := WallOf(time.Date(2028, 2, 29, 12, 0, 0, 0, time.UTC))
	moment := time.Date(
		2026,
		2,
		27,
		12,
		0,
		0,
		0,
		time.UTC,
	) // two years and two days, as 2028 is a leap year: 732 days
	due := func(at time.Time, want ...int64) {
		t.Helper()
		var got []int64
		must(t, s.View(func(v *View) error {
			for _, series := range v.DueSeries(at) {
				got = append(got, series.ID)
			}
			return nil
		}))
		if s.Due(at) != (len(want) > 0) || !slices.Equal(got, want) {
			t.Errorf("due at %v: %t, %v, want %v", at, s.Due(at), got, want)
		}
	}
	ended := weekly(Trash)
	whole := weekly(Publish)
	later := weekly(Draft)
	first := weekly(Publish)
	ended.Horizon = horizon - 1
	later.Horizon = horizon + 86400
	first.Horizon = horizon
	put(t, s, ended, whole, later, first)
	for range 2 {
		due(moment.Add(-time.Second))
		due(moment, 4)
		due(moment.Add(24*time.Hour), 3, 4)
		must(t, s.Check(), s.Close())
		s, err = open(Options{}, m)
		must(t, err)
	}
	next := *first
	next.Horizon = WallOf(moment.AddDate(0, 25, 0))
	put(t, s, &next)
	due(moment)
	due(moment.Add(24*time.Hour), 3)
	must(t, s.Check(), s.Close())
}

// A series holds its events to it: neither may be without the other, and an instance
// is one event, or none.
func TestSeriesHoldTogether(t *testing.T) {
	t.Parallel()
	s := memory(t)
	put(
		t,
		s,
		weekly(Publish),
		instance(1, 3600, Publish),
		instance(1, 7200, Trash),
		instance(1, 7200, Trash),
		&Image{URL: "https://a.example/1.png"},
		&Venue{Name: "Hall"},
	)
	refused := func(r Record, want string) {
		t.Helper()
		err := s.Update(1, func(tx *Tx) error { return tx.Put(r) })
		if err == nil || !strings.Contains(err.Error(), want) || r.Key() != 0 && r.Key() != 3 {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	refused(instance(9, 3600, Publish), "a link leads to no record: series 9")
	refused(
		instance(1, 3600, Draft),
		"2 is the instance 1970-01-01 01:00:00 of the series 1 already",
	)
	back := instance(1, 3600, Publish)
	back.ID = 3
	refused(back, "2 is the instance")
	put(t, s, instance(1, 7200, Publish)) // beside two that are in the trash

	// Within a transaction, and when it fails.
	update(t, s, func(tx *Tx) error {
		err := tx.Try(func() error {
			gone := *tx.Event(2)
			gone.Status = Trash
			must(t, tx.Put(&gone), tx.Put(instance(1, 3600, Publish)))
			return errWanted
		})
		if tx.Instance(1, 3600).ID != 2 || len(tx.Instances(1)) != 4 {
			t.Errorf("%v: the instance is %+v", err, tx.Instance(1, 3600))
		}
		if err := tx.Remove(AllSeries, 1); err == nil ||
			!strings.Contains(err.Error(), "still links to it") {
			t.Errorf("a series with events was removed: %v", err)
		}
		return nil
	})

	// The template of a series counts as an event does.
	other := weekly(Draft)
	other.Event.Venues = []int64{6}
	other.Event.Image = 5
	other.Event.Parent = 2
	put(t, s, other)
	update(t, s, func(tx *Tx) error {
		for k, id := range map[Kind]int64{Venues: 6, Images: 5} {
			if err := tx.Remove(k, id); err == nil ||
				!strings.Contains(
					err.Error(),
					fmt.Sprint("series ", other.ID, " still links to it"),
				) {
				t.Errorf("%s %d: %v", k, id, err)
			}
		}
		if of := tx.SeriesOf(Events, 2); len(of) != 1 || of[0] != other {
			t.Errorf("series below an event: %v", of)
		}
		return nil
	})
	must(t, s.Check())
}

// The password of the template of a series is hashed, and no line for people has it.
func TestSeriesPassword(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{
		HashPassword: func(password string) string { return "sealed " + password },
	})
	must(t, err)
	defer s.Close()
	series := weekly(Publish)
	series.Event.Password = "secret"
	err = s.Update(1, func(tx *Tx) error {
		must(t, tx.Put(series))
		return errWanted
	})
	if !errors.Is(err, errWanted) || series.Event.Password != "secret" {
		t.Errorf("after an update that failed the password is %q", series.Event.Password)
	}
	put(t, s, series)
	if series.Event.Password != "sealed secret" {
		t.Errorf("the password is %q", series.Event.Password)
	}
	line, err := record.AppendJSON(nil, &Change{Series: []*Series{series}})
	must(t, err)
	if text := string(record.Redact(line)); strings.Contains(text, "secret") ||
		!strings.Contains(text, `"password":"…"`) {
		t.Errorf("for people it is %s", text)
	}
}

// Callers that see an event of a series see its rule: a change of the rule is a change for
// callers that see one of the events, and for nobody else.
func TestSeriesSeen(t *testing.T) {
	t.Parallel()
	s := memory(t)
	put(
		t,
		s,
		weekly(Draft),
		instance(1, 0, Draft),
		weekly(Draft),
		instance(3, 0, Publish),
		weekly(Private),
		weekly(Publish),
	)
	changed := func(id int64) (who string) {
		heads := func() (heads [3][32]byte) {
			must(t, s.View(func(v *View) error {
				heads = [3][32]byte{v.HeadFor(0), v.HeadFor(3), v.HeadFor(4)}
				return nil
			}))
			return heads
		}
		before := heads()
		update(t, s, func(tx *Tx) error {
			next := *tx.Series(id)
			next.Rule += ";INTERVAL=2"
			return tx.Put(&next)
		})
		for i, head := range heads() {
			if head != before[i] {
				who += []string{"everybody ", "author ", "other "}[i]
			}
		}
		return strings.TrimSpace(who)
	}
	for id, want := range map[int64]string{
		1: "author",
		3: "everybody author other",
		5: "author",
		6: "everybody author other",
	} {
		if got := changed(id); got != want {
			t.Errorf("a change of series %d is seen by %q, want %q", id, got, want)
		}
	}
}

// The history and the accounts of a directory know series.
func TestSeriesHistory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := Open(Options{Dir: dir})
	must(t, err)
	put(t, s, weekly(Draft))
	update(t, s, func(tx *Tx) error {
		next := *tx.Series(1)
		next.Rule = "FREQ=DAILY"
		next.Event.Status = Trash
		return tx.Put(&next)
	})
	must(t, s.Check(), s.Close())
	var told []string
	var past Past
	for transaction, err := range History(dir, nil) {
		must(t, err)
		effects, err := past.Effects(transaction)
		must(t, err)
		for _, e := range effects {
			told = append(
				told,
				fmt.Sprint(e.Verb, " ", e.Kind, " ", e.ID, " ", e.Name, " ", e.Members),
			)
		}
	}
	if want := []string{"created series 1 Choir []", "trashed series 1 Choir [event rule]"}; !slices.Equal(
		told,
		want,
	) {
		t.Errorf("told %q, want %q", told, want)
	}
}

// Scheduled series are published with their events.
func TestSeriesScheduled(t *testing.T) {
	t.Parallel()
	s := memory(t)
	series := weekly(Future)
	series.Event.Date = testTime
	event := instance(1, 0, Future)
	event.Date = testTime
	put(t, s, series, event)
	if s.Due(testTime.Add(-time.Second)) || !s.Due(testTime) {
		t.Error("due too early, or too late")
	}
	must(t, s.View(func(v *View) error {
		got := map[int64]bool{}
		for _, r := range v.Due(testTime) {
			got[r.Key()] = true
		}
		if !maps.Equal(got, map[int64]bool{1: true, 2: true}) {
			t.Errorf("due are %v", got)
		}
		return nil
	}))
}

// The model has the expected records of a store in plain maps, which are searched from end
// to end.

package store

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/store/record"
)

// modelAccounts is the highest number of an account.
const modelAccounts = 5

type model struct {
	records            [kinds]map[int64]Record
	nextPost, nextTerm int64
	seq                uint64
}

func newModel() *model {
	m := &model{nextPost: 1, nextTerm: 1}
	for k := range kinds {
		m.records[k] = map[int64]Record{}
	}
	return m
}

func (m *model) clone() *model {
	c := *m
	for k := range kinds {
		c.records[k] = maps.Clone(m.records[k])
	}
	return &c
}

func (m *model) next(k Kind) *int64 {
	switch k {
	case Categories, Tags:
		return &m.nextTerm
	case Accounts:
		next := int64(modelAccounts + 1)
		return &next
	}
	return &m.nextPost
}

// sorted returns the records of a kind that meet a condition, by id.
func (m *model) sorted(k Kind, meets func(Record) bool) []Record {
	var found []Record
	for _, r := range m.records[k] {
		if meets(r) {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, func(a, b Record) int { return cmp.Compare(a.Key(), b.Key()) })
	return found
}

// one returns the only record of a kind that meets a condition, or nil.
func (m *model) one(k Kind, meets func(Record) bool) Record {
	if found := m.sorted(k, meets); len(found) > 0 {
		return found[0]
	}
	return nil
}

// gaveUp returns the earlier slugs of a record that takes the place of another, nil for
// none.
func gaveUp(old, r Record) (kept []string) {
	slug, _, _ := fields(r)
	if r.Kind() == Images || r.Kind() == AllSeries || r.Kind() == Accounts {
		return nil
	}
	all := slices.Clone(*record.FormerField(r))
	if old != nil {
		all = append(slices.Clone(*record.FormerField(old)), all...)
		was, _, _ := fields(old)
		if PostOf(old) == nil || PostOf(old).Status == Publish {
			all = append([]string{was}, all...)
		}
	}
	for _, s := range all {
		if s != "" && s != slug && !slices.Contains(kept, s) && len(kept) < 10 {
			kept = append(kept, s)
		}
	}
	return kept
}

// fields returns what a record is looked up by.
func fields(r Record) (slug, name string, origins []string) {
	switch r := r.(type) {
	case *Event:
		return r.Slug, "", r.Origins
	case *Venue:
		return r.Slug, r.Name, r.Origins
	case *Organizer:
		return r.Slug, r.Name, r.Origins
	case *Series:
		return "", "", r.Event.Origins
	case *Term:
		return r.Slug, r.Name, nil
	}
	return "", "", nil
}

// events returns the events that meet a condition as listings order them.
func (m *model) events(meets func(*Event) bool) []*Event {
	var found []*Event
	for _, r := range m.sorted(Events, func(r Record) bool { return meets(r.(*Event)) }) {
		found = append(found, r.(*Event))
	}
	slices.SortStableFunc(found, func(a, b *Event) int {
		return cmp.Or(
			cmp.Compare(a.Start, b.Start),
			cmp.Compare(a.Date.UnixNano(), b.Date.UnixNano()),
		)
	})
	return found
}

// series returns the series that meet a condition, by id.
func (m *model) series(meets func(*Series) bool) []*Series {
	var found []*Series
	for _, r := range m.sorted(AllSeries, func(r Record) bool { return meets(r.(*Series)) }) {
		found = append(found, r.(*Series))
	}
	return found
}

// due returns the scheduled posts whose date is not after a moment, by date.
func (m *model) due(moment time.Time) []Record {
	var found []Record
	for _, k := range []Kind{Events, Venues, Organizers, AllSeries} {
		found = append(found, m.sorted(k, func(r Record) bool {
			p := PostOf(r)
			return p.Status == Future && !p.Date.After(moment)
		})...)
	}
	slices.SortFunc(found, func(a, b Record) int {
		return cmp.Or(PostOf(a).Date.Compare(PostOf(b).Date), cmp.Compare(a.Key(), b.Key()))
	})
	return found
}

// hasLink reports whether an event is linked to a record.
func hasLink(e *Event, k Kind, id int64) bool {
	switch k {
	case Events:
		return e.Parent == id
	case Venues:
		return slices.Contains(e.Venues, id)
	case Organizers:
		return slices.Contains(e.Organizers, id)
	case Categories:
		return slices.Contains(e.Categories, id)
	case Tags:
		return slices.Contains(e.Tags, id)
	case AllSeries:
		return e.Recurrence != nil && e.Recurrence.Series == id
	}
	return false
}

// The texts that the records of a test are named by; some are never used.
var (
	modelSlugs   = numberedTexts("slug", 20)
	modelNames   = []string{"Town Hall", "town hall", " TOWN HALL ", "Café", "Ann", "never"}
	modelOrigins = numberedTexts("origin", 20)
	modelURLs    = numberedTexts("https://x/", 8)
)

func numberedTexts(text string, n int) (texts []string) {
	for i := range n {
		texts = append(texts, fmt.Sprint(text, i))
	}
	return append(texts, "never")
}

// same compares everything that a Reader answers with the model.
func (m *model) same(t testing.TB, r *Reader) {
	t.Helper()
	check := func(what string, got, want any) {
		t.Helper()
		if identical(want, got) {
			return
		}
		if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", what, diff)
		}
	}
	for _, e := range m.events(func(*Event) bool { return true }) {
		want := m.events(func(o *Event) bool { return o.Title == e.Title && o.Start == e.Start })
		slices.SortFunc(want, func(a, b *Event) int { return cmp.Compare(a.ID, b.ID) })
		var got []*Event
		for rec := range r.TitledAfter(Events, e.Title, e.Start, 0) {
			got = append(got, rec.(*Event))
		}
		check("events with the title and start of "+e.Title, got, want)
	}
	for k := range kinds {
		got := map[int64]Record{}
		for rec := range r.Each(k) {
			if got[rec.Key()] != nil {
				t.Fatalf("%s %d is yielded twice", k, rec.Key())
			}
			got[rec.Key()] = rec
		}
		check("all "+k.String(), got, m.records[k])
		for id := range *m.next(k) + 1 {
			check(k.String()+" by id", r.Get(k, id), m.records[k][id])
			check(
				"events of "+k.String(),
				r.EventsOf(k, id),
				m.events(func(e *Event) bool { return id != 0 && hasLink(e, k, id) }),
			)
			check(
				"series of "+k.String(),
				r.SeriesOf(k, id),
				m.series(func(s *Series) bool { return id != 0 && hasLink(&s.Event, k, id) }),
			)
			if k == Categories || k == Tags || k == Venues || k == Organizers {
				n := len(
					m.events(
						func(e *Event) bool { return e.Status == Publish && hasLink(e, k, id) },
					),
				)
				check("count of "+k.String(), r.Count(k, id), n)
			}
		}
		for _, text := range modelSlugs {
			check(
				k.String()+" by slug",
				r.BySlug(k, text),
				m.one(k, func(rec Record) bool { slug, _, _ := fields(rec); return slug == text }),
			)
		}
		for _, text := range modelSlugs {
			check(
				k.String()+" by earlier slug",
				r.ByFormer(k, text),
				m.sorted(k, func(rec Record) bool {
					return slices.Contains(record.FormerOf(rec), text)
				}),
			)
		}
		for _, text := range modelOrigins {
			check(k.String()+" by origin", r.ByOrigin(k, text), m.one(k, func(rec Record) bool {
				_, _, origins := fields(rec)
				return slices.Contains(origins, text)
			}))
		}
		for _, text := range modelNames {
			check(
				k.String()+" by name",
				slices.Collect(r.ByName(k, text)),
				m.sorted(k, func(rec Record) bool {
					_, name, _ := fields(rec)
					return strings.EqualFold(strings.TrimSpace(name), strings.TrimSpace(text))
				}),
			)
		}
	}
	for _, url := range modelURLs {
		var want *Image
		if found := m.one(Images, func(rec Record) bool { return rec.(*Image).URL == url }); found != nil {
			want = found.(*Image)
		}
		check("image by address", r.ByURL(url), want)
	}
	for _, moment := range []time.Time{testTime.Add(-time.Second), testTime, testTime.Add(time.Second), testTime.Add(time.Hour)} {
		check("due", r.Due(moment), m.due(moment))
	}
	for id := range m.nextPost + 1 {
		event, _ := m.records[Events][id].(*Event)
		venue, _ := m.records[Venues][id].(*Venue)
		organizer, _ := m.records[Organizers][id].(*Organizer)
		image, _ := m.records[Images][id].(*Image)
		check("Event", r.Event(id), event)
		check("Venue", r.Venue(id), venue)
		check("Organizer", r.Organizer(id), organizer)
		check("Image", r.Image(id), image)
	}
	check("all series by id", r.SeriesByID(), m.series(func(*Series) bool { return true }))
	for days := range 4 {
		moment := testTime.AddDate(0, 0, days-4)
		check("due series", r.DueSeries(moment), m.series(func(s *Series) bool {
			return s.Horizon != 0 && s.Event.Status != Trash &&
				s.Horizon.Time().AddDate(0, 0, -732).Unix() <= moment.Unix()
		}))
	}
	for id := range m.nextPost + 1 {
		series, _ := m.records[AllSeries][id].(*Series)
		check("Series", r.Series(id), series)
		made := m.events(func(e *Event) bool { return hasLink(e, AllSeries, id) })
		slices.SortStableFunc(
			made,
			func(a, b *Event) int { return cmp.Compare(a.Recurrence.Start, b.Recurrence.Start) },
		)
		check("instances", r.Instances(id), made)
		for hour := range 7 {
			wanted := &Event{Recurrence: &Recurrence{Series: id, Start: Wall(hour * 3600)}}
			want, _ := m.one(Events, func(r Record) bool { return sameInstance(wanted, r.(*Event)) }).(*Event)
			check("instance", r.Instance(id, wanted.Recurrence.Start), want)
		}
	}
	for id := range m.nextTerm + 1 {
		category, _ := m.records[Categories][id].(*Term)
		check("Term", r.Term(Categories, id), category)
	}
}

// identical reports whether two answers are of the very same records, or of
// such as were read again and have the same in every field. It is much faster
// than a comparison that could tell what differs, and may take equals for
// different.
func identical(want, got any) bool {
	same := false
	switch want := want.(type) {
	case []Record:
		same = slices.Equal(want, got.([]Record))
	case []*Event:
		same = slices.Equal(want, got.([]*Event))
	case []*Series:
		same = slices.Equal(want, got.([]*Series))
	case map[int64]Record:
		same = maps.Equal(want, got.(map[int64]Record))
	default:
		same = want == got
	}
	return same || reflect.DeepEqual(want, got)
}

// isUnder reports whether an event has a link, to a category also by way of one
// below it.
func (m *model) isUnder(e *Event, k Kind, id int64) bool {
	if k != Categories {
		return hasLink(e, k, id)
	}
	for _, c := range e.Categories {
		for ; c != 0; c = m.records[Categories][c].(*Term).Parent {
			if c == id {
				return true
			}
		}
	}
	return false
}

// listOf returns the events that lists show, either the published or the unpublished ones.
func listOf(v *View, published bool) []*Event {
	found := v.Find(&Query{
		Published:   published,
		Unpublished: !published,
		Start:       Always(),
		End:         Always(),
		Match:       func(*Event) bool { return true },
	})
	return found.Events(0, found.Total)
}

// sameView compares the lists of a View too.
func (m *model) sameView(t testing.TB, v *View) {
	t.Helper()
	m.same(t, &v.Reader)
	list := func(what string, got iter.Seq[*Event], meets func(*Event) bool) {
		t.Helper()
		want := m.events(meets)
		there := slices.Collect(got)
		if identical(want, there) {
			return
		}
		if diff := gocmp.Diff(want, there, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", what, diff)
		}
	}
	list(
		"listed",
		slices.Values(listOf(v, true)),
		func(e *Event) bool { return !e.HideFromListings && e.Status == Publish },
	)
	list(
		"unlisted",
		slices.Values(listOf(v, false)),
		func(e *Event) bool { return !e.HideFromListings && e.Status != Publish },
	)
	for k := range kinds {
		if v.Len(k) != len(m.records[k]) {
			t.Fatalf("%d %s, want %d", v.Len(k), k, len(m.records[k]))
		}
		for id := int64(1); id < *m.next(k); id++ {
			linked := slices.SortedFunc(v.Linked(k, id), ByStart)
			list(
				"linked",
				slices.Values(linked),
				func(e *Event) bool { return m.isUnder(e, k, id) },
			)
		}
	}
	for _, k := range []Kind{Venues, Organizers} {
		want := m.sorted(k, func(Record) bool { return true })
		slices.Reverse(want)
		slices.SortStableFunc(
			want,
			func(a, b Record) int { return PostOf(b).Date.Compare(PostOf(a).Date) },
		)
		for _, published := range []bool{true, false} {
			part := slices.DeleteFunc(
				slices.Clone(want),
				func(r Record) bool { return (PostOf(r).Status == Publish) != published },
			)
			if diff := gocmp.Diff(part, slices.Clone(v.Posts(k, published)), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%s, newest first (-want +got):\n%s", k, diff)
			}
		}
	}
	if v.Seq() != m.seq {
		t.Fatalf("Seq is %d, want %d", v.Seq(), m.seq)
	}
}

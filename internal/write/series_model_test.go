// A simple model of series: dates are found by testing every day, and events by linear search.

package write_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/internal/tools/race"
	"almanac/internal/write"
	"almanac/store"
)

const (
	hour = store.Wall(3600)
	day  = 24 * hour
)

type modelRule struct {
	freq     string // DAILY, WEEKLY or MONTHLY; "" for none
	interval int
	days     []time.Weekday // of a weekly rule; nil for that of the start
	count    int
	until    store.Wall
}

func (r modelRule) text(zone *time.Location) string {
	text := fmt.Sprintf("FREQ=%s;INTERVAL=%d", r.freq, r.interval)
	for i, d := range r.days {
		text += map[bool]string{
			true:  ";BYDAY=",
			false: ",",
		}[i == 0] + strings.ToUpper(d.String()[:2])
	}
	if r.count > 0 {
		text += fmt.Sprintf(";COUNT=%d", r.count)
	}
	if r.until != 0 {
		w := r.until.Time()
		text += ";UNTIL=" + time.Date(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second(), 0, zone).
			UTC().
			Format("20060102T150405Z")
	}
	return text
}

func (r modelRule) equal(other modelRule) bool { return r.text(time.UTC) == other.text(time.UTC) }

// gives reports whether the rule, ignoring its end, has the day of w.
func (r modelRule) gives(start, w store.Wall) bool {
	from := (start - start%day).Time()
	to := (w - w%day).Time()
	switch r.freq {
	case "DAILY":
		return int(to.Sub(from).Hours()/24)%r.interval == 0
	case "WEEKLY":
		monday := func(t time.Time) time.Time { return t.AddDate(0, 0, -(int(t.Weekday())+6)%7) }
		weeks := int(monday(to).Sub(monday(from)).Hours() / 24 / 7)
		is := to.Weekday() == from.Weekday()
		if r.days != nil {
			is = slices.Contains(r.days, to.Weekday())
		}
		return weeks%r.interval == 0 && is
	case "MONTHLY":
		months := (to.Year()-from.Year())*12 + int(to.Month()) - int(from.Month())
		return months%r.interval == 0 && to.Day() == from.Day()
	}
	return false
}

// modelMembers are the modelled members of an event. Every scope can change them.
type modelMembers struct {
	title, description string
	featured           bool
	start, end         store.Wall
}

type modelSeries struct {
	modelMembers
	id              int64
	rule            modelRule
	rdates, exdates map[store.Wall]bool
	horizon         store.Wall
	ended           bool
}

type modelEvent struct {
	modelMembers
	id      int64
	series  int64 // 0 for none
	date    store.Wall
	changed map[string]bool
	trash   bool
}

// ruled returns the start and the dates of the rule before a local time.
func (s *modelSeries) ruled(before store.Wall) (dates []store.Wall) {
	for w := s.start; w < before; w += day {
		if s.rule.until != 0 && w > s.rule.until ||
			s.rule.count > 0 && len(dates) == s.rule.count ||
			s.rule.freq == "" && w > s.start {
			break
		}
		if w == s.start || s.rule.gives(s.start, w) {
			dates = append(dates, w)
		}
	}
	return dates
}

// far is after everything that ends.
const far = 8 * 366 * day

func (s *modelSeries) all(before store.Wall) []store.Wall {
	is := maps.Clone(s.rdates)
	for _, w := range s.ruled(before) {
		is[w] = true
	}
	return slices.DeleteFunc(
		slices.Sorted(maps.Keys(is)),
		func(w store.Wall) bool { return s.exdates[w] || w >= before },
	)
}

type model struct {
	next   int64
	now    time.Time
	zone   *time.Location
	series []*modelSeries
	events []*modelEvent
}

func (m *model) byID(id int64) *modelSeries {
	return m.series[slices.IndexFunc(m.series, func(s *modelSeries) bool { return s.id == id })]
}

func (m *model) clone() *model {
	c := *m
	c.series = nil
	c.events = nil
	for _, s := range m.series {
		next := *s
		next.rdates = maps.Clone(s.rdates)
		next.exdates = maps.Clone(s.exdates)
		c.series = append(c.series, &next)
	}
	for _, e := range m.events {
		next := *e
		next.changed = maps.Clone(e.changed)
		c.events = append(c.events, &next)
	}
	return &c
}

func (m *model) id() int64 { m.next++; return m.next - 1 }

// live returns the events of a series outside the trash, by date.
func (m *model) live(series int64) (events []*modelEvent) {
	for _, e := range m.events {
		if e.series == series && !e.trash {
			events = append(events, e)
		}
	}
	slices.SortFunc(events, func(a, b *modelEvent) int { return int(a.date - b.date) })
	return events
}

func (m *model) horizon() store.Wall {
	w := store.WallOf(m.now.AddDate(0, 25, 0).In(m.zone))
	return w - w%day
}

// plan sets the horizon, and returns the dates before it.
func (s *modelSeries) plan(horizon store.Wall) []store.Wall {
	dates := s.all(horizon + far)
	if len(dates) == 0 {
		return nil
	}
	if s.rule.until != 0 || s.rule.count > 0 ||
		s.rule.freq == "" { // series that end have at most 1,000 events in the model
		s.horizon = 0
		return dates
	}
	if horizon = max(horizon, dates[0]+1); dates[len(dates)-1] < horizon {
		s.horizon = 0
	} else {
		s.horizon = horizon
	}
	return slices.DeleteFunc(dates, func(w store.Wall) bool { return w >= horizon })
}

func (m *model) made(s *modelSeries, date store.Wall) *modelEvent {
	e := &modelEvent{
		modelMembers: s.modelMembers,
		id:           m.id(),
		series:       s.id,
		date:         date,
		changed:      map[string]bool{},
	}
	e.start = date
	e.end = date + s.end - s.start
	m.events = append(m.events, e)
	return e
}

// A request is a write of an event.
type request struct {
	title, description *string
	featured           *bool
	start, end         store.Wall // 0: not sent
	rule               *modelRule
	rdates, exdates    []store.Wall // nil: not sent
	leave              bool
}

func (q request) body(zone *time.Location) string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if q.title != nil {
		add(`"title":%q`, *q.title)
	}
	if q.description != nil {
		add(`"description":%q`, *q.description)
	}
	if q.featured != nil {
		add(`"featured":%v`, *q.featured)
	}
	if q.start != 0 {
		add(`"start_date":%q`, q.start)
	}
	if q.end != 0 {
		add(`"end_date":%q`, q.end)
	}
	var recurrence []string
	if q.rule != nil {
		recurrence = append(recurrence, fmt.Sprintf(`"rule":%q`, q.rule.text(zone)))
	}
	for name, dates := range map[string][]store.Wall{"rdates": q.rdates, "exdates": q.exdates} {
		if dates != nil {
			var texts []string
			for _, w := range dates {
				texts = append(texts, fmt.Sprintf("%q", w))
			}
			recurrence = append(recurrence, fmt.Sprintf(`%q:[%s]`, name, strings.Join(texts, ",")))
		}
	}
	if recurrence != nil {
		add(`"recurrence":{%s}`, strings.Join(recurrence, ","))
	} else if q.leave {
		add(`"recurrence":null`)
	}
	return "{" + strings.Join(all, ",") + "}"
}

// take sets the members that were sent, except those in not.
func (x *modelMembers) take(q request, not map[string]bool) {
	if q.title != nil && !not["title"] {
		x.title = *q.title
	}
	if q.description != nil && !not["description"] {
		x.description = *q.description
	}
	if q.featured != nil && !not["featured"] {
		x.featured = *q.featured
	}
	if q.start != 0 && !not["start_date"] {
		x.start = q.start
	}
	if q.end != 0 && !not["end_date"] {
		x.end = q.end
	}
	x.end = max(x.end, x.start)
}

// differing returns the members in which two events differ.
func (x modelMembers) differing(y modelMembers) map[string]bool {
	is := map[string]bool{
		"title":       x.title != y.title,
		"description": x.description != y.description,
		"featured":    x.featured != y.featured,
		"start_date":  x.start != y.start,
		"end_date":    x.end != y.end,
	}
	maps.DeleteFunc(is, func(_ string, is bool) bool { return !is })
	return is
}

func setOf(dates []store.Wall) map[store.Wall]bool {
	set := map[store.Wall]bool{}
	for _, w := range dates {
		set[w] = true
	}
	return set
}

func (s *modelSeries) describe(q request) {
	if q.rule != nil {
		s.rule = *q.rule
	}
	if q.rdates != nil {
		s.rdates = setOf(q.rdates)
	}
	if q.exdates != nil {
		s.exdates = setOf(q.exdates)
	}
}

// create makes a series, or returns false if it is refused.
func (m *model) create(q request) (*write.Report, bool) {
	s := &modelSeries{rdates: map[store.Wall]bool{}, exdates: map[store.Wall]bool{}}
	s.take(q, nil)
	s.describe(q)
	if s.exdates[s.start] {
		return nil, false
	}
	dates := s.plan(m.horizon())
	s.id = m.id()
	m.series = append(m.series, s)
	report := &write.Report{}
	for _, date := range dates {
		report.Made = append(report.Made, m.made(s, date).id)
	}
	return report, true
}

func (m *model) delete(e *modelEvent, scope write.Scope) *write.Report {
	if e.series == 0 || scope == write.This {
		if e.trash = true; e.series != 0 {
			m.byID(e.series).exdates[e.date] = true
		}
		return nil
	}
	s := m.byID(e.series)
	events := m.live(e.series)
	if scope == write.Following && events[0] != e {
		m.split(s, e.date)
		m.unsplit(s.id)
	} else {
		s.ended = true
		s.horizon = 0
	}
	report := &write.Report{}
	for _, one := range events {
		if scope == write.All || one.date >= e.date {
			one.trash = true
			report.Removed = append(report.Removed, one.id)
		}
	}
	return report
}

func (m *model) untrash(e *modelEvent) {
	if e.trash = false; e.series == 0 {
		return
	}
	s := m.byID(e.series)
	series := e.series
	excepted := s.exdates[e.date]
	e.series = 0
	if !excepted || s.ended ||
		slices.ContainsFunc(
			m.live(series),
			func(one *modelEvent) bool { return one.date == e.date },
		) {
		return
	}
	delete(s.exdates, e.date)
	if !slices.Contains(s.all(e.date+1), e.date) {
		s.exdates[e.date] = true
		return
	}
	like := s.modelMembers
	like.start = e.date
	like.end = e.date + s.end - s.start
	e.series = series
	maps.Copy(e.changed, e.differing(like))
}

func (m *model) tick(d time.Duration) {
	m.now = m.now.Add(d)
	for _, s := range m.series {
		if s.horizon == 0 || s.ended || s.horizon.Time().Add(-732*24*time.Hour).After(m.now) {
			continue
		}
		from := s.horizon
		to := m.horizon()
		s.horizon = 0
		for _, date := range s.all(to + far) {
			switch {
			case date >= to:
				s.horizon = to
			case date >= from && !slices.ContainsFunc(m.live(s.id), func(one *modelEvent) bool { return one.date == date }):
				m.made(s, date)
			}
		}
	}
}

func (m *model) lines() (all []string) {
	for _, s := range m.series {
		all = append(
			all,
			fmt.Sprintln("series", s.id, s.modelMembers, slices.Sorted(maps.Keys(s.rdates)),
				slices.Sorted(maps.Keys(s.exdates)), s.horizon, s.ended),
		)
	}
	for _, e := range m.events {
		line := fmt.Sprintln("event", e.id, e.modelMembers, e.trash, e.series)
		if e.series != 0 {
			line += fmt.Sprintln(e.date, slices.Sorted(maps.Keys(e.changed)))
		}
		all = append(all, line)
	}
	slices.Sort(all)
	return all
}

// modelLines returns the content of a calendar in the form of the model.
func (c *calendar) modelLines() []string {
	members := func(e *store.Event) modelMembers {
		return modelMembers{e.Title, e.Description, e.Featured, e.Start, e.End}
	}
	var m model
	c.view(func(v *store.View) {
		for _, s := range v.SeriesByID() {
			m.series = append(m.series, &modelSeries{
				modelMembers: members(&s.Event),
				id:           s.ID,
				rdates:       setOf(s.RDates),
				exdates:      setOf(s.EXDates),
				horizon:      s.Horizon,
				ended:        s.Event.Status == store.Trash,
			})
		}
		for r := range v.Each(store.Events) {
			e := r.(*store.Event)
			one := &modelEvent{
				modelMembers: members(e),
				id:           e.ID,
				trash:        e.Status == store.Trash,
				changed:      map[string]bool{},
			}
			if e.Recurrence != nil {
				one.series = e.Recurrence.Series
				one.date = e.Recurrence.Start
				for _, name := range e.Recurrence.Changed {
					one.changed[name] = true
				}
			}
			m.events = append(m.events, one)
		}
	})
	return m.lines()
}

// A chooser makes random requests.
type chooser struct{ *rand.Rand }

func (r chooser) one(n int) bool { return r.IntN(n) == 0 }

func (r chooser) rule(start store.Wall) *modelRule {
	rule := modelRule{
		freq:     []string{"DAILY", "WEEKLY", "WEEKLY", "MONTHLY"}[r.IntN(4)],
		interval: 1 + r.IntN(3),
	}
	if rule.freq == "DAILY" {
		rule.interval = 10 + r.IntN(20)
	}
	if rule.freq == "WEEKLY" && r.one(2) {
		rule.interval += 3
		days := map[time.Weekday]bool{start.Time().Weekday(): true, time.Weekday(r.IntN(7)): true}
		for i := range 7 {
			if d := time.Weekday((i + 1) % 7); days[d] {
				rule.days = append(rule.days, d)
			}
		}
	}
	switch r.IntN(3) {
	case 0:
		rule.count = 1 + r.IntN(12)
	case 1:
		rule.until = start + store.Wall(r.IntN(900))*day + store.Wall(r.IntN(86400))
	}
	return &rule
}

func (r chooser) dates(near store.Wall) []store.Wall {
	dates := []store.Wall{}
	for range r.IntN(3) {
		dates = append(dates, near+store.Wall(r.IntN(80)-20)*day+store.Wall(r.IntN(2))*hour/2)
	}
	return dates
}

// request returns a change of an event, or a new series at a time.
func (r chooser) request(at store.Wall) request {
	var q request
	if r.one(3) {
		q.title = new(string)
		*q.title = []string{"Choir", "Concert", "Market"}[r.IntN(3)]
	}
	if r.one(3) {
		q.description = new(string)
		*q.description = []string{"a", "b"}[r.IntN(2)]
	}
	if r.one(4) {
		q.featured = new(bool)
		*q.featured = r.one(2)
	}
	switch r.IntN(6) {
	case 0, 1:
		q.start = at - at%day + store.Wall(r.IntN(15)-7)*day
		if r.one(2) {
			q.start = at - at%day + store.Wall(r.IntN(3)-1)*7*day
		}
		q.start += store.Wall(12+r.IntN(16)) * hour / 2
		q.end = q.start + store.Wall(1+r.IntN(3))*hour
	case 2:
		q.end = at + store.Wall(r.IntN(6))*hour
	}
	return q
}

func (r chooser) recurrence(q *request, at store.Wall) {
	if q.start != 0 {
		at = q.start
	}
	if !r.one(4) {
		q.rule = r.rule(at)
	}
	if r.one(3) || q.rule == nil {
		q.rdates = r.dates(at)
	}
	if r.one(3) {
		q.exdates = r.dates(at)
	}
}

// Random writes of every scope have the same result as in the model.
func TestSeriesModelAlone(t *testing.T) {
	race.Alone(t)
	runs := 40
	steps := 50
	if testing.Short() {
		runs = 10
	}
	for seed := range uint64(runs) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			playModel(t, chooser{rand.New(rand.NewPCG(seed, 1))}, steps)
		})
	}
}

func playModel(t *testing.T, r chooser, steps int) {
	c := newCalendar(t)
	zone := c.site.Location()
	m := &model{next: 1, now: c.now, zone: zone}
	var log []string
	for range steps {
		before := m.clone()
		var report *write.Report
		var got result
		taken := true
		var asked string
		switch pick := r.IntN(20); {
		case len(m.events) == 0 || pick == 0:
			start := store.WallOf(m.now.In(zone))
			start += store.Wall(r.IntN(60)-30)*day - start%day + store.Wall(12+r.IntN(16))*hour/2
			q := r.request(start)
			title := "New"
			if q.title == nil {
				q.title = &title
			}
			q.start = start
			q.end = start + store.Wall(1+r.IntN(3))*hour
			q.rule = r.rule(start)
			if q.exdates = nil; r.one(3) {
				r.recurrence(&q, start)
			}
			asked = "create " + q.body(zone)
			report, taken = m.create(q)
			got = c.create(q.body(zone))
		case pick == 1:
			d := time.Duration(r.IntN(200*24)) * time.Hour
			asked = "tick " + d.String()
			m.tick(d)
			c.tick(d)
		default:
			e := m.events[r.IntN(len(m.events))]
			scope := []write.Scope{write.This, write.This, write.Following, write.All}[r.IntN(4)]
			if e.series == 0 || e.trash {
				scope = write.This
			}
			asked = fmt.Sprint(scope, " ", e.id, " ")
			switch {
			case e.trash && pick < 12:
				asked += "untrash"
				m.untrash(e)
				got = c.update(e.id, scope, `{"status":"publish"}`)
			case !e.trash && pick < 7:
				asked += "delete"
				report = m.delete(e, scope)
				got = c.delete(e.id, scope)
			default:
				q := r.request(e.date)
				if q.leave = pick == 19 && r.one(2); scope != write.This && r.one(3) && !q.leave {
					r.recurrence(&q, e.date)
				}
				asked += q.body(zone)
				if scope == write.This {
					m.this(e, q)
				} else {
					report, taken = m.change(e, scope, q)
				}
				got = c.update(e.id, scope, q.body(zone))
			}
		}
		log = append(log, asked+" -> "+map[bool]string{
			true:  "",
			false: "refused ",
		}[taken]+fmt.Sprint(got.err))
		if !taken {
			m = before
		}
		slices.SortFunc(m.events, func(a, b *modelEvent) int { return int(a.id - b.id) })
		if taken != (got.err == nil) ||
			taken && asked[:4] != "tick" && !gocmp.Equal(report, got.report) {
			t.Errorf("%s\nreport of the model %v: %+v", strings.Join(log, "\n"), taken, report)
			if got.err == nil {
				t.Log(got)
			}
			return
		}
		if diff := gocmp.Diff(m.lines(), c.modelLines()); diff != "" {
			t.Errorf("%s\n(-model +got):\n%s", strings.Join(log, "\n"), diff)
			return
		}
	}
}

func (m *model) this(e *modelEvent, q request) {
	was := e.modelMembers
	e.take(q, nil)
	if e.series == 0 {
		return
	}
	maps.Copy(e.changed, e.differing(was))
	if q.leave {
		if !e.trash {
			m.byID(e.series).exdates[e.date] = true
		}
		e.series = 0
	}
}

// split makes a new series of a date and the later ones.
func (m *model) split(s *modelSeries, at store.Wall) *modelSeries {
	after := *s
	after.id = 0
	after.rdates = map[store.Wall]bool{}
	after.exdates = map[store.Wall]bool{}
	for w := range s.rdates {
		if w >= at {
			delete(s.rdates, w)
			after.rdates[w] = true
		}
	}
	for w := range s.exdates {
		if w >= at {
			delete(s.exdates, w)
			after.exdates[w] = true
		}
	}
	s.horizon = 0
	ruled := s.ruled(at + far)
	earlier := len(
		slices.DeleteFunc(slices.Clone(ruled), func(w store.Wall) bool { return w >= at }),
	)
	length := s.end - s.start
	switch {
	case earlier == 0:
		s.rule = modelRule{}
		s.start = slices.Min(slices.Collect(maps.Keys(s.rdates)))
		delete(s.rdates, s.start)
	case earlier == len(ruled):
		after.rule = modelRule{}
		after.start = at
	case s.rule.count > 0:
		s.rule.count, after.rule.count, after.start = earlier, s.rule.count-earlier, ruled[earlier]
	default:
		s.rule.until = at - 1
		after.start = ruled[earlier]
	}
	if s.end, after.end = s.start+length, after.start+length; earlier > 0 {
		delete(after.rdates, after.start)
	}
	after.id = m.next // its id, if it is stored
	for _, e := range m.events {
		if e.series == s.id && e.date >= at && (!e.trash || after.exdates[e.date]) {
			e.series = after.id
		}
	}
	return &after
}

// unsplit returns events to their old series.
func (m *model) unsplit(series int64) {
	for _, e := range m.events {
		if e.series == m.next {
			e.series = series
		}
	}
}

// change applies a request to several events, or returns false if it is refused.
func (m *model) change(e *modelEvent, scope write.Scope, q request) (*write.Report, bool) {
	was := e.series
	s := m.byID(e.series)
	if q.rule != nil || q.rdates != nil || q.exdates != nil {
		same := *s
		same.describe(q)
		if same.rule.equal(s.rule) && maps.Equal(same.rdates, s.rdates) &&
			maps.Equal(same.exdates, s.exdates) {
			q.rule = nil
			q.rdates = nil
			q.exdates = nil // returned as it was read
		}
	}
	fresh := false
	if scope == write.Following && m.live(s.id)[0] != e {
		s = m.split(s, e.date)
		fresh = true
	}
	if q.rule != nil && q.rule.equal(s.rule) {
		q.rule = nil
	}
	length := s.end - s.start
	newStart := e.date
	newEnd := e.date + length
	if q.start != 0 {
		newStart = q.start
	}
	if q.end != 0 {
		newEnd = q.end
	} else if newStart > newEnd {
		newEnd = newStart + length
	}
	newEnd = max(newEnd, newStart)
	by := newStart - e.date
	names := map[string]bool{
		"title":       q.title != nil,
		"description": q.description != nil,
		"featured":    q.featured != nil,
		"start_date":  q.start != 0,
		"end_date":    q.end != 0 || newEnd != e.date+length,
	}
	shared := q
	shared.start = 0
	shared.end = 0
	s.take(shared, nil)
	s.start += by
	s.end = s.start + newEnd - newStart
	var gone []*modelEvent
	for _, one := range m.events {
		if one.series == s.id && one.trash && s.exdates[one.date] {
			gone = append(gone, one)
		}
	}
	if by != 0 {
		for _, set := range []*map[store.Wall]bool{&s.rdates, &s.exdates} {
			shifted := map[store.Wall]bool{}
			for w := range *set {
				shifted[w+by] = true
			}
			*set = shifted
		}
		if s.rule.until != 0 {
			s.rule.until += by
		}
	}
	s.describe(q)
	if by != 0 && q.rule == nil && s.rule.freq != "" && !s.rule.gives(s.start, s.start) {
		return nil, false
	}
	events := m.live(s.id)
	report := &write.Report{}
	dates := map[store.Wall]bool{}
	if q.leave {
		s.ended = true
		s.horizon = 0
		for _, one := range events {
			dates[one.date+by] = true
		}
	} else {
		least := m.horizon()
		for _, one := range events {
			least = max(least, one.date+by+1)
		}
		dates = setOf(s.plan(least))
		if len(dates) == 0 {
			return nil, false
		}
		if fresh {
			m.id()
			m.series = append(m.series, s)
		}
		for _, one := range gone {
			one.date += by
		}
	}
	for _, one := range events {
		date := one.date + by
		if !dates[date] {
			one.trash = true
			if fresh {
				one.series = was
			}
			report.Removed = append(report.Removed, one.id)
			continue
		}
		if one == e {
			maps.DeleteFunc(one.changed, func(name string, _ bool) bool { return names[name] })
		}
		if by != 0 && one.changed["end_date"] && !one.changed["start_date"] {
			one.end += by
		}
		if by != 0 && one.changed["start_date"] {
			one.changed["end_date"] = true
		}
		own := q
		own.start = 0
		own.end = 0
		if names["start_date"] || by != 0 {
			own.start = date
		}
		if names["end_date"] || by != 0 {
			own.end = date + s.end - s.start
		}
		one.take(own, one.changed)
		one.date = date
	}
	for _, date := range slices.Sorted(maps.Keys(dates)) {
		if i := slices.IndexFunc(events, func(one *modelEvent) bool { return !one.trash && one.date == date }); i >= 0 {
			report.Kept = append(report.Kept, events[i].id)
			if q.leave {
				events[i].series = 0
			}
			continue
		}
		report.Made = append(report.Made, m.made(s, date).id)
	}
	if q.leave && fresh {
		m.unsplit(was)
	}
	return report, true
}

package render_test

// The plain model of series, and of their parts in events.

import (
	"strconv"

	"almanac/internal/text/caltime"
	"almanac/internal/text/markup"
	"almanac/internal/wire/render"
	"almanac/store"
)

// recurrenceJSON is the place of an event in its series.
type recurrenceJSON struct {
	Series  int64    `json:"series"`
	Rule    string   `json:"rule"`
	Start   string   `json:"start"`
	Changed bool     `json:"changed"`
	Made    *[]int64 `json:"made,omitempty"`
	Kept    *[]int64 `json:"kept,omitempty"`
	Removed *[]int64 `json:"removed,omitempty"`
}

// recurrence shows it, or nil.
func (r model) recurrence(e *store.Event) any {
	if e.Recurrence == nil {
		return nil
	}
	s := get[*store.Series](r.Source, store.AllSeries, e.Recurrence.Series)
	if s == nil || !r.Readable(&s.Event.Post) {
		return nil
	}
	out := &recurrenceJSON{
		Series:  s.ID,
		Rule:    s.Rule,
		Start:   date(e.Recurrence.Start),
		Changed: e.Recurrence.Changed != nil,
	}
	if r.Wrote != nil {
		made := append([]int64{}, r.Wrote.Made...)
		kept := append([]int64{}, r.Wrote.Kept...)
		removed := append([]int64{}, r.Wrote.Removed...)
		out.Made = &made
		out.Kept = &kept
		out.Removed = &removed
	}
	return out
}

// seriesJSON is a series on the wire.
type seriesJSON struct {
	ID        int64     `json:"id"`
	Status    string    `json:"status"`
	Title     string    `json:"title"`
	Slug      string    `json:"slug"`
	Rule      string    `json:"rule"`
	Text      string    `json:"text"`
	StartDate string    `json:"start_date"`
	EndDate   string    `json:"end_date"`
	AllDay    *bool     `json:"all_day"`
	Timezone  string    `json:"timezone"`
	EXDates   []string  `json:"exdates"`
	RDates    []string  `json:"rdates"`
	Horizon   *string   `json:"horizon"`
	Total     int       `json:"total"`
	Next      *nextJSON `json:"next"`
	Earlier   *int64    `json:"earlier"`
	Later     *int64    `json:"later"`
	RestURL   string    `json:"rest_url"`
	EventsURL string    `json:"events_url"`
}

type nextJSON struct {
	ID        int64  `json:"id"`
	StartDate string `json:"start_date"`
}

// series shows a series.
func (r model) series(s render.Series) *seriesJSON {
	e := &s.Event
	id := strconv.FormatInt(s.ID, 10)
	out := &seriesJSON{
		ID:        s.ID,
		Status:    string(e.Status),
		Title:     markup.Title(e.Title),
		Slug:      e.Slug,
		Rule:      s.Rule,
		Text:      s.Text,
		StartDate: date(e.Start),
		EndDate:   date(e.End),
		Timezone:  e.Timezone,
		EXDates:   dates(s.EXDates),
		RDates:    dates(s.RDates),
		Total:     s.Total,
		RestURL:   r.API + "/series/" + id,
		EventsURL: r.API + "/events/?series=" + id,
	}
	if r.Unlocked(e) {
		out.AllDay = &e.AllDay
	}
	if horizon := date(s.Horizon); s.Horizon != 0 {
		out.Horizon = &horizon
	}
	if s.Earlier != 0 {
		out.Earlier = &s.Earlier
	}
	if s.Later != 0 {
		out.Later = &s.Later
	}
	if s.Next != nil {
		out.Next = &nextJSON{s.Next.ID, date(s.Next.Start)}
	}
	return out
}

func date(local store.Wall) string { return local.Time().Format(caltime.Layout) }

func dates(walls []store.Wall) []string {
	list := []string{}
	for _, local := range walls {
		list = append(list, date(local))
	}
	return list
}

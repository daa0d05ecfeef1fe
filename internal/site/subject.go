// The subjects of pages: records with the names in an address, and the parameters of the API that
// ask for their events.

package site

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/people/access"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/render"
	"almanac/store"
)

// eventID returns the id of the event that is asked for. The error tells subscribers of a
// withdrawn event that it is withdrawn.
func (p *page) eventID() (id int64, err error) {
	err = p.Store.View(func(v *store.View) error {
		var e *store.Event
		switch slug := api.StoredSlug(p.Event); {
		case p.Date != "":
			e = p.eventOfDate(v, slug, p.Date, p.Number)
		case slug != "":
			record, now := p.called(
				v,
				store.Events,
				slug,
				func(record store.Record) bool {
					return p.mayFind(record.(*store.Event))
				},
			)
			if record != nil && now != slug {
				return &redirectTarget{"tribe_events", p.Event, now}
			}
			e, _ = record.(*store.Event)
			if e == nil {
				e = withdrawn(v, slug)
			}
			if e == nil && p.HTTP.Method != http.MethodPost &&
				len(p.SeriesNamed(&v.Reader, slug)) > 0 {
				return &redirectTarget{"tribe_events", p.Event, p.Event + "/all"}
			}
			if e == nil {
				if whole := v.Shortened(slug); whole != nil &&
					p.mayFind(whole) { // a link that lost its end
					return &redirectTarget{"tribe_events", p.Event, whole.Slug}
				}
			}
		case strings.Trim(p.EventID, "0123456789") == "":
			e = p.numbered(v, api.ParseID(p.EventID))
		}
		switch {
		case e != nil && e.WasPublic():
			return errWithdrawn
		case e == nil || !p.mayFind(e):
			return errNoEvent
		}
		id = e.ID
		return nil
	})
	return id, err
}

// withdrawn returns an event in the trash that everybody found by a slug until it came there, or
// nil.
func withdrawn(v *store.View, slug string) *store.Event {
	for _, record := range v.ByFormer(store.Events, slug) {
		if e := record.(*store.Event); e.WasPublic() {
			return e
		}
	}
	return nil
}

// mayFind reports whether the caller may read an event that is not in the trash.
func (p *page) mayFind(
	e *store.Event,
) bool {
	return e.Status != store.Trash && p.MayRead(&e.Post)
}

// listQuery returns the parameters that ask an operation of the API for a list. The address gets
// the present slugs above that of its category.
func (p *page) listQuery(op *api.Op) (query map[string]any, err error) {
	query = map[string]any{}
	if p.Page != "" && !op.IsWhole() {
		query["page"] = p.Page
	}
	err = p.Store.View(func(v *store.View) error {
		if p.Series != "" {
			named := p.SeriesNamed(&v.Reader, api.StoredSlug(p.Series))
			ids := ""
			if len(named) == 0 {
				return errNoEvent
			}
			for _, s := range named {
				ids += "," + strconv.Itoa(int(s.ID))
			}
			query["series"] = ids[1:]
			p.View = cmp.Or(p.View, "list")
			p.Day = "1000-01-01" // before all of its dates
		}
		for i, of := range pageSubjects {
			if slug := *of.slug(&p.address); slug != "" {
				record, now := p.called(
					v,
					of.kind,
					api.StoredSlug(slug),
					func(record store.Record) bool {
						return !api.IsTrash(record) && access.MayName(p.Caller, record)
					},
				)
				switch {
				case record != nil && now != api.StoredSlug(slug):
					return &redirectTarget{of.name, slug, now}
				case record == nil:
					return &api.Error{
						Status: http.StatusNotFound,
						Code:   "rest_no_route",
						Message: fmt.Sprintf("There is nothing with the name %.60q "+
							"among the %s.", slug, of.kind),
					}
				}
				if t, ok := record.(*store.Term); ok && of.kind == store.Categories {
					if below, _ := v.BySlug(of.kind, "free").(*store.Term); p.path.Free &&
						below != nil &&
						below.Parent == t.ID {
						t = below
						record = below
						p.Category = below.Slug
						p.Free = false // it has had this address
					}
					p.Above = aboveOf(v, t)
				}
				query[of.parameter] = strconv.Itoa(int(record.Key()))
			} else if isDigits(p.ByID[i]) {
				query[of.parameter] = p.ByID[i]
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if p.IDs != nil {
		for id := range strings.SplitSeq(*p.IDs, ",") {
			if strings.Trim(id, "0123456789") != "" || api.ParseID(id) < 1 {
				return nil, api.Invalid(
					"event_ids",
					"event_ids must be ids of events, as event_ids[]=130.",
				)
			}
		}
		query["include"] = *p.IDs
		if op.IsPage() {
			query["orderby"] = "start_date"
			return query, nil // whenever they are
		}
	}
	if p.Search != "" {
		query["search"] = p.Search
		query["search_names"] = "true" // visitors type what they read
	}
	if p.isFeatured() {
		query["featured"] = "true"
	}
	if p.Free {
		query["free"] = "true"
	}
	if op.IsPage() && p.isOnce() {
		query["first_of_series"] = "true"
	}
	return query, p.setWindow(query, op)
}

// aboveOf returns the slugs above that of a category, as in its address.
func aboveOf(v *store.View, t *store.Term) string {
	path := strings.TrimSuffix(
		strings.TrimPrefix(render.CategoryPath(v, t), "/events/category/"),
		"/",
	)
	return path[:strings.LastIndexByte(path, '/')+1]
}

// setWindow sets the dates of a query: of days, so that the same is asked until the day
// ends. Without any, a calendar begins a year ago, as those of the API; unlike these it has
// no end, since the original's have none.
func (p *page) setWindow(query map[string]any, op *api.Op) error {
	day := caltime.StartOfDay(p.wall())
	dated := false
	if p.Day != "" {
		day, dated = parseDay(p.Day)
		if !dated {
			return api.ErrNoRoute
		}
	}
	if p.From != "" {
		day, dated = parseDay(p.From)
		if !dated {
			return api.Invalid(
				"tribe-bar-date",
				"tribe-bar-date (or eventDate) must be a day such as 2031-05-10, or a month such as 2031-05.",
			)
		}
	}
	bound := func(name string, local time.Time, seconds time.Duration) {
		query[name] = p.Zone.Instant(local).Add(seconds * time.Second).Format(caltime.Layout)
		query["strict_dates"] = "true"
	}
	order := "asc"
	until := time.Time{}
	view := p.display()
	switch word := dayWords[view]; {
	case word != "":
		query["when"] = word
	case view == "past" && op.IsPage(): // the days of a page say the rest
		bound("starts_before", day, 0)
		order = "desc"
	case view == "past":
		bound("ends_before", day, 0)
		order = "desc"
	case view == "month":
		day = day.AddDate(0, 0, 1-day.Day())
		until = day.AddDate(0, 1, 0)
	case view == "week":
		day = p.Language.Locale().Week().Start(day)
		until = day.AddDate(0, 0, 7)
	case view == "day" || view == "today":
		until = day.AddDate(0, 0, 1)
	}
	if !until.IsZero() {
		bound("starts_before", until, 0)
	}
	if !dated && until.IsZero() && op.IsWhole() {
		day = day.AddDate(-1, 0, 0) // subscribers keep the events of the past months
	}
	if order == "asc" && query["when"] == nil {
		bound("ends_after", day, -1) // an event that ends at its midnight is on it
	}
	// At /tag/ the original has the events among other posts, newest publication first, as our
	// feeds are.
	if !op.IsWhole() &&
		(op.Name != legacyRSS || !strings.HasPrefix(p.HTTP.URL.Path[len(p.Base.Prefix):], "/tag/")) {
		query["orderby"] = "start_date"
		query["order"] = order
	}
	return nil
}

// parseDay reads a day, or a month as its first day, and reports whether it is one. The
// years leave room for a day before and a month behind.
func parseDay(text string) (time.Time, bool) {
	layout := "2006-01"
	if len(text) == len(time.DateOnly) {
		layout = time.DateOnly
	}
	day, err := time.Parse(layout, text)
	return day, err == nil && day.Year() >= 1000 && day.Year() < 9999
}

var (
	errNoEvent = &api.Error{
		Status:  http.StatusNotFound,
		Code:    "rest-event-not-found",
		Message: "There is no event at this address.",
	}
	errWithdrawn = &api.Error{
		Status:  http.StatusGone,
		Code:    "event-no-longer-available",
		Message: "This event was withdrawn.",
	}
)

// Feeds: lists of events, and single events, for programs that know no API.

package api

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"almanac/internal/api/respond"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/feed"
	"almanac/internal/wire/params"
	"almanac/store"
)

// Feeds is the operations that answer with a document of package feed: a list of
// events in each format, and one event for calendars.
var Feeds = struct{ Calendar, CSV, RSS, Atom, JSON, Event, EventBySlug *Op }{
	Calendar:    NewFeed("events.calendar", params.EventCalendar, &feed.Calendar),
	CSV:         NewFeed("events.csv", params.EventTable, &feed.CSV),
	RSS:         NewFeed("events.rss", params.EventFeed, &feed.RSS),
	Atom:        NewFeed("events.atom", params.EventFeed, &feed.Atom),
	JSON:        NewFeed("events.json-feed", params.EventFeed, &feed.JSON),
	Event:       eventDocument("events.read-calendar", params.EventReadCalendar),
	EventBySlug: eventDocument("events.read-calendar-by-slug", params.EventReadCalendarBySlug),
}

// NewFeed makes the operation that lists events in a format.
func NewFeed(name string, table params.Table, f *feed.Format) *Op {
	op := &Op{Name: name, Params: table, Serve: listEvents, format: f}
	if f.Whole {
		op.Serve = listWhole
	}
	return Unlisted(Negotiates(Listed(op)))
}

// eventDocument makes the operation that reads one event as a calendar.
func eventDocument(name string, table params.Table) *Op {
	return Unlisted(Negotiates(&Op{
		Name:   name,
		Params: table,
		Serve:  readEvent,
		format: &feed.Calendar,
	}))
}

// inFormats returns an operation that other ones stand in for when Accept names their format.
func inFormats(op *Op, formats ...*Op) *Op {
	of := Negotiates(op)
	of.formats = formats
	return of
}

// notePrefix notes whether titles of the document begin with the state of their event.
func (r *Call) notePrefix(values params.Values) {
	if _, has := r.Op.Params.Row("status_prefix"); has {
		r.plainTitles = !values.Bool("status_prefix")
	}
}

// negotiate returns the handler of the format that the request asks for, where the pattern of the
// route alone does not tell it: by the extension of the path (which no pattern of net/http can
// express), the Accept header, or the query of a page.
func (h *handler) negotiate(hr *http.Request) *handler {
	if h.route == nil || hr.Method != http.MethodGet && hr.Method != http.MethodHead {
		return h
	}
	if h.op.Choose != nil {
		op := h.op.Choose(h.server, h.base, hr)
		if op == NoRoute {
			return &handler{h.server, h.base, nil, op}
		}
		return &handler{h.server, h.base, h.route, op}
	}
	for _, rt := range h.route.extended {
		if strings.HasSuffix(hr.URL.Path, rt.extension) {
			return &handler{h.server, h.base, rt, rt.ops[0].op}
		}
	}
	if accept := hr.Header["Accept"]; len(accept) > 0 {
		if op := acceptedOp(h.op.formats, strings.Join(accept, ",")); op != nil {
			return &handler{h.server, h.base, h.route, op}
		}
	}
	return h
}

// acceptedOp returns the one of some operations whose format Accept names first, or nil
// if it names JSON before, or anything (RFC 9110, section 12.5.1). Programs that want a
// format name it first, so that weights but 0 need not be compared.
func acceptedOp(ops []*Op, accept string) *Op {
	if len(ops) == 0 {
		return nil
	}
	for item := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(item, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		weight := strings.ReplaceAll(parameters, " ", "")
		switch {
		case strings.HasPrefix(weight, "q=0") && strings.Trim(weight[2:], "0.") == "":
			continue
		case name == "*/*", name == "application/*", name == "application/json":
			return nil
		}
		for _, op := range ops {
			if media, _, _ := strings.Cut(op.format.Media, ";"); media == name {
				return op
			}
		}
	}
	return nil
}

// about returns what a document says of a list, which has an address and is one of
// several pages.
func (r *Call) about(self string, links pageLinks) feed.List {
	id := ""
	if identity := r.Store.Identity(); identity != "" &&
		r.Front.Origin(r.Base, "") == "" { // else addresses have no other host
		id = "https://" + identity + strings.TrimPrefix(self, r.Site.Origin)
	}
	if r.Op.is(secret) { // it differs by account
		id = cmp.Or(id, self) + "#" + itoa(int(r.Caller.ID))
		self = ""
	}
	return feed.List{
		Name:     r.SiteName(),
		Home:     r.Site.Origin + r.Base.Prefix + "/",
		Self:     self,
		ID:       id,
		Next:     links.next,
		Previous: links.previous,
		Language: r.Base.Language.Tag,
	}
}

// SiteName returns the name of the calendar, or the host if the site has no name.
func (r *Call) SiteName() string {
	if r.name != "" {
		return r.name
	}
	_, host, _ := strings.Cut(r.Site.Origin, "://")
	return host
}

// attachment returns the header fields with which browsers store a document, by a name
// that people recognize.
func attachment(name string, f *feed.Format) map[string]string {
	return map[string]string{
		"Content-Disposition": `attachment; filename="` + name + f.Extension + `"`,
	}
}

// feedLink returns the value of the Link header that leads from a list, or a record, to its
// calendar feed.
func (r *Call) feedLink(below string) string {
	_, address, _ := strings.Cut(cmp.Or(r.Alias, r.Site.API), "://")
	if r.Alias == "" {
		address = r.WithQuery(address + below + feed.Calendar.Extension)
	}
	return "<webcal://" + address + `>; rel="alternate"; type="text/calendar"`
}

// selfAddress returns the address of a path below the namespace with the query of the request, or
// the address of a page in its place.
func (r *Call) selfAddress(below string) string {
	if r.Alias != "" {
		return r.Alias
	}
	return r.WithQuery(r.Site.API + below)
}

// WithQuery returns an address with the query of the request, without what is about pages,
// or about the caller. Defaults are left out, so that it asks for the same next year.
func (r *Call) WithQuery(address string) string {
	b := []byte(address)
	query := r.HTTP.URL.RawQuery
	sign := byte('?')
	unsafe := strings.ContainsAny(query, unsafeSigns)
	for part := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(part, "=")
		switch name, err := url.QueryUnescape(name); {
		case err != nil,
			name == "",
			name == "page",
			name == "per_page",
			name == "order",
			name == "orderby",
			name == "password",
			name == "context",
			name[0] == '_',
			unsafe && strings.ContainsAny(part, unsafeSigns):
			continue
		}
		b = append(append(b, sign), part...)
		sign = '&'
	}
	return string(b)
}

// unsafeSigns stand in no address, as they would end it where it is written.
const unsafeSigns = "<>\" \\^`{|}"

// eventCalendar answers with a calendar of one event.
func (r *Call) eventCalendar(one item, e *store.Event) *respond.Response {
	about := r.about(
		cmp.Or(r.Alias, r.URL("/events/"+itoa(int(e.ID))+feed.Calendar.Extension)),
		pageLinks{},
	)
	about.Updated = e.Modified
	show := r.Renderer(one.links)
	zone := feed.ZoneOf(&show, e)
	b := feed.Calendar.Head(nil, &about)
	b = feed.AppendZones(
		b,
		[]*caltime.Zone{zone},
		zone.Instant(e.Start.Time()),
		zone.Instant(e.End.Time()),
	)
	b = one.append(b, r, false)
	return &respond.Response{
		Status: http.StatusOK,
		Media:  feed.Calendar.Media,
		Body:   respond.Text(append(b, feed.Calendar.Tail...)),
		Header: attachment(e.Slug, &feed.Calendar),
	}
}

package seed_test

import (
	"cmp"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/tools/apitest"
	"almanac/internal/wire/params"
	"almanac/internal/write/intake"
	"almanac/store"
)

// A door is a path of a field into or out of the store.
type door int

const (
	written  door = iota // a request sets it
	rendered             // answers show it
	kept                 // export writes it, and planting the export sets it
	imported             // import of an answer sets it
)

// complaint has the error for each missing door.
var complaint = [...]string{
	written:  "no parameter sets it: it needs a row in internal/wire/params/tables.go and a line in internal/write/%s",
	rendered: "no answer shows it: it needs a line in internal/wire/render/%s",
	kept:     "an export does not keep it: it needs a row in internal/write/intake/members.go, and internal/write/intake/%s has to take it",
	imported: "an import loses it: it needs a row in internal/write/intake/members.go, and internal/write/intake/%s has to take it",
}

// sourceFiles has the source files of a type, by door.
var sourceFiles = map[string][]string{
	"Post":      {"post.go", "post.go", "post.go", "post.go"},
	"Event":     {"event.go", "event.go", "event.go", "event.go"},
	"Cost":      {"event.go", "event.go", "event.go", "event.go"},
	"Venue":     {"linked.go", "linked.go", "linked.go", "linked.go"},
	"Organizer": {"linked.go", "linked.go", "linked.go", "linked.go"},
	"Term":      {"term.go", "term.go", "term.go", "term.go"},
	"Image":     {"post.go", "image.go", "image.go", "image.go"},
}

// internal are fields of identity, with the reason.
var internal = map[string]string{
	"Meta.ID":        "the store gives it, and each door has ids of its own",
	"Meta.Rev":       "the store counts it",
	"Meta.More":      "the store keeps it for a later version",
	"Event.Parts":    "only the template of a series has it",
	"Event.Proposal": "it names a person: the desk alone shows it, and exports are given away",
	"Term.Taxonomy":  "the list that a term stands in says it",
}

// Uploads have these fields. package media sets and shows them, and exports do not take uploads
// along yet.
func init() {
	for _, name := range []string{"Directory", "Type", "Hash", "Sent", "SentBytes", "Author", "Date", "Modified", "Title", "Alt", "Caption",
		"FocusX", "FocusY"} {
		internal["Image."+name] = "uploads alone have it"
	}
}

// omitted are the doors that a field lacks on purpose, with the reason.
var omitted = map[string]map[door]string{
	"Post.Author": {imported: "what is imported belongs to the account that imports it"},
	"Post.Undated": {
		written: "it follows from the dates that a new draft is given, or not",
	},
	"Post.LocalDate": {imported: "lists show it as they show Undated, without a date in UTC"},
	"Post.WasDraft": {
		rendered: "access alone asks for it",
		imported: "lists do not show it",
	},
	"Post.Former": {
		rendered: "pages lead from them to the record",
		imported: "lists do not show them",
	},
	"Term.Former": {
		rendered: "pages lead from them to the record",
		imported: "lists do not show them",
	},
	"Venue.Former":        {written: "imports alone change slugs of venues"},
	"Organizer.Former":    {written: "imports alone change slugs of organizers"},
	"Post.Origins":        {written: "imports alone know records of other sites"},
	"Post.CustomFields":   {written: "imports alone bring them"},
	"Venue.Excerpt":       {written: "requests give excerpts to events alone"},
	"Organizer.Excerpt":   {written: "requests give excerpts to events alone"},
	"Event.PreviousStart": {written: "rescheduled sets it, beside a new start_date"},
	"Image.Directory":     ofFiles, "Image.Type": ofFiles, "Image.Hash": ofFiles, "Image.SentBytes": ofFiles,
	"Image.Author":   {written: upload, rendered: upload, kept: upload, imported: upload},
	"Image.Date":     {written: upload, rendered: upload, kept: upload, imported: upload},
	"Image.Modified": {written: upload, rendered: upload, kept: upload, imported: upload},
	"Image.Title":    {written: upload, rendered: upload, imported: upload},
	"Image.Alt":      {written: upload, rendered: upload, imported: upload},
	"Image.Caption":  {written: upload, rendered: upload, imported: upload},
	"Image.FocusX":   {written: upload, rendered: upload, imported: upload},
	"Image.FocusY":   {written: upload, rendered: upload, imported: upload},
	"Image.Sent": {
		written:  upload,
		rendered: "nobody computes addresses from it",
		imported: upload,
	},
	"Image.Origins": {
		written:  "imports alone know them",
		rendered: "imports alone ask for them",
		imported: "lists do not show them",
	},
	"Image.Width":    {written: "no image is fetched: imports alone know it"},
	"Image.Height":   {written: "no image is fetched: imports alone know it"},
	"Image.Filesize": {written: "no image is fetched: imports alone know it"},
	"Image.Sizes":    {written: "no image is fetched: imports alone know them"},
	"Image.Original": {written: "no image is fetched: imports alone know it"},
}

// upload is the reason why a door is closed to a field of uploads. An account uploads a picture,
// and imports make uploads of their own.
const upload = "the routes of uploads have it, and the account of an upload is that which stores it here"

// ofFiles are the doors of fields that follow from the files of an upload.
var ofFiles = map[door]string{
	written:  upload,
	rendered: upload,
	kept:     "an export has the file as it was sent",
	imported: upload,
}

// subject is a calendar with two records of each kind. Tests change fields of the second ones,
// which have a status.
const subject = `{"exact":true,
	"images":[{"id":1,"url":"https://a.example/1.png"},{"id":2,"url":"https://a.example/2.png"}],
	"categories":[{"id":1,"name":"One","slug":"one"},{"id":2,"name":"Two","slug":"two"}],
	"tags":[{"id":3,"name":"Free","slug":"free"},{"id":4,"name":"Full","slug":"full"}],
	"venues":[{"id":3,"venue":"Hall"},{"id":4,"venue":"Barn","slug":"barn","status":"STATUS"}],
	"series":[{"id":9,"title":"Ball","rule":"FREQ=DAILY;COUNT=9","start_date":"2031-05-12 10:00:00","end_date":"2031-05-12 11:00:00"}],
	"organizers":[{"id":5,"organizer":"Choir"},{"id":6,"organizer":"Band","slug":"band","status":"STATUS"}],
	"events":[
		{"id":7,"title":"Fair","start_date":"2031-05-12 10:00:00","end_date":"2031-05-12 11:00:00","image":1},
		{"id":8,"title":"Ball","slug":"ball","status":"STATUS","start_date":"2031-05-12 10:00:00","end_date":"2031-05-13 11:00:00","image":2,
			"cost":["5"],"currency_symbol":"$","currency_code":"USD","currency_position":"prefix","venue":[4],"organizer":[6]}]}`

// statuses requests records of every status from a list.
const statuses = "status=publish,future,draft,pending,private,trash"

// Requests set every field of a record, answers show it, exports keep it and imports take it, or
// omitted has the reason. The test finds the fields by reflection and detects a door by the effect
// of a change, so new fields need no entry here.
func TestFields(t *testing.T) {
	t.Parallel()
	for _, second := range []store.Record{
		&store.Event{}, &store.Venue{}, &store.Organizer{}, &store.Term{
			Taxonomy: store.Categories,
		}, &store.Image{},
	} {
		t.Run(reflect.TypeOf(second).Elem().Name(), func(t *testing.T) {
			t.Parallel()
			k := second.Kind()
			set := fieldsWritten(t, k)
			typ := reflect.TypeOf(second).Elem()
			bases := map[store.Status]*subjects{}
			for _, status := range []store.Status{store.Publish, store.Draft} {
				bases[status] = newSubject(t, k, status, nil)
			}
			for _, field := range reflect.VisibleFields(typ) {
				owner := ownerOf(typ, field)
				if field.Anonymous || internal[owner.Name()+"."+field.Name] != "" {
					continue
				}
				open := [4]bool{written: set[field.Name]}
				for status, base := range bases {
					for _, value := range candidates(t, field.Type) {
						changed := newSubject(
							t,
							k,
							status,
							func(r reflect.Value) { r.FieldByIndex(field.Index).Set(value) },
						)
						if changed == nil {
							continue // the store refuses it
						}
						open[rendered] = open[rendered] || base.shown != changed.shown
						open[kept] = open[kept] ||
							base.differ(
								changed,
								field.Name,
								func(s *subjects) *store.Store { return s.planted },
							)
						open[imported] = open[imported] ||
							base.differ(
								changed,
								field.Name,
								func(s *subjects) *store.Store { return s.imported },
							)
						if open == [4]bool{open[written], true, true, true} {
							break
						}
					}
				}
				judge(t, typ, owner, field, open)
			}
		})
	}
}

// judge reports a field without a door that is not omitted, and a field with a door that is
// omitted.
func judge(t *testing.T, typ, owner reflect.Type, field reflect.StructField, open [4]bool) {
	t.Helper()
	names := sourceFiles[owner.Name()]
	for d, isOpen := range open {
		_, ofType := omitted[typ.Name()+"."+field.Name][door(d)]
		_, ofOwner := omitted[owner.Name()+"."+field.Name][door(d)]
		switch {
		case isOpen && (ofType || ofOwner):
			t.Errorf(
				"%s.%s goes through a door that closed says is closed to it, and it is not true any more that "+complaint[d],
				typ.Name(),
				field.Name,
				names[d],
			)
		case !isOpen && !ofType && !ofOwner:
			t.Errorf("%s.%s: "+complaint[d], typ.Name(), field.Name, names[d])
		}
	}
}

// ownerOf returns the struct that declares a field: typ itself, or an embedded struct.
func ownerOf(typ reflect.Type, field reflect.StructField) reflect.Type {
	for _, i := range field.Index[:len(field.Index)-1] {
		typ = typ.Field(i).Type
	}
	return typ
}

// A subjects is a changed calendar, and its copies behind the doors.
type subjects struct {
	of       store.Kind
	shown    string
	planted  *store.Store // from its export
	imported *store.Store // from its lists
}

// newSubject returns the calendar of subject with a change to the second record of a kind, which
// has a status; nil if the store refuses the change.
func newSubject(
	t *testing.T,
	k store.Kind,
	status store.Status,
	change func(reflect.Value),
) *subjects {
	t.Helper()
	c := newCalendar(t)
	c.mustPlant(strings.ReplaceAll(subject, "STATUS", string(status)))
	if change != nil {
		err := c.Update(1, func(tx *store.Tx) error {
			all := slices.SortedFunc(
				tx.Each(k),
				func(a, b store.Record) int { return cmp.Compare(a.Key(), b.Key()) },
			)
			copied := reflect.New(reflect.TypeOf(all[1]).Elem())
			copied.Elem().Set(reflect.ValueOf(all[1]).Elem())
			change(copied.Elem())
			return tx.Put(copied.Interface().(store.Record))
		})
		if err != nil {
			return nil
		}
	}
	s := &subjects{of: k, planted: newCalendar(t).Store, imported: newCalendar(t).Store}
	admin := asker(t, c.Store, true)
	anybody := asker(t, c.Store, false)
	var items []intake.Item
	for _, list := range []string{"/categories?hide_empty=0", "/tags?hide_empty=0", "/venues?" + statuses, "/organizers?" + statuses,
		"/events?orderby=id&starts_after=0001-01-01&" + statuses} {
		answer := admin("GET", list, "")
		s.shown += answer + anybody("GET", strings.Split(list, "status=")[0], "")
		items = append(items, readItems(t, strings.NewReader(answer), list, nil)...)
	}
	err := s.imported.Update(1, func(tx *store.Tx) error {
		_, err := intake.Batch{
			Items: items,
		}.Apply(tx, intake.Options{
			Site:    c.options.Site,
			Now:     noon,
			Account: 1,
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = (&calendar{
		TB:      t,
		Store:   s.planted,
		options: c.options,
	}).plant(exported(t, c.Store)) // refused records are lost, too
	return s
}

// differ reports whether a field of the records of two calendars differs.
func (s *subjects) differ(other *subjects, field string, of func(*subjects) *store.Store) bool {
	values := func(s *subjects) (all []any) {
		_ = of(s).View(func(v *store.View) error {
			for _, r := range slices.SortedFunc(v.Each(s.of), func(a, b store.Record) int { return cmp.Compare(a.Key(), b.Key()) }) {
				all = append(all, reflect.ValueOf(r).Elem().FieldByName(field).Interface())
			}
			return nil
		})
		return all
	}
	return !reflect.DeepEqual(values(s), values(other))
}

// asker returns a function that sends requests to a server with a store, as its administrator or
// anonymously.
func asker(t *testing.T, s *store.Store, admin bool) func(method, path, body string) string {
	t.Helper()
	handler, token, err := almanactest.Handler(almanactest.Options{
		Store: s,
		Now:   noon.Add(time.Hour),
		Zone:  "America/New_York",
	})
	if err != nil {
		t.Fatal(err)
	}
	authorization := ""
	if admin {
		authorization = apitest.Bearer(token)
	}
	return func(method, path, body string) string {
		return apitest.Serve(
			handler,
			method,
			"http://calendar.example/cal/events/v1"+path,
			body,
			"Authorization",
			authorization,
		).Body.String()
	}
}

// candidates returns new values for a field. Some fields accept special texts and numbers only,
// which are included.
func candidates(t *testing.T, typ reflect.Type) (all []reflect.Value) {
	t.Helper()
	cropped := true
	for _, v := range []any{
		"other", "private", "canceled", "Europe/Paris", "suffix", "https://b.example/other.png", true, false, 7, 2.5, 1e6,
		[]int64{1}, []int64{2}, []int64{3}, []int64{5}, []string{"7"}, []string{"b.example?id=9"}, &store.Geo{
			Lat: 1,
			Lng: 2,
		},
		[]store.ImageSize{{
			Name:      "medium",
			Width:     3,
			Height:    2,
			MIMEType:  "image/png",
			Filesize:  9,
			Uncropped: &cropped,
			URL:       "m.png",
		}},
		store.CustomFields{{
			Key:   "k",
			Label: "L",
			Value: "v",
		}}, noon.Add(-time.Hour), int64(1), int64(7), store.WallOf(noon.AddDate(0, 0, 2)),
		&store.Recurrence{
			Series: 9,
			Start:  store.WallOf(time.Date(2031, 5, 12, 10, 0, 0, 0, time.UTC)),
		},
	} {
		if value := reflect.ValueOf(v); value.Type() == typ {
			all = append(all, value)
		} else if value.Kind() == typ.Kind() && value.CanConvert(typ) || value.Kind() == reflect.Int && typ.Kind() == reflect.Uint64 {
			all = append(all, value.Convert(typ))
		}
	}
	if all == nil {
		t.Fatalf("no value for a field of type %s: give candidates one", typ)
	}
	return all
}

// fieldsWritten returns the fields of records of a kind that requests can set: it sends every
// parameter of updates with every candidate value.
func fieldsWritten(t *testing.T, k store.Kind) map[string]bool {
	t.Helper()
	table := params.EventUpdate
	path := "/events/8"
	switch k {
	case store.Venues:
		table = params.VenueUpdate
		path = "/venues/4"
	case store.Organizers:
		table = params.OrganizerUpdate
		path = "/organizers/6"
	case store.Categories:
		table = params.CategoryUpdate
		path = "/categories/2"
	}
	c := newCalendar(t)
	c.mustPlant(strings.ReplaceAll(subject, "STATUS", "publish"))
	ask := asker(t, c.Store, true)
	set := map[string]bool{}
	before := records(c.Store)
	for _, value := range []string{
		`{"rule":"FREQ=DAILY;COUNT=2"}`,
		`"other"`, `"2031-07-01 10:00:00"`, `"draft"`, `"2031-07-02 10:00:00"`, `"trash"`, `"canceled"`, `"Europe/Paris"`, `"$7"`, `"7 €"`,
		`"https://b.example/other.png"`, `true`, `false`, `1`, `2`, `3`, `5`, `7`, `""`,
	} {
		degrees := []string{}
		for _, row := range table {
			if row.Format == "double" {
				degrees = append(degrees, fmt.Sprintf("%q:%s", row.Name, value))
			} else if !row.Path {
				ask("PATCH", path, fmt.Sprintf("{%q:%s}", row.Name, value))
			}
			ask("PATCH", path, "{"+strings.Join(degrees, ",")+"}") // both or none
			after := records(c.Store)
			for name, r := range after {
				if r.Kind() != k {
					continue
				}
				now := reflect.ValueOf(r).Elem()
				was := reflect.Zero(now.Type())
				if old := before[name]; old != nil {
					was = reflect.ValueOf(old).Elem()
				}
				for _, field := range reflect.VisibleFields(now.Type()) {
					if !field.Anonymous &&
						!reflect.DeepEqual(
							was.FieldByIndex(field.Index).Interface(),
							now.FieldByIndex(field.Index).Interface(),
						) {
						set[field.Name] = true
					}
				}
			}
			before = after
		}
	}
	return set
}

// Every field of a series and of its template has a member in exports.
func TestFieldsSeries(t *testing.T) {
	t.Parallel()
	s := &store.Series{}
	kept := map[any]bool{}
	for _, m := range intake.Members(s) {
		kept[m.Field] = true
	}
	series := reflect.ValueOf(s).Elem()
	event := reflect.ValueOf(&s.Event).Elem()
	for _, record := range []reflect.Value{series, event, event.FieldByName("Post"), event.FieldByName("Cost")} {
		for i := range record.NumField() {
			switch name := record.Type().Field(i).Name; {
			case name == "Meta" || name == "Event" || name == "Post" || name == "Cost" || name == "Recurrence" ||
				name == "NoWebsite" || name == "Proposal" || name == "Parts":
				// they have fields of their own, or their absence is an empty website; parts are
				// series of their own in a file
			case !kept[record.Field(i).Addr().Interface()]:
				t.Errorf(
					"an export does not keep %s of a series: it needs a row in internal/write/intake/members.go",
					name,
				)
			}
		}
	}
	if !kept[&s.ID] {
		t.Error("an export does not keep the id of a series")
	}
}

// The files in complaints exist.
func TestFieldsFiles(t *testing.T) {
	t.Parallel()
	for _, names := range sourceFiles {
		for d, name := range names {
			directory := [...]string{
				written:  "write",
				rendered: "wire/render",
				kept:     "write/intake",
				imported: "write/intake",
			}[d]
			if _, err := os.Stat("../../" + directory + "/" + name); err != nil {
				t.Error(err)
			}
		}
	}
}

// Every member of a record in a request has a row in the common table of imports, seeds and
// exports.
func TestFieldsTable(t *testing.T) {
	t.Parallel()
	for k, tables := range map[store.Kind][]params.Table{
		store.Events:     {params.EventCreate, params.EventUpdate, params.EventUpdateBySlug},
		store.Venues:     {params.VenueCreate, params.VenueUpdate},
		store.Organizers: {params.OrganizerCreate, params.OrganizerUpdate},
		store.Categories: {params.CategoryCreate, params.CategoryUpdate},
		store.Tags:       {params.TagCreate, params.TagUpdate},
	} {
		for _, row := range slices.Concat(tables...) {
			if row.Name == "scope" {
				continue // it selects records
			}
			if !slices.ContainsFunc(
				intake.Table[k],
				func(m intake.Member) bool { return m.Name == row.Name },
			) {
				t.Errorf(
					"requests send %s for %s, and internal/write/intake/members.go has no such row",
					row.Name,
					k,
				)
			}
		}
	}
}

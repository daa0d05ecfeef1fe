// Requests that nobody has thought of.

package params_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/caltime"
	"almanac/internal/wire/params"
)

var methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE"}

var contentTypes = []string{
	"", "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
	"multipart/form-data; boundary=\"\"", "text/plain", "application/ld+json;",
}

// Reading never panics, and makes no more of a request than its bytes.
func FuzzRead(f *testing.F) {
	for i, body := range []string{
		"", `{"title":"x","venue":{"id":20},"tags":["a",5,null]}`, "title=x&venue[venue]=Hall&tags[]=a&tags[3]=b",
		"--x\r\nContent-Disposition: form-data; name=\"cost[]\"\r\n\r\n5\r\n--x--\r\n", `{"a":"\ud83d\ude00\\"}`, "\xff\xfe",
		strings.Repeat("[", 600),
	} {
		for j := range contentTypes {
			f.Add(uint8(i), uint8(j), []byte(body), "cost[]=1&cost[k][l]=2&page=%zz&a[b=1&[c]=2&;")
		}
	}
	f.Fuzz(func(t *testing.T, method, contentType uint8, body []byte, query string) {
		s := params.Source{
			Method:      methods[int(method)%len(methods)],
			ContentType: contentTypes[int(contentType)%len(contentTypes)],
			Body:        body,
			Query:       query,
		}
		in, err := params.Read(s)
		if err != nil {
			if wrong := (*params.SyntaxError)(nil); !errors.As(err, &wrong) ||
				!slices.Contains([]int{1, 4, 5, 10}, wrong.Code) {
				t.Fatalf("error %v", err)
			}
			if json.Valid(body) && !strings.Contains(string(body), `\u`) && len(body) < 512 &&
				strings.ToValidUTF8(string(body), "") == string(body) {
				t.Fatalf("valid JSON is refused: %v", err)
			}
			return
		}
		for _, name := range []string{"cost", "title", "a", "page"} {
			if text, ok := in.Echo(name); ok && !in.Sent(name) ||
				len(in.Text(name)) > len(body)+len(query) {
				t.Fatalf("%s is %q", name, text)
			}
		}
		table := row(t, params.EventCreate, "cost")
		v, err := table.Check(in, env(t))
		if err != nil {
			t.Fatal(err)
		}
		if n := size(v.Any("cost")); n > 2*(len(body)+len(query)) {
			t.Fatalf("%d values of %d bytes", n, len(body)+len(query))
		}
	})
}

// size counts the values in a value.
func size(v any) int {
	n := 1
	switch v := v.(type) {
	case nil:
		return 0
	case []any:
		for _, item := range v {
			n += size(item)
		}
	case map[string]any:
		for _, item := range v {
			n += size(item)
		}
	}
	return n
}

// Checking a body against any table never panics, complains in order, says the
// same twice, and what it takes can be read.
func FuzzCheck(f *testing.F) {
	names := tableNames()
	east, err := caltime.LoadZone("Pacific/Kiritimati")
	if err != nil {
		f.Fatal(err)
	}
	for i := range names {
		for _, body := range []string{
			`{"title":"x","start_date":"tomorrow","end_date":"2031-05-10","venue":{"venue":"Hall","zip":5},"organizer":[{"organizer":"Ann",
				"image":{"id":40}},null,30]}`,
			`{"page":"1e1","per_page":0,"include":[1,"music"],"categories":{"0":1,"k":"music"},"status":"draft,","search":"","geoloc_lat":91}`,
			`{"name":"x","parent":"music","image":false,"website":0,"cost":[[1]],"tags":[{"id":{"id":1}},{"name":"\u0000"}],
				"timezone":"UTC+5.5","password":null}`,
			`{"recurrence":{"rule":"RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20310510","rdates":["2031-05-10 18:00:00","20310511"],"exdates":null},
				"scope":"following"}`,
			`{"recurrence":"RRULE:FREQ=MONTHLY;BYDAY=-1SA\r\nEXDATE;TZID=Asia/Tokyo:20310531T030000\nRDATE;VALUE=DATE:20310601","series":"none"}`,
		} {
			f.Add(uint8(i), "20", []byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, path string, body []byte) {
		table := tables[names[int(which)%len(names)]]
		s := ofJSON(string(body))
		s.Path = map[string]string{"id": path, "slug": path}
		in, err := params.Read(s)
		if err != nil {
			return
		}
		v, err := table.Check(in, env(t))
		if _, again := table.Check(in, env(t)); !cmp.Equal(err, again) {
			t.Fatalf("first %v, then %v", err, again)
		}
		if err == nil {
			for i := range table {
				v.Has(table[i].Name)
				value(v, &table[i])
				// A date that was taken can be read in every zone.
				if r := table[i]; r.Kind == params.Date && v.Has(r.Name) &&
					v.Date(r.Name, east) == (caltime.Moment{}) {
					t.Fatalf("%s: %q is no date in %s", r.Name, v.Text(r.Name), east)
				}
			}
			return
		}
		inOrder(t, table, err)
	})
}

// inOrder checks that an error names rows in their order, each once.
func inOrder(t *testing.T, table params.Table, err error) {
	t.Helper()
	var named []string
	var missing *params.Missing
	var bad *params.Invalid
	switch {
	case errors.As(err, &missing):
		named = missing.Names
	case errors.As(err, &bad):
		for _, c := range bad.Complaints {
			if c.Reason == "" || c.Type != bad.Complaints[0].Type {
				t.Fatalf("complaint %+v among %d", c, len(bad.Complaints))
			}
			named = append(named, c.Name)
		}
	default:
		t.Fatalf("error %v", err)
	}
	at := -1
	for _, name := range named {
		next := slices.IndexFunc(table, func(r params.Row) bool { return r.Name == name })
		if next <= at {
			t.Fatalf("%s is out of order in %v", name, named)
		}
		at = next
	}
	if named == nil {
		t.Fatal("an error that names nothing")
	}
}

// A form with a file never panics. The file is one part of the body, and each field is another
// part.
func FuzzUpload(f *testing.F) {
	form := "--x\r\nContent-Disposition: form-data; name=\"alt\"\r\n\r\nHall\r\n--x\r\n" +
		"Content-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n\xff\xd8\xff\r\n--x--\r\n"
	f.Add(form, "multipart/form-data; boundary=x", "")
	f.Add(form[:len(form)-9], "multipart/form-data; boundary=x", "")
	f.Add(strings.Repeat("--x\r\n\r\n\r\n", 300)+form, "multipart/form-data; boundary=x", "")
	f.Add("\xff\xd8\xff", "image/jpeg", `attachment; filename="a.jpg"`)
	f.Add("\xff\xd8\xff", "application/x-www-form-urlencoded", "attachment; filename=a")
	f.Fuzz(func(t *testing.T, body, contentType, disposition string) {
		in, err := params.Read(params.Source{
			Method:      "POST",
			ContentType: contentType,
			Disposition: disposition,
			Body:        []byte(body),
			Upload:      true,
		})
		if err != nil {
			return
		}
		if file := in.Upload(); file != nil &&
			len(file.Data) > len(body) { // quotation marks of parts are undone
			t.Errorf("%q has the file %q", body, file.Data)
		}
		if len(in.Names()) > 100 && strings.HasPrefix(contentType, "multipart/") {
			t.Errorf("%d fields", len(in.Names()))
		}
	})
}

// Where parameters are read from, and which source wins.

package params_test

import (
	"bytes"
	"errors"
	"fmt"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/wire/params"
)

// said returns the values of the names a and b, as a link would repeat them.
func said(t *testing.T, s params.Source) string {
	t.Helper()
	in := read(t, s)
	var parts []string
	for _, name := range []string{"a", "b"} {
		if text, ok := in.Echo(name); ok {
			parts = append(parts, name+"="+text)
		} else if in.Sent(name) {
			parts = append(parts, name+" is null")
		}
	}
	return strings.Join(parts, " ")
}

func TestSources(t *testing.T) {
	t.Parallel()
	const form, json = "application/x-www-form-urlencoded", "application/json"
	for _, tt := range []struct {
		name, method, contentType, body, query, want string
	}{
		{"query", "GET", "", "", "a=1&b=2", "a=1 b=2"},
		{"query of a write", "POST", "", "", "a=1", "a=1"},
		{"form before query", "POST", form, "a=form", "a=query&b=query", "a=form b=query"},
		{"JSON before query", "PUT", json, `{"a":"json"}`, "a=query&b=query", "a=json b=query"},
		{"null leaves it to the query", "PUT", json, `{"a":null,"b":null}`, "a=query", "a=query b is null"},
		{"empty wins", "PUT", json, `{"a":""}`, "a=query", "a="},
		{"JSON in a GET", "GET", json, `{"a":"json"}`, "a=query", "a=json"},
		{"JSON with a charset", "POST", "application/json; charset=utf-8", `{"a":1}`, "", "a=1"},
		{"JSON in upper case", "POST", "Application/JSON", `{"a":1}`, "", "a=1"},
		{"JSON of a vendor", "POST", "application/vnd.api+json", `{"a":1}`, "", "a=1"},
		{"JSON with options that say a thing twice", "POST", "application/json; charset=utf-8; charset=utf-8", `{"a":1}`, "", "a=1"},
		{"JSON with an option that is none", "POST", "application/json; charset", `{"a":1}`, "", "a=1"},
		{"JSON array", "POST", json, `[{"a":1}]`, "a=query", "a=query"},
		{"JSON string", "POST", json, `"a"`, "", ""},
		{"JSON number", "POST", json, `5`, "", ""},
		{"JSON null", "POST", json, `null`, "", ""},
		{"JSON of nothing", "POST", json, "", "b=2", "b=2"},
		{"JSON of spaces", "POST", json, " \n", "", ""},
		{"same key twice in JSON", "POST", json, `{"a":1,"a":2}`, "", "a=2"},
		{"same key twice in a query", "GET", "", "", "a=1&a=2", "a=2"},
		{"form of PUT", "PUT", form, "a=1", "", "a=1"},
		{"form of PATCH", "PATCH", form, "a=1", "", "a=1"},
		{"form of DELETE", "DELETE", form + "; charset=UTF-8", "a=1", "", "a=1"},
		{"form of GET", "GET", form, "a=1", "b=2", "b=2"},
		{"no type, POST", "POST", "", "a=1", "", ""},
		{"no type, PUT", "PUT", "", "a=1", "", "a=1"},
		{"no type, PATCH", "PATCH", "", "a=1", "", "a=1"},
		{"no type, DELETE", "DELETE", "", "a=1", "", "a=1"},
		{"no type, GET", "GET", "", "a=1", "", ""},
		{"text", "POST", "text/plain", `{"a":1}`, "", ""},
		{"JSON that is not of applications", "POST", "text/json", `{"a":1}`, "", ""},
		{"no media type", "PUT", "///", "a=1", "", ""},
		{"multipart in a PUT", "PUT", "multipart/form-data; boundary=x",
			"--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x--\r\n", "", ""},
		{"multipart", "POST", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x--\r\n",
			"a=query&b=2", "a=1 b=2"},
		{"multipart that is cut off", "POST", "multipart/form-data; boundary=x",
			"--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1", "b=2", "b=2"},
		{"multipart without a boundary", "POST", "multipart/form-data", "--x\r\n", "b=2", "b=2"},
		{"encoded names", "GET", "", "", "%61=x+y%26z&b=%C3%A9", "a=x y&z b=é"},
		{"broken encoding", "GET", "", "", "a=50%&b=%zz", "a=50% b=%zz"},
		{"no value, no name", "GET", "", "", "a&=5&&b==", "a= b=="},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := said(t, params.Source{
				Method:      tt.method,
				ContentType: tt.contentType,
				Body:        []byte(tt.body),
				Query:       tt.query,
			})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSyntaxErrors(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + "}" }
	const tooDeep, syntax, encoding, surrogate = 1, 4, 5, 10
	for _, tt := range []struct {
		name, body string
		code       int // 0: it is fine
	}{
		{"cut off", `{"title": "x", `, syntax},
		{"single quotes", `{'title': 'x'}`, syntax},
		{"comma at the end", `{"a":1,}`, syntax},
		{"more behind it", `{"a":1} {"b":2}`, syntax},
		{"closed too often", `{"a":1}}`, syntax},
		{"byte order mark", "\ufeff{}", syntax},
		{"text", "hello", syntax},
		{"control character", "{\"a\":\"\n\"}", syntax},
		{"bad escape", `{"a":"\x"}`, syntax},
		{"half an escape", `{"a":"\u12"}`, syntax},
		{"number with a zero before it", `{"a":01}`, syntax},
		{"NaN", `{"a":NaN}`, syntax},
		{"not UTF-8", "{\"a\":\"\xff\"}", encoding},
		{"Latin-1", "{\"a\":\"caf\xe9\"}", encoding},
		{"surrogate in UTF-8", "{\"a\":\"\xed\xa0\x80\"}", encoding},
		{"high half alone", `{"a":"\ud800b"}`, surrogate},
		{"low half alone", `{"a":"\udc00"}`, surrogate},
		{"high half at the end", `{"a":"\ud800`, surrogate},
		{"two high halves", `{"a":"\ud800\ud800"}`, surrogate},
		{"low half first", `{"a":"\udc00\ud800"}`, surrogate},
		{"half in a name", `{"\uD800":1}`, surrogate},
		{"a pair", `{"a":"\ud83d\uDE00"}`, 0},
		{"an escaped backslash before u", `{"a":"\\ud800"}`, 0},
		{"brackets in a text", `{"a":"` + strings.Repeat("[", 600) + `"}`, 0},
		{"a quote in a text", `{"a":"\"[[[{\\"}`, 0},
		{"as deep as may be", deep(64), 0},
		{"too deep", deep(65), tooDeep},
		{"too deep and never closed", strings.Repeat("[", 100_000), tooDeep},
		{"wide", `{"a":[` + strings.Repeat("[],", 600) + `[]]}`, 0},
		{"a number that is no float", `{"a":1e999999}`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := params.Read(ofJSON(tt.body))
			if tt.code == tooDeep { // only as long as there is a limit, or it cannot be read at all
				without := ofJSON(tt.body)
				without.Depth = 0
				if _, err := params.Read(without); (err != nil) != (len(tt.body) > 10_000) {
					t.Errorf("without a limit: %v", err)
				}
			}
			var wrong *params.SyntaxError
			switch errors.As(err, &wrong); {
			case tt.code == 0 && err != nil:
				t.Errorf("refused: %v", err)
			case tt.code != 0 && (wrong == nil || wrong.Code != tt.code || wrong.Reason == ""):
				t.Errorf("error %v, want code %d", err, tt.code)
			}
		})
	}
}

// The effect of brackets in names, shown by the parameter that may be anything.
func TestBrackets(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	type l = []any
	many := strings.Repeat("cost[]=1&", 10_001)
	for _, tt := range []struct {
		name, form string
		want       any
	}{
		{"list", "cost[]=a&cost[]=b", l{"a", "b"}},
		{"numbered list", "cost[0]=a&cost[1]=b", l{"a", "b"}},
		{"a gap", "cost[0]=a&cost[2]=b", m{"0": "a", "2": "b"}},
		{"on from a number", "cost[3]=a&cost[]=b", m{"3": "a", "4": "b"}},
		{"the other way round", "cost[1]=b&cost[0]=a", m{"0": "a", "1": "b"}},
		{"number again", "cost[0]=a&cost[0]=b", l{"b"}},
		{"map", "cost[k]=a&cost[l]=b", m{"k": "a", "l": "b"}},
		{"map in a list", "cost[0][k]=a&cost[0][l]=b&cost[1][k]=c", l{m{
			"k": "a",
			"l": "b",
		}, m{
			"k": "c",
		}}},
		{"list in a map", "cost[k][]=a&cost[k][]=b", m{"k": l{"a", "b"}}},
		{"each [] is a new one", "cost[][k]=a&cost[][l]=b", l{m{"k": "a"}, m{"l": "b"}}},
		{"text, then list", "cost=a&cost[]=b", l{"b"}},
		{"list, then text", "cost[]=a&cost=b", "b"},
		{"encoded brackets", "cost%5Bk%5D=a", m{"k": "a"}},
		{"text behind brackets", "cost[k]x[l]=a", m{"k": "a"}},
		{"no closing bracket in between", "cost[k][l=a", m{"k": "a"}},
		{"bracket in a key", "cost[a[b]=c", m{"a[b": "c"}},
		{"empty value", "cost[]=", l{""}},
		{"a negative number is a key", "cost[-1]=a", m{"-1": "a"}},
		{"a huge number does not count on", "cost[999999999999]=a&cost[]=b", m{
			"999999999999": "a",
			"0":            "b",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table := row(t, params.EventCreate, "cost")
			for _, s := range []params.Source{ofQuery(tt.form), ofForm(tt.form)} {
				if diff := cmp.Diff(tt.want, taken(t, table, s)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", s.Method, diff)
				}
			}
		})
	}
	t.Run("more than are read", func(t *testing.T) {
		t.Parallel()
		table := row(t, params.EventCreate, "cost")
		if list := taken(t, table, ofForm(many)).(l); len(list) != 10_000 {
			t.Errorf("%d items", len(list))
		}
		if got := taken(t, table, ofForm("cost=kept&"+strings.ReplaceAll(many, "cost", "x")+"cost[0][k]=lost")); got != "kept" {
			t.Errorf("what was not read took the place of what was: %v", got)
		}
	})
	t.Run("a name that is not closed is a name", func(t *testing.T) {
		t.Parallel()
		if in := read(t, ofQuery("cost[k=a&[x]=b")); !in.Sent("cost[k") || !in.Sent("[x]") ||
			in.Sent("cost") {
			t.Error("taken apart")
		}
	})
}

func TestMultipart(t *testing.T) {
	t.Parallel()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, field := range [][2]string{{"title", "Fête"}, {"venue[venue]", "Hall"}, {"venue[city]", "Paris"}, {"cost[]", "5"},
		{"cost[]", "7"}, {"", "nameless"}} {
		if err := w.WriteField(field[0], field[1]); err != nil {
			t.Fatal(err)
		}
	}
	file, err := w.CreateFormFile("image", "a.png")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(file, "a picture")
	w.Close()
	s := params.Source{Method: "POST", ContentType: w.FormDataContentType(), Body: body.Bytes()}
	in := read(t, s)
	for name, want := range map[string]string{
		"title": "Fête",
		"venue": "Paris,Hall",
		"cost":  "5,7",
	} {
		if got, _ := in.Echo(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if in.Sent("image") || in.Sent("") {
		t.Error("a file or what has no name is a parameter")
	}
	if got := taken(t, row(t, params.EventCreate, "venue"), s); !cmp.Equal(
		got,
		any(links{"Hall"}),
	) {
		t.Errorf("venue %v", got)
	}
}

func TestTextAndEcho(t *testing.T) {
	t.Parallel()
	in := read(t, params.Source{
		Method:      "POST",
		ContentType: "application/json",
		Query:       "q=1&_fields[]=id&_fields[]=title&odd[9]=c&odd[10]=d&odd[x]=f&odd[b]=e",
		Body: []byte(
			`{"n":1.50,"yes":true,"no":false,"null":null,"list":["a",2,true,["b"]],"map":{"k":"v"}}`,
		),
	})
	type pair struct{ Text, Echo string }
	for name, want := range map[string]pair{
		"q":       {"1", "1"},
		"_fields": {"id,title", "id,title"},
		"n":       {"1.50", "1.50"},
		"yes":     {"", "1"},
		"no":      {"", "0"},
		"null":    {"", ""},
		"list":    {"a", "a,2,1,b"},
		"map":     {"", "v"},
		"odd":     {"", "c,d,e,f"},
		"never":   {"", ""},
	} {
		echo, ok := in.Echo(name)
		if diff := cmp.Diff(want, pair{in.Text(name), echo}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if ok != (name != "never" && name != "null") || in.Sent(name) != (name != "never") {
			t.Errorf("%s: echoed %t, sent %t", name, ok, in.Sent(name))
		}
	}
}

// Every kind of value in every form it comes in.

package params_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/wire/params"
)

type (
	trials map[string]any // results by input
	refs   = []params.TermRef
	links  = []any
	ids    = []int64
)

func TestKinds(t *testing.T) {
	t.Parallel()
	texts := trials{
		"a":      "a",
		" ":      " ",
		"00":     "00",
		"":       refused,
		"0":      refused,
		"a\x00b": refused,
		"\xff":   refused,
		"[]=a":   refused,
	}
	jsonTexts := trials{
		`"a"`: "a", `" "`: " ", `"caf\u00e9"`: "café", `"\ud83d\ude00"`: "😀", `"a\\b"`: `a\b`,
		`""`: refused, `"0"`: refused, `5`: refused, `true`: refused, `false`: refused, `["a"]`: refused, `{"a":"b"}`: refused,
		`"\u0000"`: refused, `null`: absent,
	}
	optional := trials{"a": "a", "": "", "0": "0", "\x00": refused, "[]=a": refused}
	jsonOptional := trials{
		`""`:    "",
		`"0"`:   "0",
		`2108`:  refused,
		`["a"]`: refused,
		`false`: refused,
		`null`:  absent,
	}
	booleans := trials{
		"true": true, "TRUE": true, "1": true, "false": false, "False": false, "0": false,
		"": typed, "yes": typed, "on": typed, "no": typed, "2": typed, "[]=1": typed, "[a]=1": typed,
	}
	jsonBooleans := trials{
		`true`:    true,
		`false`:   false,
		`1`:       true,
		`0`:       false,
		`"1"`:     true,
		`"fAlse"`: false,
		`"yes"`:   typed,
		`2`:       typed,
		`1.0`:     typed,
		`[]`:      typed,
		`{}`:      typed,
		`null`:    absent,
	}
	word := trials{
		"1": true, "true": true, "YES": true, "y": true, "On": true, "enable": true, "enabled": true,
		"": false, "0": false, "no": false, "x": false, "2": false, "false": false,
	}
	dates := trials{
		"2031-05-10": "2031-05-10", "2031-05-10T09:00+09:00": "2031-05-10T09:00+09:00", "tomorrow 9am": "tomorrow 9am",
		"1935000000": "1935000000", "9999-12-31 23:59:59": "9999-12-31 23:59:59", "1970-01-01 00:00:00": "1970-01-01 00:00:00", "0": "0",
		"bad": refused, "": refused, "2031-13-01": refused, "2031-05-10 25:00": refused, "[]=2031-05-10": refused, "0000-00-00 00:00:00": refused,
	}
	jsonDates := trials{
		`"2031-05-10"`:   "2031-05-10",
		`1935000000`:     typed,
		`true`:           refused,
		`["2031-05-10"]`: refused,
		`{}`:             refused,
		`null`:           absent,
	}
	terms := trials{
		"1": ids{
			1,
		}, "1,2": ids{1, 2}, " 1 , music ": ids{1, 1}, "MUSIC": ids{1}, "live music": ids{1}, "2024": ids{2}, "4": ids{3},
		"[]=1&[]=music": ids{
			1,
			1,
		}, "[0]=1&[2]=2": ids{1, 2}, "[b]=2&[a]=1": ids{1, 2}, "[10]=1&[9]=2": ids{2, 1},
		"": refused, "0": refused, "-1": refused, "1,": ids{1}, ",": refused, "99": refused, "nothing": refused, "free": refused,
		"5": refused, "[][]=1": refused,
	}
	known := trials{
		"20":          ids{20},
		"20,21":       ids{20, 21},
		"[]=21&[]=20": ids{21, 20},
		"":            refused,
		"hall":        refused,
		"10":          refused,
		"20,99":       refused,
		"0":           refused,
		"-20":         refused,
	}
	image := trials{
		"40": params.ImageRef{ID: 40}, " 40 ": params.ImageRef{ID: 40},
		"https://example.org/a.png": params.ImageRef{URL: "https://example.org/a.png"},
		"41":                        refused, "20": refused, "0": refused, "a.png": refused, "mailto:a@example.org": refused,
		strangeImage: refused,
		"false":      refused, "/a.png": refused,
		"[id]=40": params.ImageRef{ID: 40}, "[url]=http://x/y": params.ImageRef{URL: "http://x/y"},
	}
	jsonImage := trials{
		`40`: params.ImageRef{
			ID: 40,
		},
		`"40"`: params.ImageRef{
			ID: 40,
		},
		`41`:                                refused,
		`false`:                             params.ImageRef{},
		`true`:                              refused,
		`[40]`:                              refused,
		`{}`:                                refused,
		`null`:                              absent,
		`{"id":40,"url":"https://x/y.png"}`: params.ImageRef{ID: 40},
		`{"id":7,"url":"https://x/y.png"}`: params.ImageRef{
			URL: "https://x/y.png",
		},
		`{"id":7}`: refused,
	}
	with := func(all trials, more trials) trials {
		merged := trials{}
		for _, from := range []trials{all, more} {
			for sent, want := range from {
				merged[sent] = want
			}
		}
		return merged
	}
	tests := []struct {
		name        string
		table       params.Table
		row         string
		query, json trials
	}{
		{"page number", params.EventList, "page", trials{
			"1": int64(
				1,
			), "01": int64(1), "1 ": int64(1), "1e1": int64(10), "50": int64(50), "1000000": int64(1000000),
			"0": refused, "-1": refused, "1.5": refused, "": refused, "x": refused, "[]=1": refused, "0x10": refused, "1_0": refused,
			"inf": refused, "1e300": refused,
		}, trials{
			`5`:    int64(5),
			`"7"`:  int64(7),
			`1e2`:  int64(100),
			`2.0`:  int64(2),
			`0`:    refused,
			`true`: refused,
			`[1]`:  refused,
			`{}`:   refused,
			`null`: absent,
		}},
		{"boolean", params.EventList, "featured", booleans, jsonBooleans},
		{"boolean of a write", params.EventCreate, "all_day", booleans, jsonBooleans},
		{"word boolean of a list", params.VenueList, "has_events", with(word, trials{
			"[]=1": false,
		}),
			trials{
				`true`:  true,
				`1`:     true,
				`0`:     false,
				`[]`:    false,
				`"yes"`: true,
				`null`:  absent,
			}},
		{"word boolean that is a text", params.VenueCreate, "show_map", with(word, trials{
			"[]=1": typed,
		}),
			trials{
				`"true"`: true,
				`""`:     false,
				`true`:   true,
				`false`:  false,
				`0`:      typed,
				`1`:      typed,
				`[]`:     typed,
				`{}`:     typed,
				`null`:   absent,
			}},
		{"loose boolean", params.EventList, "strict_dates",
			trials{
				"1":     true,
				"True":  true,
				"on":    true,
				"yes":   true,
				"no":    false,
				"x":     false,
				"false": false,
				"":      refused,
				"0":     refused,
				"[]=1":  refused,
			},
			trials{
				`true`:  true,
				`false`: false,
				`"x"`:   false,
				`""`:    refused,
				`[]`:    refused,
				`null`:  absent,
			}},
		{"text", params.EventCreate, "title", texts, jsonTexts},
		{"text of a filter", params.EventList, "search", texts, jsonTexts},
		{
			"text that an update may empty",
			params.EventUpdate,
			"description",
			optional,
			jsonOptional,
		},
		{"text of a term", params.CategoryCreate, "name", texts, jsonTexts},
		{"optional text", params.VenueCreate, "zip", optional, jsonOptional},
		{"e-mail, never checked", params.OrganizerCreate, "email", with(optional, trials{
			"not an address": "not an address",
		}), jsonOptional},
		{"new password", params.EventUpdate, "password", optional, jsonOptional},
		{"series", params.EventList, "series", trials{
			"none":   ids{0},
			"":       refused,
			"None":   refused,
			"none,1": refused,
			"99":     refused,
		}, nil},
		{"scope", params.EventUpdate, "scope", trials{
			"this": "this",
			"all":  "all",
			"":     refused,
			"ALL":  refused,
			"none": refused,
		},
			trials{`"following"`: "following", `1`: refused, `["all"]`: refused, `null`: absent}},
		{"password", params.EventRead, "password", texts, jsonTexts},
		{"id of a thing", params.EventList, "post_parent",
			trials{
				"10":                   int64(10),
				"010":                  int64(10),
				"11":                   int64(11),
				"20":                   refused,
				"12":                   refused,
				"0":                    refused,
				"-10":                  refused,
				"concert":              refused,
				"":                     refused,
				"[]=10":                refused,
				"99999999999999999999": refused,
			},
			trials{
				`10`:   int64(10),
				`"10"`: int64(10),
				`10.5`: refused,
				`true`: refused,
				`[10]`: refused,
				`null`: absent,
			}},
		{"account", params.EventCreate, "author", trials{
			"2":  int64(2),
			"3":  refused,
			"10": refused,
		}, trials{
			`1`:   int64(1),
			`"x"`: refused,
		}},
		{"id or none", params.CategoryCreate, "parent",
			trials{
				"1":     int64(1),
				"0":     int64(0),
				"9":     refused,
				"5":     refused,
				"music": typed,
				"x":     refused,
				"-1":    refused,
				"":      refused,
			},
			trials{`0`: int64(0), `2`: int64(2), `"2024"`: refused, `null`: absent}},
		{"date", params.EventList, "start_date", dates, jsonDates},
		{"date of a write", params.EventCreate, "date_utc", dates, jsonDates},
		{"address", params.EventCreate, "website", trials{
			"http://example.org": "http://example.org", "HTTPS://x/?a=b#c": "HTTPS://x/?a=b#c", "ftp://x": "ftp://x",
			"mailto:a@b": "mailto:a@b", "": "", "0": "",
			"example.org": refused, "//x": refused, "javascript:alert(1)": refused, "data:text/html,x": refused, "http://": refused,
			"http://:80": refused, "mailto:ab": refused,
			"http://exämple.org": refused, "http://x/ä": refused, "http://x/a b": refused, "http://x/\n": refused, "[]=http://x": refused,
		}, trials{
			`""`:    "",
			`false`: "",
			`0`:     "",
			`true`:  refused,
			`5`:     refused,
			`[]`:    refused,
			`null`:  absent,
		}},
		{"status", params.EventCreate, "status",
			trials{
				"publish":    "publish",
				"future":     "future",
				"draft":      "draft",
				"pending":    "pending",
				"private":    "private",
				"trash":      "trash",
				"auto-draft": refused,
				"inherit":    refused,
				"":           refused,
				"PUBLISH":    refused,
				"[]=draft":   refused,
			},
			trials{`"draft"`: "draft", `1`: refused, `null`: absent}},
		{"statuses", params.EventList, "status",
			trials{
				"publish":      []string{"publish"},
				"draft, trash": []string{"draft", "trash"},
				"[]=publish":   []string{"publish"},
				"":             []string{""},
			},
			trials{
				`["draft","trash"]`: []string{"draft", "trash"},
				`"any"`:             []string{"any"},
				`1`:                 refused,
				`[1]`:               refused,
				`null`:              absent,
			}},
		{"zone", params.EventCreate, "timezone", trials{
			"europe/paris":  "Europe/Paris",
			"UTC":           "UTC",
			"UTC+5.5":       "UTC+5.5",
			"UTC-9:30":      "UTC-9:30",
			"+02:00":        "+02:00",
			"EST5EDT":       "EST5EDT",
			"":              "the site's",
			"Mars/Phobos":   refused,
			"UTC+abc":       refused,
			"UTC+15":        refused,
			"../etc/passwd": refused,
			"[]=UTC":        refused,
		}, trials{`5`: refused, `["UTC"]`: refused, `null`: absent}},
		{"latitude", params.EventList, "geoloc_lat", trials{
			"90":     90.0,
			"-90":    -90.0,
			"90.01":  refused,
			"-90.01": refused,
			"north":  refused,
			"0x1p3":  refused,
			"0X8":    refused,
			"1_0":    refused,
			"+1.5e1": 15.0,
			".5":     0.5,
		},
			trials{`48.5`: 48.5, `91`: refused, `"0x1p3"`: refused, `"4_8.5"`: refused}},
		{"longitude", params.VenueCreate, "geo_lng", trials{
			"180":   180.0,
			"-180":  -180.0,
			"180.5": refused,
		},
			trials{`-0.5`: -0.5, `-181`: refused, `null`: absent, `"1_0"`: refused}},
		{"number", params.EventList, "geoloc_radius", trials{
			"48.85":     48.85,
			" -1e1 ":    -10.0,
			"0":         0.0,
			"abc":       refused,
			"":          refused,
			"NaN":       refused,
			"inf":       refused,
			"-Infinity": refused,
			"0x10":      refused,
			"1_000":     refused,
			"[]=1":      refused,
		},
			trials{`1.5`: 1.5, `"1.5"`: 1.5, `true`: refused, `1e999`: refused, `null`: absent}},
		{"image of an event", params.EventCreate, "image", with(image, trials{
			"": refused,
		}), with(jsonImage, trials{
			`""`: refused,
		})},
		{"image of a venue", params.VenueCreate, "image", with(image, trials{
			"": params.ImageRef{},
		}),
			with(jsonImage, trials{`""`: params.ImageRef{}})},
		{"terms of a filter", params.EventList, "categories", terms, trials{
			`1`:            ids{1},
			`"music"`:      ids{1},
			`["2",1]`:      ids{2, 1},
			`["2",""," "]`: ids{2},
			`[""]`:         refused,
			`[true]`:       refused,
			`[{"id":1}]`:   refused,
			`[]`:           none,
			`null`:         absent,
		}},
		{"known ids", params.EventList, "venue", known, trials{
			`20`:        ids{20},
			`[20,"21"]`: ids{20, 21},
			`[[20]]`:    refused,
			`{}`:        none,
			`[]`:        none,
			`null`:      absent,
		}},
		{"ids", params.EventList, "include",
			trials{
				"7":      ids{7},
				"7,7, 8": ids{7, 7, 8},
				"[]=7":   ids{7},
				"":       refused,
				"0":      refused,
				"-1":     refused,
				"7,":     ids{7},
				",":      refused,
				"x":      refused,
				"1.5":    refused,
			},
			trials{
				`[7,"8"]`: ids{7, 8},
				`7`:       ids{7},
				`[1.5]`:   refused,
				`[null]`:  refused,
				`[]`:      none,
				`null`:    absent,
			}},
		{"ids of terms", params.CategoryList, "include",
			trials{
				"1,2":     ids{1, 2},
				"music":   ids{0},
				"music,1": ids{0, 1},
				"99":      refused,
				"":        refused,
				"5":       refused,
				"nothing": refused,
				"0":       refused,
			},
			trials{`[1,"music"]`: ids{1, 0}, `[99]`: refused, `[]`: none, `null`: absent}},
		{"cost is not read here", params.EventCreate, "cost",
			trials{
				"5":         "5",
				"[]=5&[]=7": []any{"5", "7"},
			}, trials{
				`5`:       json.Number("5"),
				`["a",1]`: []any{"a", json.Number("1")},
				`null`:    absent,
			}},
		{"terms of a write", params.EventCreate, "tags", trials{
			"5": refs{{
				ID: 5,
			}}, "free": refs{{
				ID: 5,
			}}, "FREE ENTRY, 6": refs{{
				ID: 5,
			}, {
				ID: 6,
			}}, "New one": refs{{
				Name: "New one",
			}},
			"[]=a&[]=5": refs{{Name: "a"}, {ID: 5}},
			"99":        refs{}, "0": refs{}, "": refs{}, ",": refs{}, "1": refs{},
			strings.Repeat("é", 200): refs{{Name: strings.Repeat("é", 200)}},
			strings.Repeat("a", 201): refused, "\xff": refused, "a\x00": refused, "[id]=5": refs{{
				ID: 5,
			}}, "[3]=5&[1]=a": refs{{
				Name: "a",
			}, {
				ID: 5,
			}},
		}, trials{
			`[]`: refs{}, `""`: refs{}, `5`: refs{{
				ID: 5,
			}}, `["5","a",99,0,""]`: refs{{
				ID: 5,
			}, {
				Name: "a",
			}},
			`[{"id":5,"name":"x"},{"slug":"free"},{"name":"Jazz"}]`: refs{{
				ID: 5,
			}, {
				ID: 5,
			}, {
				Name: "Jazz",
			}}, `{"id":5}`: refs{{
				ID: 5,
			}},
			`{"name":"Jazz","slug":""}`: refs{{Name: "Jazz"}},
			`[{}]`:                      refused, `[{"id":[1]}]`: refused, `[true]`: refused, `[["a"]]`: refused, `[1.5]`: refused, `[-1]`: refused,
			`[null,5,false]`: refs{{ID: 5}}, `false`: refs{}, `true`: refused, `null`: absent,
		}},
		{"venue of an event", params.EventCreate, "venue", trials{
			"20": links{
				int64(20),
			}, "20,21": links{int64(20), int64(21)}, "[]=20": links{int64(20)},
			"[venue]=Hall&[city]=Paris": links{"Hall"}, "[id]=20&[phone]=5": links{int64(20)},
			"[0][venue]=Hall&[1]=20": links{
				"Hall",
				int64(20),
			}, "": links{}, "0": links{}, "99": refused, "30": refused, "Hall": refused,
			"[city]=Paris": refused, "[venue]=": refused,
		}, trials{
			`20`: links{
				int64(20),
			}, `"20"`: links{int64(20)}, `{"id":20}`: links{int64(20)}, `{"id":"20","venue":"x"}`: links{int64(20)},
			`{"venue":"Hall","city":"Paris"}`: links{"Hall"},
			`[20]`: links{
				int64(20),
			}, `[20,{"venue":"Hall"}]`: links{int64(20), "Hall"},
			`"20,21"`: links{int64(20), int64(21)},
			`[{"id":0,"venue":"Hall"}]`: links{
				"Hall",
			}, `{"id":null,"venue":"Hall"}`: links{"Hall"},
			`""`: links{}, `0`: links{}, `false`: links{}, `[]`: links{}, `{}`: links{}, `"0"`: links{}, `[null]`: links{nil}, `null`: absent,
			`99`: refused, `10`: refused, `"Hall"`: refused, `true`: refused, `{"city":"Paris"}`: refused, `{"venue":5}`: refused,
			`{"venue":"Hall","website":"bad"}`: refused, `{"id":99}`: refused, `[20,99]`: refused,
			`{"id":{"id":20}}`: refused, `[[20]]`: refused, `[0]`: refused, `[false]`: refused, `{"venue":"Hall","zip":5}`: refused,
			`{"venue":"Hall","image":41}`: refused, `{"venue":"Hall","image":40}`: links{"Hall"},
		}},
		{"organizer of an event", params.EventUpdate, "organizer", trials{
			"30,31":              links{int64(30), int64(31)},
			"[0][organizer]=Ann": links{"Ann"},
			"[organizer]=Ann":    links{"Ann"},
			"20":                 refused,
		}, trials{
			`{"organizer":"Ann","email":"bad"}`:   links{"Ann"},
			`[30,{"organizer":"Eve"}]`:            links{int64(30), "Eve"},
			`{"organizer":"Ann","website":"bad"}`: refused,
			`{"venue":"Ann"}`:                     refused,
			`null`:                                absent,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table := row(t, tt.table, tt.row)
			compare := func(what, sent string, s params.Source, want any) {
				t.Helper()
				if diff := cmp.Diff(want, taken(t, table, s)); diff != "" {
					t.Errorf("%s %s (-want +got):\n%s", what, sent, diff)
				}
			}
			for sent, want := range tt.query {
				compare("query", sent, ofQuery(assignment(tt.row, sent)), want)
				compare("form", sent, ofForm(assignment(tt.row, sent)), want)
			}
			for sent, want := range tt.json {
				compare("JSON", sent, ofJSON(member(tt.row, sent)), want)
			}
		})
	}
}

func TestLongValues(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 200_001)
	list := strings.TrimSuffix(strings.Repeat("7,", 501), ",")
	for name, sent := range map[string]string{
		"search": long, "include": list, "categories": strings.ReplaceAll(list, "7", "1"),
		"status": strings.ReplaceAll(list, "7", "draft"), "start_date": long,
	} {
		if got := taken(t, row(t, params.EventList, name), ofQuery(name+"="+sent)); got != refused {
			t.Errorf("%s of %d bytes: %v", name, len(sent), got)
		}
	}
	for name, body := range map[string]string{
		"website": `"http://x/` + long + `"`,
		"venue":   "[" + strings.ReplaceAll(list, "7", "20") + "]",
		"tags":    "[" + list + "]",
	} {
		if got := taken(t, row(t, params.EventCreate, name), ofJSON(member(name, body))); got != refused {
			t.Errorf("%s of %d bytes: %v", name, len(body), got)
		}
	}
}

// Names in a path are looked up by other rules than names in a body.
func TestPath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		table params.Table
		path  string
		want  any
	}{
		{"event, looked up later", params.EventRead, "999", int64(999)},
		{"event with zeros", params.EventUpdate, "007", int64(7)},
		{"number beyond all ids", params.EventRead, "99999999999999999999", int64(1<<63 - 1)},
		{"venue", params.VenueRead, "20", int64(20)},
		{"no venue", params.VenueUpdate, "10", refused},
		{"category", params.CategoryUpdate, "1", int64(1)},
		{"tag where a category should be", params.CategoryRead, "5", refused},
		{"slug", params.VenueReadBySlug, "hall", "hall"},
		{"slug in upper case", params.OrganizerReadBySlug, "ANN", "ANN"},
		{"slug of digits", params.EventReadBySlug, "2031", "2031"},
		{"slug of another kind", params.OrganizerUpdateBySlug, "hall", refused},
		{"name is no slug", params.VenueReadBySlug, "Hall of it", refused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := tt.table[0].Name
			s := ofJSON(`{"id":20,"slug":"barn"}`) // the path wins
			s.Path = map[string]string{name: tt.path}
			if diff := cmp.Diff(tt.want, taken(t, row(t, tt.table, name), s)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	// Without a path there is none, whatever the body says.
	_, err := params.EventRead.Check(read(t, ofJSON(`{"id":10}`)), env(t))
	if diff := cmp.Diff(&params.Missing{Names: []string{"id"}}, err); diff != "" {
		t.Errorf("no path (-want +got):\n%s", diff)
	}
}

package house

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// This file holds who may import what, and the promise that the program links
// the standard library and nothing else. `make check` runs it.

// An importRule says what the files of a package that are no tests may import,
// those for other systems among them.
type importRule struct {
	pkg  string   // below the module; "" is package main
	ours []string // packages of the module that it may import
	not  []string // packages of the standard library that it must not
	why  string
}

var importRules = []importRule{
	{
		"",
		[]string{
			"internal/cli",
			"internal/serve/command",
			"internal/serve/confine",
			"internal/serve/fixture",
			"internal/api",
			"internal/desk",
			"internal/site",
			"internal/api/history",
			"internal/api/ingest",
			"internal/api/media",
		},
		nil,
		"main has the table of commands and the list of routes, and nothing else",
	},
	{
		"move",
		[]string{
			"move/adopt",
			"internal/api",
			"internal/cli",
			"move/compare",
			"move/conformance",
			"move/pull",
			"move/transfer",
		},
		nil,
		"main of almanac-move has its table of commands and the routes of the specification",
	},
	{"internal/cli", []string{"internal/cli/build",
		"internal/text/caltime",
		"internal/people/limit",
		"internal/cli/systemd"}, []string{"net/http",
		"os"},
		"how a command is called and how it reports depends on nothing that it does"},
	{"internal/serve/command", []string{"i18n/cldr",
		"internal/cli",
		"internal/api",
		"internal/serve/fixture",
		"store",
		"internal/people/account",
		"internal/text/caltime",
		"i18n",
		"internal/write/intake",
		"internal/wire/pages",
		"internal/write/seed",
		"internal/people/password",
		"internal/serve/confine",
		"internal/cli/build",
		"internal/cli/systemd",
		"internal/serve/accesslog",
		"internal/serve/httpd",
		"internal/api/admission",
		"internal/api/media",
		"internal/site",
		"internal/cli/socket",
		"store/disk",
		"internal/people/submission",
		"store/media"}, nil,
		"commands wire the parts; what a request or a list means is decided below api"},
	{"internal/cli/socket", []string{"internal/cli", "store"}, nil,
		"a command reaches a server in one way, whatever it asks for"},
	{
		"move/transfer",
		[]string{
			"internal/text/jsonio",
			"internal/text/markup",
			"internal/people/account",
			"internal/api/admission",
			"internal/api",
			"internal/text/caltime",
			"internal/cli",
			"internal/cli/socket",
			"move/client",
			"internal/write/intake",
			"move/files",
			"internal/api/media",
			"internal/people/password",
			"store/disk",
			"internal/write",
			"store",
		},
		nil,
		"records go to a directory or a server in one way, whichever command read them",
	},
	{
		"move/pull",
		[]string{
			"store/disk",
			"internal/text/caltime",
			"internal/cli",
			"move/client",
			"internal/write/intake",
			"move/files",
			"internal/text/jsonio",
			"move/transfer",
			"store",
		},
		nil,
		"a document of a source is read and stored as that of an import",
	},
	{
		"internal/serve/httpd",
		[]string{
			"internal/api",
			"internal/serve/accesslog",
			"internal/cli/build",
			"internal/text/caltime",
			"internal/people/limit",
			"internal/serve/metrics",
			"internal/api/front",
			"store",
		},
		nil,
		"how connections are served depends on no operation; what is counted is told by api and the store",
	},
	{"internal/api", []string{"i18n/cldr",
		"store/cache",
		"internal/api/front",
		"internal/api/respond",
		"internal/wire/params",
		"filters",
		"internal/people/access",
		"internal/write",
		"internal/wire/render",
		"internal/text/jsonio",
		"internal/api/openapi",
		"store",
		"i18n",
		"internal/text/caltime",
		"internal/people/account",
		"internal/text/cost",
		"internal/text/markup",
		"internal/write/intake",
		"internal/people/password",
		"internal/people/limit",
		"internal/wire/feed",
		"internal/wire/pages",
		"internal/text/rrule",
		"internal/api/admission", "internal/people/submission"}, []string{"os", "path/filepath"},
		"answers come from the store: no request reaches a file by another way; api does not know site and fixture"},
	{
		"internal/site",
		[]string{
			"internal/api",
			"internal/api/front",
			"internal/wire/feed",
			"internal/wire/pages",
			"internal/wire/params",
			"filters",
			"internal/people/access",
			"internal/people/account",
			"internal/text/markup",
			"internal/text/qr",
			"internal/wire/render",
			"internal/api/respond",
			"store",
			"i18n",
			"internal/text/caltime",
		},
		[]string{"os", "path/filepath"},
		"pages are another form of the lists and the records of api, and ask for them there",
	},
	{"internal/desk", []string{"i18n/cldr",
		"internal/api",
		"internal/api/front",
		"internal/api/history",
		"internal/api/media",
		"internal/site",
		"internal/wire/pages",
		"internal/wire/params",
		"filters",
		"internal/people/access",
		"internal/people/account",
		"internal/cli/build",
		"internal/text/cost",
		"internal/text/markup",
		"internal/api/respond",
		"internal/text/rrule",
		"internal/people/submission",
		"store",
		"store/record",
		"i18n",
		"internal/text/caltime",
		"internal/write"},
		[]string{
			"os",
			"path/filepath",
		}, "forms become parameters of operations of api, which check them, and of write, whose reports come back"},
	{
		"internal/api/ingest",
		[]string{
			"internal/api",
			"internal/people/account",
			"internal/write/intake",
			"internal/text/jsonio",
			"internal/people/limit",
			"internal/wire/params",
			"internal/api/respond",
			"store",
		},
		[]string{"os", "path/filepath"},
		"how records are taken is decided in intake, and who may send them in api",
	},
	{
		"internal/api/history",
		[]string{"internal/api",
			"internal/people/access",
			"internal/people/account",
			"internal/text/jsonio",
			"internal/wire/params",
			"internal/wire/render",
			"internal/api/respond",
			"internal/write",
			"store"},
		[]string{"os", "path/filepath"},
		"what a record was is in the log of the store; how it is asked for is decided in api, and how it is written again in write",
	},
	{
		"internal/api/media",
		[]string{
			"internal/api",
			"internal/people/access",
			"internal/people/account",
			"internal/api/admission",
			"internal/text/jsonio",
			"internal/people/limit",
			"internal/text/markup",
			"internal/wire/pages",
			"internal/wire/params",
			"internal/api/picture",
			"internal/api/respond",
			"internal/write",
			"filters",
			"store",
			"store/media",
		},
		[]string{
			"os",
			"path/filepath",
		},
		"pictures are records with files, and the store has both",
	},
	{"internal/api/picture", nil, []string{"net/http", "os"}, "bytes become other bytes"},
	{"internal/api/front", []string{"i18n"}, []string{"os"},
		"where a request comes from and leads to is settled before anything of it is read"},
	{"internal/api/respond", []string{"internal/text/jsonio"}, []string{"os"},
		"how an answer is written depends on no operation and no record"},
	{
		"internal/serve/fixture",
		[]string{
			"internal/api",
			"internal/wire/params",
			"internal/write/seed",
			"store",
			"internal/text/caltime",
			"internal/people/account",
			"internal/api/ingest",
			"internal/text/jsonio",
		},
		[]string{"os", "path/filepath"},
		"what tests decide is a layer around the server: requests to servers without it meet none of its code",
	},
	{"internal/people/access", []string{"internal/people/account",
		"store"}, []string{"net/http",
		"os"},
		"who sees what is decided from the caller and the record alone"},
	{
		"internal/api/admission",
		[]string{"internal/people/limit", "internal/text/caltime", "internal/api/respond"},
		[]string{"os"},
		"how much is too much depends on sizes, keys and a clock, and on nothing that a request says",
	},
	{"internal/write", []string{"i18n/cldr",
		"internal/people/access",
		"internal/wire/params",
		"store",
		"store/record",
		"internal/people/account",
		"internal/text/caltime",
		"internal/text/cost",
		"internal/text/markup",
		"internal/text/rrule"}, []string{"net/http",
		"os"},
		"what becomes of a record depends on the parameters, not on how they came"},
	{"internal/wire/render", []string{"i18n/cldr",
		"store",
		"store/record",
		"internal/text/caltime",
		"internal/text/cost",
		"internal/text/markup"}, []string{"net/http",
		"os"},
		"how a record looks depends on nothing that a request says"},
	{
		"internal/wire/feed",
		[]string{
			"internal/wire/render",
			"internal/wire/ical",
			"internal/text/jsonio",
			"store",
			"store/record",
			"internal/text/caltime",
			"internal/text/cost",
			"internal/text/markup",
			"internal/text/rrule",
		},
		[]string{"net/http", "os"},
		"documents are made of the events and the rights that they are given",
	},
	{"internal/wire/ical", []string{"internal/text/caltime"}, []string{"net/http", "os"},
		"the form of iCalendar is the same whatever the events are"},
	{"move/files/ical", []string{"internal/text/caltime",
		"internal/text/rrule"}, []string{"net/http",
		"os"},
		"calendars are taken apart in one way, whatever becomes of their components"},
	{"internal/text/qr", nil, []string{"net/http", "os"}, "a text becomes a square of modules"},
	{
		"internal/api/picture",
		nil,
		[]string{"net/http", "os"},
		"bytes of a picture become bytes of pictures",
	},
	{
		"internal/wire/pages",
		[]string{
			"store/disk",
			"store/cache",
			"internal/wire/render",
			"internal/text/caltime",
			"internal/text/markup",
			"store",
			"i18n/cldr",
		},
		[]string{"net/http", "os"},
		"a page shows the records and the rights that it is given; who asks is settled before",
	},
	{
		"internal/wire/params",
		[]string{"internal/text/caltime",
			"internal/text/jsonio",
			"internal/text/rrule",
			"store",
			"store/record"},
		[]string{"net/http", "os"},
		"whether a request is well formed depends on its bytes and the tables alone; the fields of records are a table of the store",
	},
	{
		"filters",
		[]string{"store", "internal/people/access", "internal/text/markup"},
		[]string{"net/http", "os"},
		"a list can be asked for without a request, and says what is asked: how it is found is the affair of the store",
	},
	{
		"internal/api/openapi",
		[]string{"internal/wire/params", "i18n", "internal/text/jsonio", "store", "store/record",
			"internal/text/cost"},
		[]string{"os"},
		"the description is read off the tables and the members of answers, and off nothing else",
	},
	{"internal/text/jsonio", nil, []string{"net/http", "os"}, "functions of text, whoever wrote it"},
	{
		"internal/write/intake",
		[]string{
			"store",
			"store/record",
			"internal/people/access",
			"internal/text/caltime",
			"internal/text/cost",
			"internal/text/jsonio",
			"internal/text/markup",
			"internal/people/password",
			"internal/write",
			"internal/wire/params",
			"internal/people/account",
			"internal/text/rrule",
		},
		[]string{"net/http", "os"},
		"records become the same whichever file they come from, offline and in a server",
	},
	{
		"move/files",
		[]string{
			"i18n/cldr",
			"internal/write/intake",
			"move/files/ical",
			"internal/text/jsonio",
			"internal/text/markup",
			"internal/text/caltime",
			"internal/text/cost",
			"internal/text/rrule",
			"store",
			"store/record",
		},
		[]string{"net/http", "os"},
		"files are turned into records without a store",
	},
	{
		"internal/write/seed",
		[]string{
			"internal/write/intake",
			"internal/text/jsonio",
			"store",
			"internal/text/caltime",
		},
		[]string{"net/http"},
		"seeds are files of records: they know the form that records have, and how import makes them",
	},
	{
		"store/media",
		[]string{"store/wal"},
		[]string{"net/http", "net", "os"},
		"files and their names, whatever they show",
	},
	{
		"store",
		[]string{"store/disk", "store/archive", "store/media", "store/record", "store/search", "store/wal"},
		[]string{"net/http", "net"},
		"what is on disk depends on nothing above it; the index of events knows no records",
	},
	{
		"store/archive",
		[]string{"store/media", "store/record", "store/wal", "store/disk"},
		[]string{"net/http", "net"},
		"a state is copied file by file: of records only the images are read, for their files",
	},
	{"store/record", []string{"store/wal", "internal/text/cost"}, []string{"net/http", "net", "os"},
		"a record and its form on disk are the same whatever store has it; a cost is stored as cost has it"},
	{
		"store/wal",
		[]string{"store/disk"},
		[]string{"net/http", "net"},
		"bytes of logs and snapshots, whatever they say",
	},
	{
		"internal/people/password",
		[]string{"store/cache", "internal/people/limit"},
		[]string{"net/http", "os", "log/slog"},
		"passwords of events come and go as texts; nothing here could log one",
	},
	{"store/disk", nil, []string{"net/http", "net"}, "files, whatever they hold and whoever locks them"},
	{
		"internal/people/limit",
		nil,
		[]string{"net/http", "os"},
		"addresses, counts and a clock that is an argument",
	},
	{
		"internal/people/submission",
		[]string{"internal/text/jsonio", "internal/people/limit"},
		[]string{"net/http", "os"},
		"which forms are taken depends on times, addresses and a number",
	},
	{
		"internal/serve/confine",
		nil,
		[]string{"net/http", "net"},
		"what a process may do is asked of the system alone",
	},
	{
		"move/adopt",
		[]string{
			"i18n",
			"store/disk",
			"internal/text/caltime",
			"internal/cli",
			"move/client",
			"internal/write/intake",
			"move/files",
			"internal/text/jsonio",
			"internal/people/limit",
			"move/oldsite",
			"move/transfer",
			"store",
		},
		nil,
		"a site is read into files, and files are imported, by parts that other commands have too",
	},
	{
		"move/client",
		[]string{"internal/cli/build", "internal/cli"},
		[]string{"os"},
		"the one place that connects knows no records and no files",
	},
	{
		"move/oldsite",
		[]string{"internal/cli", "move/client", "internal/text/jsonio", "internal/wire/params"},
		[]string{"os"},
		"where an API is and what it says depends on its answers and the tables of the specification alone",
	},
	{
		"move/compare",
		[]string{
			"internal/text/caltime",
			"internal/cli",
			"move/client",
			"move/oldsite",
			"internal/wire/params",
		},
		[]string{"os"},
		"sites are compared by their answers and the tables of the specification alone",
	},
	{
		"move/conformance",
		[]string{
			"internal/api",
			"internal/text/caltime",
			"internal/cli",
			"move/client",
			"move/oldsite",
			"internal/wire/params",
		},
		[]string{"os"},
		"a server is held to the list of routes and the tables of the specification alone",
	},
	{"internal/serve/metrics", nil, []string{"net/http", "os"}, "numbers and names"},
	{
		"internal/serve/accesslog",
		[]string{"internal/text/jsonio"},
		[]string{"net/http", "net"},
		"texts of clients become lines, and lines a file",
	},
	{
		"internal/cli/systemd",
		nil,
		[]string{"net/http"},
		"how the service is, and which sockets it has, is between the process and who started it",
	},
	{"store/cache", nil, []string{"net/http", "os"}, "keys, values and sizes"},
	{
		"store/search",
		[]string{"internal/text/markup"},
		[]string{"net/http", "os"},
		"rows, times and texts, folded as searches are",
	},
	{
		"internal/text/rrule",
		nil,
		[]string{"net/http", "net", "os"},
		"rules are functions of text, dates and zones",
	},
	{"i18n", []string{"i18n/cldr"}, []string{"net/http", "os"}, "texts are part of the program"},
	{"i18n/cldr",
		nil, []string{"net/http", "os"}, "how a language writes dates and numbers is part of the program"},
	{"internal/text/caltime", nil, []string{"net/http", "os"}, "zones are part of the program"},
	{
		"internal/people/account",
		[]string{"store/disk", "store"},
		[]string{"net/http", "net"},
		"who may do what is decided without a request",
	},
	{
		"internal/cli/build",
		nil,
		[]string{"net/http", "net"},
		"what the program was built from is in the program",
	},
	{"internal/tools/release", []string{"internal/cli/build", "i18n"}, []string{"net/http", "net"},
		"releases are made of the source and the toolchain alone"},
	{"internal/text/cost", []string{"i18n/cldr"}, []string{"net/http", "os"}, "functions of text"},
	{"internal/text/markup", nil, []string{"net/http", "os"}, "functions of text"},
	{
		"internal/tools/openapitest",
		nil,
		[]string{"os"},
		"answers are held to the document alone; for tests, and no part of the program",
	},
	{
		"internal/tools/contract",
		[]string{"almanactest", "i18n", "internal/tools/openapitest", "store"},
		[]string{"os"},
		"for tests, and no part of the program",
	},
	{
		"internal/tools/apitest",
		[]string{"internal/cli", "store"},
		nil,
		"for tests, and no part of the program",
	},
	{
		"internal/tools/sample",
		[]string{
			"almanactest",
			"internal/api",
			"internal/people/account",
			"internal/text/caltime",
			"internal/tools/apitest",
			"store",
		},
		nil,
		"calendars for tests of the whole server, and no part of the program",
	},
	{
		"internal/tools/cmdtest",
		[]string{
			"almanactest",
			"i18n",
			"internal/api",
			"internal/cli",
			"internal/people/account",
			"internal/tools/apitest",
			"internal/tools/openapitest",
			"store",
		},
		nil,
		"for tests of both programs, and no part of them: it knows no command",
	},
	{"internal/tools/race", nil, []string{"net/http", "os"}, "for tests, and no part of the program"},
	{"internal/tools/size", nil, nil, "it counts the tokens of the source, which `go list` names"},
	{
		"internal/tools/entered",
		[]string{"almanactest",
			"internal/people/account",
			"internal/api",
			"internal/text/caltime",
			"store"},
		nil,
		"it counts functions with a server in its process, and is no part of the program",
	},
	{"internal/tools/house", nil, nil, "for tests, and no part of the program"},
	{
		"internal/tools/same",
		nil,
		nil,
		"it compares two binaries from outside; this program is no part of them",
	},
	{
		"internal/tools/bench",
		[]string{"almanactest", "store", "internal/people/password", "internal/write/seed"},
		nil,
		"it makes calendars and measures binaries; this program is no part of them",
	},
	{
		"almanactest",
		[]string{
			"internal/api",
			"internal/desk",
			"internal/api/history",
			"internal/api/ingest",
			"internal/api/media",
			"internal/site",
			"internal/serve/fixture",
			"store",
			"internal/people/account",
			"internal/text/caltime",
			"internal/text/markup",
			"internal/people/password",
			"internal/write/seed",
			"internal/api/admission",
			"internal/people/limit",
		},
		[]string{"os"},
		"a fixture is the server of the program, without flags and files",
	},
}

// A useRule says where something of the standard library may be used. A name
// that ends in "." is every name of the package.
type useRule struct {
	names []string // as in the code, after the import path: "time.Now"
	in    []string // packages below the module that may
	why   string
}

var useRules = []useRule{
	{[]string{"time.Now", "time.Since", "time.Until", "time.Local"},
		[]string{
			"internal/serve/command",
			"internal/serve/httpd",
			"internal/text/caltime",
			"internal/tools/bench",
			"internal/tools/same",
			"internal/tools/apitest",
		},
		"there is one clock, and it is an argument"},
	{[]string{"time/tzdata."}, []string{"", "move", "almanactest"},
		"a library leaves it to the program where zones come from"},
	{
		[]string{
			"net.Dial",
			"net.DialTimeout",
			"net.DialTCP",
			"net.DialUDP",
			"net.Dialer",
			"net.LookupHost",
			"net.LookupIP",
		},
		[]string{"internal/tools/bench",
			"move/client",
			"internal/serve/command",
			"internal/tools/apitest"},
		"the server connects to nobody; see outbound_test.go",
	},
	{
		[]string{
			"net/http.Get",
			"net/http.Head",
			"net/http.Post",
			"net/http.PostForm",
			"net/http.Client",
			"net/http.DefaultClient",
			"net/http.DefaultTransport",
			"net/http.Transport",
		},
		[]string{
			"move/client",
			"almanactest",
			"internal/tools/apitest",
			"internal/tools/cmdtest",
			"internal/tools/same",
		},
		"the server fetches nothing; commands speak to the site that somebody names, and fixtures bring a client",
	},
	{
		[]string{"net/http/httptest."},
		[]string{"almanactest",
			"internal/tools/entered",
			"internal/tools/openapitest",
			"internal/tools/apitest"},
		"it is for tests",
	},
	{[]string{"os/exec.", "plugin.", "net/smtp.", "net/rpc."},
		[]string{
			"internal/tools/bench",
			"internal/tools/entered",
			"internal/tools/release",
			"internal/tools/same",
			"internal/tools/size",
		},
		"the program starts nothing and sends no mail"},
	{
		[]string{"unsafe.", "C.", "reflect.", "runtime/cgo."},
		nil,
		"code that one can read needs no such tricks",
	},
}

// A goPackage is a package, in the words of go list.
type goPackage struct {
	ImportPath, Dir                    string
	Standard                           bool
	GoFiles                            []string
	IgnoredGoFiles                     []string // for other systems
	Imports, TestImports, XTestImports []string
	CgoFiles, CFiles, SFiles, HFiles   []string
	IgnoredOtherFiles, SysoFiles       []string
}

// goList runs go list with arguments.
func goList(t *testing.T, args ...string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var all []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		all = append(all, p)
	}
}

// below returns the path of a package below the module.
func below(importPath string) (string, bool) {
	if importPath == "almanac" {
		return "", true
	}
	return strings.CutPrefix(importPath, "almanac/")
}

func TestImports(t *testing.T) {
	atTop(t)
	rules := map[string]importRule{}
	for _, rule := range importRules {
		rules[rule.pkg] = rule
	}
	for _, p := range goList(t, "./...") {
		name, _ := below(p.ImportPath)
		rule, ok := rules[name]
		if !ok {
			t.Errorf("%s has no import rule; add one, with the reason", p.ImportPath)
			continue
		}
		delete(rules, name)
		for _, file := range files(t, p) {
			for _, imported := range file.imports() {
				if ours, ok := below(imported); ok && !slices.Contains(rule.ours, ours) {
					t.Errorf("%s imports %s: not allowed, as %s", file.name, imported, rule.why)
				}
				if slices.Contains(rule.not, imported) {
					t.Errorf("%s imports %s: not allowed, as %s", file.name, imported, rule.why)
				}
			}
			file.check(t, name)
		}
		if name == "" &&
			slices.Contains(append(p.TestImports, p.XTestImports...), "almanac/almanactest") {
			t.Error(
				"tests of package main import almanactest, whose copy of routes.go they check: it would have to build first",
			)
		}
		if other := slices.Concat(p.CgoFiles, p.CFiles, p.SFiles, p.HFiles, p.IgnoredOtherFiles, p.SysoFiles); len(
			other,
		) > 0 {
			t.Errorf("%s has files that are not Go: %v", p.ImportPath, other)
		}
	}
	for name := range rules {
		t.Errorf("there is a rule for package %q and no such package", name)
	}
}

// A sourceFile is a parsed file.
type sourceFile struct {
	name string
	*ast.File
	set *token.FileSet
}

// files parses the files of a package that are no tests.
func files(t *testing.T, p goPackage) []sourceFile {
	t.Helper()
	var all []sourceFile
	for _, base := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles) {
		if strings.HasSuffix(base, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(
			set,
			filepath.Join(p.Dir, base),
			nil,
			parser.ParseComments|parser.SkipObjectResolution,
		)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sourceFile{path.Join(p.ImportPath, base), file, set})
	}
	return all
}

func (f sourceFile) imports() []string {
	var all []string
	for _, spec := range f.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value) // the parser took it
		all = append(all, imported)
	}
	return all
}

// check looks for what only some packages may use.
func (f sourceFile) check(t *testing.T, pkg string) {
	t.Helper()
	report := func(what string) {
		t.Helper()
		for _, rule := range useRules {
			if slices.Contains(rule.names, what) && !slices.Contains(rule.in, pkg) {
				t.Errorf(
					"%s uses %s: not allowed, as %s",
					f.name,
					strings.TrimSuffix(what, "."),
					rule.why,
				)
			}
		}
	}
	paths := map[string]string{} // by the name that the file uses
	for i, imported := range f.imports() {
		report(imported + ".")
		name := path.Base(imported)
		if as := f.Imports[i].Name; as != nil {
			name = as.Name
		}
		if name == "." {
			t.Errorf("%s imports %s under no name", f.name, imported)
		}
		paths[name] = imported
	}
	ast.Inspect(f.File, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if left, ok := selector.X.(*ast.Ident); ok && paths[left.Name] != "" {
				report(paths[left.Name] + "." + selector.Sel.Name)
			}
		}
		return true
	})
	for _, group := range f.Comments {
		for _, comment := range group.List {
			if strings.HasPrefix(comment.Text, "//go:linkname") ||
				strings.HasPrefix(comment.Text, "//go:cgo_") {
				t.Errorf("%s: %s: not allowed", f.set.Position(comment.Pos()), comment.Text)
			}
		}
	}
}

// No exported name of package store shows how an index is made, but for the plan that explains an
// answer.
func TestFaceOfStore(t *testing.T) {
	atTop(t)
	exported := 0
	check := func(file sourceFile, name string, shown ...ast.Node) {
		exported++
		for _, node := range shown {
			ast.Inspect(node, func(n ast.Node) bool {
				if field, ok := n.(*ast.Field); ok && len(field.Names) > 0 &&
					!slices.ContainsFunc(field.Names, (*ast.Ident).IsExported) {
					return false // of a struct; parameters are asked by themselves
				}
				if selector, ok := n.(*ast.SelectorExpr); ok {
					of, _ := selector.X.(*ast.Ident)
					if of != nil && of.Name == "search" && selector.Sel.Name != "Plan" {
						t.Errorf("%s: %s shows %s.%s", file.name, name, of.Name, selector.Sel.Name)
					}
				}
				return true
			})
		}
	}
	for _, p := range goList(t, "./store") {
		for _, file := range files(t, p) {
			for _, decl := range file.Decls {
				switch decl := decl.(type) {
				case *ast.FuncDecl:
					if !decl.Name.IsExported() {
						continue
					}
					for _, list := range []*ast.FieldList{decl.Type.Params, decl.Type.Results} {
						for i := 0; list != nil && i < len(list.List); i++ {
							check(file, decl.Name.Name, list.List[i].Type)
						}
					}
				case *ast.GenDecl:
					for _, spec := range decl.Specs {
						if named, ok := spec.(*ast.TypeSpec); ok && named.Name.IsExported() {
							check(file, named.Name.Name, named.Type)
						} else if values, ok := spec.(*ast.ValueSpec); ok && values.Type != nil && values.Names[0].IsExported() {
							check(file, values.Names[0].Name, values.Type)
						}
					}
				}
			}
		}
	}
	if exported < 100 {
		t.Errorf("only %d exported names were looked at", exported)
	}
}

// Lines fit into a window: at most 140 bytes, tabs counted as one.
func TestLineLength(t *testing.T) {
	atTop(t)
	t.Parallel()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		for i, line := range strings.Split(string(text), "\n") {
			if len(line) > 140 {
				t.Errorf("%s:%d: a line of %d bytes", name, i+1, len(line))
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestDependencies holds the promise to auditors: the program is its own code
// and the standard library.
func TestDependencies(t *testing.T) {
	atTop(t)
	for _, p := range goList(t, "-deps", "./...") {
		if _, ours := below(p.ImportPath); !ours && !p.Standard {
			t.Errorf(
				"%s is linked, and is neither of the standard library nor of this module",
				p.ImportPath,
			)
		}
	}
	for _, main := range []string{".", "./move"} {
		checkBuild(t, main)
	}
}

// checkBuild looks at what a program says that it was built from.
func checkBuild(t *testing.T, main string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "almanac")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", program, main)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, dep := range info.Deps {
		t.Errorf("go version -m shows: dep %s %s", dep.Path, dep.Version)
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if settings["CGO_ENABLED"] != "0" || settings["-trimpath"] != "true" {
		t.Errorf(
			"the program was built with %v, want it static and without paths of the builder",
			settings,
		)
	}
}

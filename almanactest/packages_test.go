package almanactest_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/contract"
)

// Comparison of the packages for other languages, in the directories node and python, with the
// fixture: they have all requests of it, and a type for each answer.

// A language is a package for another language.
type language struct {
	dir    string
	code   string         // that asks
	types  string         // types of requests and answers
	inPath *regexp.Regexp // how a variable of a path is written, by itself
}

func languages(t *testing.T) []language {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return []language{
		{
			"node",
			read("node/index.js"),
			read("node/index.d.ts"),
			regexp.MustCompile(`\$\{[^}]+\}`),
		},
		{
			"python",
			read("python/almanactest/world.py"),
			read("python/almanactest/world.py"),
			regexp.MustCompile(`\{(self|quote)\b[^}]+\}`),
		},
	}
}

// Each package calls every route for tests, which are the routes that other servers lack.
func TestPackagesHaveRoutes(t *testing.T) {
	t.Parallel()
	st := apitest.Store(t, nil)
	plain, _, err := almanactest.Handler(almanactest.Options{Store: st})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	almanactest.Routes(func(pattern string, _ *api.Op) {
		methods, path, _ := strings.Cut(pattern, " ")
		method, _, _ := strings.Cut(methods, ",")
		answer := httptest.NewRecorder()
		plain.ServeHTTP(
			answer,
			httptest.NewRequest(
				method,
				strings.NewReplacer("{id}", "1", "{name}", "live").Replace(path),
				nil,
			),
		)
		if !strings.HasPrefix(path, "/_almanac/") ||
			!strings.Contains(answer.Body.String(), "rest_no_route") {
			return
		}
		found++
		for _, l := range languages(t) {
			code := l.inPath.ReplaceAllString(l.code, "{}")
			path := regexp.MustCompile(`\{\w+\}`).ReplaceAllString(path, "{}")
			method := strings.ReplaceAll(methods, ",", "|")
			ways := regexp.MustCompile(
				"(" + method + ")\", f?[\"`]" + regexp.QuoteMeta(path) + "[\"`]",
			)
			if !ways.MatchString(code) {
				t.Errorf("almanactest/%s does not ask for %s", l.dir, pattern)
			}
		}
	})
	if found < 10 {
		t.Errorf("found only %d routes", found)
	}
}

// Every member that a control route takes or answers is in the types of each package, or in
// what it sends.
func TestPackagesHaveMembers(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{})
	ask := func(method, path, body string) string {
		t.Helper()
		request, err := http.NewRequest(method, srv.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept-Encoding", "identity")
		resp, err := srv.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body) // as much as comes
		return string(text)
	}
	members := map[string]string{} // with a route that has it
	almanactest.Routes(func(pattern string, _ *api.Op) {
		methods, path, _ := strings.Cut(pattern, " ")
		if strings.HasPrefix(path, "/_almanac/") && strings.HasPrefix(methods, "POST") {
			// The error for an unknown member lists the valid ones.
			answer := ask("POST", path, `{"nonsense":1}`)
			if _, list, ok := strings.Cut(answer, "nonsense is no member of this request; there are "); ok {
				list, _, _ = strings.Cut(list, ".")
				for member := range strings.SplitSeq(list, ", ") {
					members[member] = pattern
				}
			}
		}
	})
	if len(members) < 20 {
		t.Errorf("found only %v", members)
	}
	page := ask("GET", "/ja/docs", "")
	inRune := strings.IndexFunc(page, func(c rune) bool { return c >= utf8.RuneSelf }) + 1
	ask("POST", "/_almanac/faults", fmt.Sprintf(`{"cut":%d,"count":1}`, inRune))
	ask("GET", "/ja/docs", "\xff") // is no text, and neither is a page that ends inside a letter
	for path, list := range map[string]string{
		"/_almanac/clock":    "",
		"/_almanac/faults":   "faults",
		"/_almanac/requests": "requests",
	} {
		var answer map[string]json.RawMessage
		text := ask("GET", path, "")
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		records := []map[string]json.RawMessage{answer}
		if list != "" {
			records = nil
			if err := json.Unmarshal(answer[list], &records); err != nil || len(records) == 0 {
				t.Fatalf("%v: %s", err, text)
			}
		}
		for _, record := range records {
			for member := range record {
				members[member] = "GET " + path
			}
		}
	}
	if members["body_base64"] == "" || members["answer_base64"] == "" || members["fired"] == "" {
		t.Errorf("not all members were answered: %v", members)
	}
	for member, route := range members {
		for _, l := range languages(t) {
			typed := regexp.MustCompile(`(?m)^ +` + member + `\??: `)
			sent := regexp.MustCompile(`\{ ?"?` + member + `\b`)
			if !typed.MatchString(l.types) && !sent.MatchString(l.code) {
				t.Errorf("almanactest/%s knows no member %s of %s", l.dir, member, route)
			}
		}
	}
}

// The packages serve over TLS by the same certificate, which is good for the names of this
// machine and for long, and nobody has the key of its authority.
func TestPackagesHaveCertificates(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, name := range []string{"authority.pem", "server.pem"} {
		if read("node/tls/"+name) != read("python/almanactest/tls/"+name) {
			t.Errorf("%s is not the same in both", name)
		}
	}
	authority := read("node/tls/authority.pem")
	server := read("node/tls/server.pem")
	pair, err := tls.X509KeyPair([]byte(server), []byte(server))
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	if !trusted.AppendCertsFromPEM([]byte(authority)) ||
		strings.Count(authority, "-----BEGIN ") != 1 {
		t.Fatalf("not one certificate:\n%s", authority)
	}
	for _, year := range []int{2020, 2099} {
		for _, name := range []string{"localhost", "127.0.0.1", "::1"} {
			o := x509.VerifyOptions{
				DNSName:     name,
				Roots:       trusted,
				CurrentTime: time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC),
			}
			if _, err := pair.Leaf.Verify(o); err != nil {
				t.Errorf("%s in %d: %v", name, year, err)
			}
		}
	}
}

// pip installs the package for Python from its directory without an index, and Python finds it
// there with its fixtures for pytest.
func TestPythonInstalls(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("python3", "-c", "import pip, sys; sys.exit(sys.version_info < (3, 11))").CombinedOutput(); err != nil {
		t.Skipf("there is no python3 of 3.11 with pip: %v\n%s", err, out)
	}
	into := t.TempDir()
	python := func(arguments ...string) string {
		t.Helper()
		cmd := exec.Command("python3", arguments...)
		cmd.Env = slices.DeleteFunc(
			os.Environ(),
			func(variable string) bool { return strings.HasPrefix(variable, "PIP_") },
		)
		cmd.Env = append(
			cmd.Env,
			"PYTHONPATH="+into,
			"PYTHONDONTWRITEBYTECODE=1",
			"PIP_CONFIG_FILE="+os.DevNull,
			"PIP_RETRIES=0",
			"PIP_DISABLE_PIP_VERSION_CHECK=1",
			"PIP_NO_CACHE_DIR=1",
			"PIP_INDEX_URL=http://127.0.0.1:1/",
		)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("python3 %q: %v\n%s", arguments, err, out)
		}
		return string(out)
	}
	python("-m", "pip", "install", "--target", into, "./python")
	got := python("-c", `import almanactest, importlib.metadata as m, os
print(os.path.dirname(os.path.dirname(almanactest.__file__)), m.version("almanactest"))
print([entry.value for entry in m.entry_points(group="pytest11", name="almanactest")], m.requires("almanactest"))
print(os.path.exists(almanactest.process.SERVER))`)
	if want := into + " 0.0.0\n['almanactest.plugin'] None\nTrue\n"; got != want {
		t.Errorf("Python found %q, want %q", got, want)
	}
}

package command

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/cli"

	"github.com/google/go-cmp/cmp"
)

// Refusals of serve before it begins, and the sources of its settings.

func TestBadFlags(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte(`{"users":[{"id":1}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		flags []string
		want  []string // parts of the message
	}{
		{
			"a misspelled flag",
			[]string{"-per_page", "5"},
			[]string{"no flag -per_page", "did you mean -per-page?"},
		},
		{
			"a flag that is like none",
			[]string{"-colour"},
			[]string{"no flag -colour", "almanac help serve"},
		},
		{"a flag without its value", []string{"-url"}, []string{"-url", "almanac help serve"}},
		{"an argument", []string{"data"}, []string{`no argument "data"`, "almanac help serve"}},
		{"-addr without a port", []string{"-addr", "localhost"}, []string{"-addr", "localhost"}},
		{
			"-addr with no such port",
			[]string{"-addr", "127.0.0.1:99999"},
			[]string{"-addr", "99999"},
		},
		{"-data is empty", []string{"-data", ""}, []string{"-data", "-memory"}},
		{"-data is a file", []string{"-data", file}, []string{"-data", file}},
		{
			"-memory is no boolean",
			[]string{"-memory=perhaps"},
			[]string{"-memory", `"perhaps"`, "true or false"},
		},
		{
			"-url without a scheme",
			[]string{"-url", "calendar.example.org"},
			[]string{"-url", "https://calendar.example.org"},
		},
		{
			"-url of another scheme",
			[]string{"-url", "ftp://example.org"},
			[]string{"-url", "https://calendar.example.org"},
		},
		{
			"-url with an empty query",
			[]string{"-url", "https://example.org?"},
			[]string{"-url", "https://calendar.example.org"},
		},
		{
			"-url with a query",
			[]string{"-url", "https://example.org/?p=1"},
			[]string{"-url", "https://calendar.example.org"},
		},
		{
			"-timezone is unknown",
			[]string{"-timezone", "Europe/Atlantis"},
			[]string{"-timezone", "Europe/Atlantis", "Europe/Paris"},
		},
		{
			"-per-page is no number",
			[]string{"-per-page", "many"},
			[]string{"-per-page", `"many"`, "a whole number"},
		},
		{"-per-page is 0", []string{"-per-page", "0"}, []string{"-per-page 0", "at least 1"}},
		{
			"-max-per-page is below -per-page",
			[]string{"-max-per-page", "5"},
			[]string{"-per-page 10", "-max-per-page 5"},
		},
		{
			"-users is a directory",
			[]string{"-memory", "-users", dir},
			[]string{"users file", dir, "not a regular file"},
		},
		{
			"-users is not right",
			[]string{"-memory", "-users", file},
			[]string{"users file", file, "login is missing"},
		},
		{
			"-seed is missing",
			[]string{"-memory", "-seed", filepath.Join(dir, "none")},
			[]string{"-seed", "none"},
		},
		{
			"-clock is no time",
			[]string{"-clock", "noon"},
			[]string{"-clock", `"noon"`, "2006-01-02 15:04:05"},
		},
		{"-freeze without -clock", []string{"-freeze"}, []string{"-freeze", "-clock"}},
		{
			"-submissions is no account",
			[]string{"-memory", "-submissions", "ann"},
			[]string{"-submissions", `"ann"`, "users list"},
		},
		{
			"-submissions without -desk",
			[]string{"-memory", "-desk=false", "-submissions", "admin"},
			[]string{"-submissions", "-desk=false"},
		},
		{
			"-submissions-max is nothing",
			[]string{"-submissions-max", "0"},
			[]string{"-submissions-max 0", "at least 1"},
		},
		{
			"-submission-log without -submissions",
			[]string{"-submission-log", file},
			[]string{"-submission-log", "-submissions"},
		},
		{
			"-submission-log is a directory",
			[]string{"-memory", "-submissions", "admin", "-submission-log", dir},
			[]string{"-submission-log", dir},
		},
		{
			"-also is no path of an API",
			[]string{"-also", "tribe"},
			[]string{"-also", "/wp-json/tribe/events/v1"},
		},
		{
			"-event-base is no word",
			[]string{"-event-base", "Termin/neu"},
			[]string{"-event-base", `"Termin/neu"`, "a to z", "termin"},
		},
		{
			"-events-base is empty",
			[]string{"-events-base", ""},
			[]string{"-events-base", "a to z"},
		},
		{
			"-events-base has other letters",
			[]string{"-events-base", "événements"},
			[]string{"-events-base", `"événements"`, "a to z"},
		},
		{
			"-events-base is a path of ours",
			[]string{"-events-base", "venue"},
			[]string{"-events-base", `"venue"`, "choose another"},
		},
		{
			"-event-base is the path of the API",
			[]string{"-event-base", "cal"},
			[]string{"-event-base", `"cal"`, "choose another"},
		},
		{
			"-event-base is the path of the desk",
			[]string{"-event-base", "desk"},
			[]string{"-event-base", `"desk"`, "choose another"},
		},
		{
			"-address-word is the path of the desk",
			[]string{"-address-word", "venue=desk"},
			[]string{"-address-word venue=desk", "choose another"},
		},
		{
			"-event-base is in the path of -also",
			[]string{"-event-base", "wp-json", "-also", "/wp-json/tribe/events/v1"},
			[]string{"-event-base", `"wp-json"`, "choose another"},
		},
		{
			"-event-base is a word of addresses",
			[]string{"-event-base", "month"},
			[]string{"-event-base", `"month"`, "choose another"},
		},
		{
			"-event-base is a language",
			[]string{"-event-base", "de"},
			[]string{"-event-base", `"de"`, "language"},
		},
		{
			"-event-base is -events-base",
			[]string{"-event-base", "events"},
			[]string{"-event-base and -events-base", `"events"`, "different"},
		},
		{
			"-address-word is one word",
			[]string{"-address-word", "spielort"},
			[]string{"-address-word", "venue=spielort"},
		},
		{
			"-address-word is for no word of addresses",
			[]string{"-address-word", "hall=spielort"},
			[]string{"-address-word hall=", "venue", "category"},
		},
		{
			"-address-word has capitals",
			[]string{"-address-word", "venue=Spielort"},
			[]string{"-address-word venue=Spielort", "small letters"},
		},
		{
			"-address-word is encoded",
			[]string{"-address-word", "venue=%d0%b7"},
			[]string{"-address-word venue=%d0%b7", "as addresses show it"},
		},
		{
			"-address-word is a month",
			[]string{"-address-word", "list=2031-05"},
			[]string{"-address-word list=2031-05", "letters"},
		},
		{
			"-address-word is a language",
			[]string{"-address-word", "organizer=de"},
			[]string{"-address-word organizer=de", "language"},
		},
		{
			"-address-word is a word of ours",
			[]string{"-address-word", "list=month"},
			[]string{"-address-word list=month", "choose another"},
		},
		{
			"-address-word is a path of ours",
			[]string{"-address-word", "venue=media"},
			[]string{"-address-word venue=media", "choose another"},
		},
		{
			"-address-word is -event-base",
			[]string{"-address-word", "venue=termin", "-event-base", "termin"},
			[]string{"-address-word venue=termin", "choose another"},
		},
		{
			"-address-word has two meanings",
			[]string{"-address-word", "list=plan", "-address-word", "month=plan"},
			[]string{"-address-word month=plan", "list", "choose another"},
		},
		{
			"-day-ends is no time",
			[]string{"-day-ends", "6"},
			[]string{`-day-ends "6"`, "06:00", "00:00"},
		},
		{
			"-day-ends is in the afternoon",
			[]string{"-day-ends", "12:01"},
			[]string{`-day-ends "12:01"`, "up to 12:00"},
		},
		{"-keep without a unit", []string{"-keep", "30"}, []string{`"30"`, "-keep", "30d", "12h"}},
		{"-keep below nothing", []string{"-keep", "-1d"}, []string{"-keep", "30d", "12h"}},
		{"-keep of weeks", []string{"-keep", "2w"}, []string{"-keep", "30d", "12h"}},
		{"-keep beyond all time", []string{"-keep", "4000000d"}, []string{"-keep", "30d", "12h"}},
		{
			"-tls-cert without a key",
			[]string{"-tls-cert", file},
			[]string{"-tls-cert", "-tls-key", "give both"},
		},
		{
			"-tls-key without a certificate",
			[]string{"-tls-key", file},
			[]string{"-tls-cert", "-tls-key", "give both"},
		},
		{
			"-tls-cert is none",
			[]string{"-tls-cert", file, "-tls-key", file},
			[]string{"-tls-cert", "PEM"},
		},
		{
			"-tls-cert is missing",
			[]string{"-tls-cert", file + "x", "-tls-key", file},
			[]string{"-tls-cert", file + "x"},
		},
		{
			"-trusted-proxies has a name",
			[]string{"-trusted-proxies", "10.0.0.0/8,proxy"},
			[]string{"-trusted-proxies", `"proxy"`, "10.0.0.0/8"},
		},
		{
			"-trusted-proxies has half a network",
			[]string{"-trusted-proxies", "10.0.0.0/99"},
			[]string{"-trusted-proxies", `"10.0.0.0/99"`},
		},
		{
			"-read-timeout without a unit",
			[]string{"-read-timeout", "30"},
			[]string{"-read-timeout", `"30"`, "30s"},
		},
		{
			"-write-timeout below nothing",
			[]string{"-write-timeout", "-1s"},
			[]string{"-write-timeout", "30s"},
		},
		{
			"-idle-timeout is no time",
			[]string{"-idle-timeout", "long"},
			[]string{"-idle-timeout", `"long"`, "30s"},
		},
		{
			"-max-connections below nothing",
			[]string{"-max-connections", "-1"},
			[]string{"-max-connections -1", "at least 0"},
		},
		{
			"-max-items is below nothing",
			[]string{"-max-items", "-1"},
			[]string{"-max-items -1", "no limit"},
		},
		{
			"-max-body-kb is more than there is",
			[]string{"-max-body-kb", "1073741825"},
			[]string{"-max-body-kb 1073741825", "1073741824"},
		},
		{
			"-rate without a unit",
			[]string{"-rate", "50"},
			[]string{"-rate", `"50"`, "50/s", "off"},
		},
		{
			"-wrong-passwords of days",
			[]string{"-wrong-passwords", "10/d"},
			[]string{"-wrong-passwords", `"10/d"`, "10/m"},
		},
		{
			"-seed is no built-in one",
			[]string{"-seed", "@smal"},
			[]string{`-seed: there is no built-in seed "@smal"`, "@small"},
		},
		{
			"-seed of a directory names no file",
			[]string{"-seed", filepath.Join(dir, "none")},
			[]string{"-seed", "none"},
		},
		{"-worlds of a directory", []string{"-worlds"}, []string{"-worlds", "-memory"}},
		{
			"-unexpected of another kind",
			[]string{"-memory", "-unexpected", "warn"},
			[]string{`-unexpected "warn"`, "ignore", "fail"},
		},
		{
			"-unexpected on a disk",
			[]string{"-unexpected", "fail"},
			[]string{`-unexpected "fail"`, "-memory"},
		},
		{
			"-world-ttl of nothing",
			[]string{"-memory", "-world-ttl", "0"},
			[]string{`"0"`, "-world-ttl", "10m"},
		},
		{
			"-world-ttl without a unit",
			[]string{"-memory", "-world-ttl", "10"},
			[]string{`"10"`, "-world-ttl", "10m"},
		},
		{"-language is unknown", []string{"-language", "xx"}, []string{"-language:", `"xx"`,
			"ar, cs, da, de, en, es, fi, fr, he, hu, it, ja, nb, nl, pl, pt-BR, pt-PT, ru, sv, zh-Hans"}},
		{
			"-region is unknown",
			[]string{"-region", "UK"},
			[]string{"-region:", `"UK"`, "ISO 3166", "GB"},
		},
		{
			"-language with an unknown region",
			[]string{"-language", "en-GBR"},
			[]string{"-language:", `"GBR"`, "ISO 3166", "GB"},
		},
		{
			"-languages has an unknown one",
			[]string{"-languages", "en,xx"},
			[]string{"-languages", `"xx"`, "en"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			data := filepath.Join(t.TempDir(), "data")
			err := serveOnce(t, on(data, test.flags...)...)
			if cli.Status(err) != 2 {
				t.Fatalf("exit status %d (%v), want 2", cli.Status(err), err)
			}
			for _, part := range test.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("said %q, want %q in it", err, part)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("said more than a line: %q", err)
			}
			if _, err := os.Stat(data); err == nil {
				t.Error("a directory was made")
			}
		})
	}
}

// flagsOf returns the flags of a command.
func flagsOf[S any](name string, flags func(*S, *cli.FlagSet)) *cli.FlagSet {
	f, _ := cli.Declare(name, "", flags)
	return f
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	environment := func(vars ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(vars); i += 2 {
				if vars[i] == name {
					return vars[i+1]
				}
			}
			return ""
		}
	}
	tests := []struct {
		name   string
		getenv func(string) string
		args   []string
		want   map[string]string // flags with another value than the default
	}{
		{"nothing", environment(), nil, map[string]string{}},
		{
			"texts, numbers and booleans",
			environment("ALMANAC_ADDR", ":1", "ALMANAC_PER_PAGE", "7", "ALMANAC_MEMORY", "1"),
			nil,
			map[string]string{"addr": ":1", "per-page": "7", "memory": "true"},
		},
		{
			"a flag wins",
			environment("ALMANAC_PER_PAGE", "7", "ALMANAC_MAX_PER_PAGE", "8"),
			[]string{"-per-page", "6"},
			map[string]string{"per-page": "6", "max-per-page": "8"},
		},
		{
			"a bad value that a flag replaces",
			environment("ALMANAC_PER_PAGE", "many"),
			[]string{"-per-page", "6"},
			map[string]string{"per-page": "6"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			flags := flagsOf("serve", (*settings).flags)
			got := map[string]string{}
			if _, _, err := flags.Parse(test.args, cli.Process{Getenv: test.getenv}); err != nil {
				t.Fatal(err)
			}
			flags.VisitAll(func(f *flag.Flag) {
				if f.Value.String() != f.DefValue {
					got[f.Name] = f.Value.String()
				}
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("settings (-want, +got):\n%s", diff)
			}
		})
	}

	t.Run("a bad value", func(t *testing.T) {
		t.Parallel()
		err := serveWith(t, environment("ALMANAC_PER_PAGE", "many"))
		if cli.Status(err) != 2 ||
			!strings.Contains(
				err.Error(),
				`"many" of the environment variable ALMANAC_PER_PAGE: must be a whole number`,
			) {
			t.Errorf("exit status %d: %v", cli.Status(err), err)
		}
	})
}

// Every flag says in help what it is for and which variable it is, too.
func TestHelp(t *testing.T) {
	t.Parallel()
	var stdout lockedBuffer
	if err := run(t.Context(), []string{"help", "serve"}, cli.Process{
		Getenv: none,
		Stdout: &stdout,
		Stderr: &lockedBuffer{},
	}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"addr", "data", "memory", "url", "timezone", "per-page", "max-per-page", "currency", "day-ends",
		"users", "seed", "clock", "freeze", "also", "language", "languages", "negotiate", "cache-mb", "explain", "strict-input", "keep",
		"worlds", "world-ttl", "exit-with-parent", "tls-cert", "tls-key", "trusted-proxies", "read-timeout", "write-timeout",
		"idle-timeout", "max-connections", "event-base", "events-base", "no-limits", "no-sandbox", "sandbox", "unexpected",
		"max-body-kb", "max-depth", "max-query-kb", "max-items", "max-requests", "max-answer-mb", "max-search-mb", "max-log-mb", "max-names",
		"min-free-mb", "shared-cache", "rate", "wrong-logins", "wrong-passwords"} {
		if !strings.Contains(stdout.String(), "\n  -"+name+" ") &&
			!strings.Contains(stdout.String(), "\n  -"+name+"\n") ||
			!strings.Contains(stdout.String(), "environment: "+cli.Variable(name)+"\n") {
			t.Errorf("help says nothing of -%s:\n%s", name, &stdout)
		}
	}
	if regexp.MustCompile(`\bALMANAC_TOKEN\b`).MatchString(stdout.String()) {
		t.Error("ALMANAC_TOKEN is the token of programs that ask, and serve reads it")
	}
}

// The flags of serve and what they mean.

package command

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/cli"
	"almanac/internal/people/password"
	"almanac/internal/people/submission"
	"almanac/internal/serve/httpd"
	"almanac/internal/text/caltime"
)

// settings are the flags of serve.
type settings struct {
	server   api.Options      // with the flags that need no check
	http     httpd.Options    // the same
	limits   admission.Limits // as checks has set them
	checks   []func() error
	declared *cli.FlagSet
	pages    pageSettings

	addr, data, home, timezone, users, seed, clock, languages, language, region, proxies string
	token, tokenFile, cert, key, metricsAddr, accessLog, accessFormat                    string
	submissions, submissionLog                                                           string
	sandbox, unexpected                                                                  string
	memory, freeze, worlds, exitWithParent, noSandbox, desk, json                        bool
	cacheMB, documentsMB, submissionsMost                                                int
	keep, worldTTL, slow                                                                 time.Duration
}

// served declares the flags of serve: the settings, and how it says where the server is.
func (s *settings) served(f *cli.FlagSet) {
	s.flags(f)
	f.BoolVar(&s.json, "json", false, "say in JSON where the server is, on a terminal too")
}

// flags adds the flags to those of a command.
func (s *settings) flags(f *cli.FlagSet) {
	s.declared = f
	f.StringVar(&s.addr, "addr", "127.0.0.1:8080", "`address` to listen on; port 0 picks a free one").
		Weakens(s.openAddress)
	f.StringVar(
		&s.data,
		"data",
		"almanac-data",
		"data `directory`, created if it is missing, locked while it is in use",
	)
	f.BoolVar(&s.memory, "memory", false, "keep everything in memory, write no files").
		Weak("true", "nothing outlives the process, and every program on this machine controls the fixture")
	f.KeepVar(
		&s.keep,
		"keep",
		30*24*time.Hour,
		"how `long` everything is kept that is needed to go back in time, as 30d or 12h; 0 keeps as little as possible",
	).
		Weak("0", "the log keeps as little as possible: soon nobody knows who changed what")
	f.StringVar(
		&s.home,
		"url",
		"",
		"public `address` of the site, for links behind a proxy; without it links have the host of each request",
	)
	f.StringVar(&s.timezone, "timezone", "UTC", "the site's time `zone`, an IANA name")
	f.IntVar(&s.server.PerPage, "per-page", 10, "default page `size` of every list")
	f.IntVar(&s.server.MaxPerPage, "max-per-page", 50, "larger pages are cut to this `size`")
	f.StringVar(
		&s.server.Name,
		"site-name",
		"",
		"`name` of the calendar, for pages and feeds; without it the host of the site",
	)
	f.StringVar(
		&s.server.Currency,
		"currency",
		"",
		"`code` (ISO 4217) of the currency of costs that name none, as EUR, or its symbol alone; "+
			"without it that of the country, or else $",
	)
	f.StringVar(
		&s.users,
		"users",
		"",
		"`file` of accounts that somebody else manages, which is only read; without it they are in the data directory",
	)
	f.StringVar(
		&s.seed,
		"seed",
		"",
		"JSON `file` of records for an empty store, or one of the built-in seeds @small, @city and @torture",
	)
	f.StringVar(&s.clock, "clock", "", "start the server's clock at this site-local `time`, as \"2031-05-10 19:30:00\"").
		Weak("", "records are dated, and tokens expire, by a clock that is not that of the machine")
	f.BoolVar(&s.freeze, "freeze", false, "with -clock: the clock stands still").
		Weak("true", "tokens do not expire while the clock stands still")
	f.StringVar(
		&s.server.Also,
		"also",
		"",
		"one more `path` at which the API answers, as /wp-json/tribe/events/v1",
	)
	f.StringVar(
		&s.language,
		"language",
		"en",
		"`tag` of the site's own language, which pages and descriptions without a language in their address have; en-GB sets -region too",
	)
	f.StringVar(
		&s.region,
		"region",
		"",
		"`code` of the site's country, as GB (ISO 3166): pages in the site's own language have its dates, "+
			"its clock and its weeks; without it those of the language",
	)
	f.StringVar(
		&s.languages,
		"languages",
		"all",
		"comma-separated `tags` of the languages that get base addresses, or all; de=https://termine.example.org gives one a host of its own",
	)
	f.BoolVar(
		&s.server.Negotiate,
		"negotiate",
		false,
		"at the neutral address, descriptions are in the language that the reader's Accept-Language names",
	)
	f.IntVar(&s.cacheMB, "cache-mb", 256, "`megabytes` of answers to keep; 0 keeps none")
	f.IntVar(&s.documentsMB, "documents-mb", 256, "`megabytes` of whole documents in memory")
	f.SpanVar(
		&s.server.Shared,
		"shared-cache",
		0,
		"how `long` caches in front may show what everybody sees without asking, and as long again while they ask; without it they always ask",
	)
	f.BoolVar(&s.server.Explain, "explain", false, "lists say in X-Almanac-Plan how they were found").
		Weak("true", "everybody is told how lists were found, and how long it took")
	f.BoolVar(
		&s.server.StrictInput,
		"strict-input",
		false,
		"refuse writes with parameters that do not exist; without it they are named in X-Almanac-Ignored",
	)
	f.BoolVar(&s.server.ReadOnly, "read-only", false,
		"refuse every change: nothing is written, imported, proposed or published by schedule, "+
			"and all can be read")
	s.pages.flags(f, &s.server)
	f.BoolVar(
		&s.desk,
		"desk",
		true,
		"serve the desk at /desk/, where accounts write events in a browser; -desk=false serves nothing of it",
	)
	f.StringVar(&s.submissions, "submissions", "",
		"`login` of the account that owns what people without an account propose; without it nobody proposes").
		Weak("", "people without an account fill in forms, and what they send is stored until an editor decides")
	f.IntVar(
		&s.submissionsMost,
		"submissions-max",
		submission.Most,
		"`number` of proposals that wait at most",
	)
	f.StringVar(
		&s.submissionLog,
		"submission-log",
		"",
		"`file` for a line of each proposal, to which lines are added. SIGHUP opens it again",
	)
	s.networkFlags(f)
	s.limitFlags(f)
	s.operateFlags(f)
	f.BoolVar(
		&s.worlds,
		"worlds",
		false,
		"with -memory: requests with the header Almanac-World: NAME are in a world of that name, a copy of what is seeded",
	).
		Weak("true", "whoever asks makes calendars in the memory of the server")
	f.SpanVar(
		&s.worldTTL,
		"world-ttl",
		10*time.Minute,
		"how `long` a world is kept that no request names, as 10m or 90s",
	)
	f.StringVar(
		&s.unexpected,
		"unexpected",
		"ignore",
		"with -memory: `whether` requests that no route takes and no fault decides are an error at the end of their world: ignore or fail",
	)
	token := f.StringVar(
		&s.token,
		"token",
		"",
		"with -memory: the administrator's `token`, known before the start; without it one is made",
	)
	token.NoVariable() // ALMANAC_TOKEN is for programs that ask a server
	token.Weak(
		"",
		"whoever may list the processes of this machine reads the administrator's token",
	)
	f.StringVar(
		&s.tokenFile,
		"token-file",
		"",
		"new `file` for the token of the first administrator, which is then not printed; below a service manager first-token in -data",
	)
	f.BoolVar(&s.exitWithParent, "exit-with-parent", false,
		"end when standard input ends, which it does when the program that started this one ends")
}

// options checks the settings that need no file.
func (s *settings) options(log *slog.Logger) (api.Options, error) {
	o := s.server
	o.Logger = log
	o.Clock = caltime.System()
	o.Passwords = password.NewKeeper(password.Iterations)
	var err error
	if o.Site, err = caltime.LoadZone(s.timezone); err != nil {
		return o, fmt.Errorf("-timezone: %w", err)
	}
	ends, err := time.Parse("15:04", s.pages.dayEnds)
	if o.DayEnds = ends.Sub(ends.Truncate(24 * time.Hour)); err != nil ||
		o.DayEnds > 12*time.Hour {
		return o, fmt.Errorf(
			"-day-ends %q: must be a time of the night such as 06:00, up to 12:00, or 00:00 for none",
			s.pages.dayEnds,
		)
	}
	switch {
	case o.PerPage < 1 || o.MaxPerPage < o.PerPage:
		return o, fmt.Errorf(
			"-per-page %d and -max-per-page %d: both must be at least 1, and the first not larger than the second",
			o.PerPage,
			o.MaxPerPage,
		)
	case s.cacheMB < 0:
		return o, fmt.Errorf("-cache-mb %d: must be at least 0, which keeps nothing", s.cacheMB)
	case s.documentsMB < 1:
		return o, fmt.Errorf("-documents-mb %d: must be at least 1", s.documentsMB)
	case o.Shared%time.Second != 0 || o.Shared > 24*time.Hour:
		return o, fmt.Errorf(
			"-shared-cache %v: must be whole seconds, and a day at most",
			o.Shared,
		)
	case o.Shared > 0 && s.worlds:
		return o, errors.New(
			"-shared-cache: it does not go with -worlds, as caches do not know which world a request is in",
		)
	case s.worlds && !s.memory:
		return o, errors.New(
			"-worlds: give -memory too, as only what is in memory can be copied for each world",
		)
	case s.unexpected != "ignore" && (s.unexpected != "fail" || !s.memory):
		return o, fmt.Errorf("-unexpected %q: must be ignore or, with -memory, fail", s.unexpected)
	case s.submissions != "" && (!s.desk || !o.Pages):
		return o, errors.New(
			"-submissions: it does not go with -desk=false or -pages=false: editors decide at the desk, and pages have the form",
		)
	case s.submissions == "" && s.submissionLog != "":
		return o, errors.New(
			"-submission-log: give -submissions too, as without it there are no proposals",
		)
	case s.submissionsMost < 1:
		return o, fmt.Errorf("-submissions-max %d: must be at least 1", s.submissionsMost)
	case s.token != "" && (!s.memory || s.users != ""):
		return o, errors.New(
			"-token: it goes with -memory and without -users; a server on a disk makes its tokens itself, as almanac users does",
		)
	case strings.ContainsFunc(s.token, func(c rune) bool { return c <= ' ' || c > '~' }):
		return o, fmt.Errorf("-token %q: must be visible ASCII characters without spaces", s.token)
	}
	o.DocumentBytes = int64(s.documentsMB) << 20
	if o.CacheBytes = int64(s.cacheMB) << 20; s.cacheMB == 0 {
		o.CacheBytes = -1
	}
	for _, check := range s.checks {
		if err := check(); err != nil {
			return o, err
		}
	}
	o.Limits = &s.limits
	if s.home != "" {
		if o.URL, err = url.Parse(s.home); err != nil || !isSite(o.URL) {
			return o, fmt.Errorf(
				"-url %q: must be an address such as https://calendar.example.org",
				s.home,
			)
		}
	}
	if s.freeze && s.clock == "" {
		return o, errors.New("-freeze: give the time to stand still at with -clock")
	}
	if s.clock != "" {
		localTime, err := time.Parse(caltime.Layout, s.clock)
		if err != nil {
			return o, fmt.Errorf("-clock %q: must be of the form %q", s.clock, caltime.Layout)
		}
		if o.Clock = caltime.StartAt(o.Site.Instant(localTime)); s.freeze {
			o.Clock = caltime.Frozen(o.Site.Instant(localTime))
		}
	}
	if o.Language, err = language("-language", s.language); err != nil {
		return o, err
	}
	if region := cmp.Or(s.region, i18n.RegionOf(s.language)); region != "" {
		var known bool
		if o.Language, known = o.Language.In(region); !known {
			name := "-region"
			if s.region == "" {
				name = "-language"
			}
			return o, fmt.Errorf(
				"%s: there is no country %q; give its two letters in ISO 3166, as GB, US or DE",
				name,
				region,
			)
		}
	}
	if o.Languages, o.Hosts, err = s.chosenLanguages(); err != nil {
		return o, err
	}
	if len(o.Hosts) > 0 && o.URL == nil {
		return o, errors.New(
			"-languages: a language with a host of its own needs -url, the address of the others",
		)
	}
	for _, tag := range slices.Sorted(maps.Keys(o.Hosts)) {
		host := o.Hosts[tag]
		if strings.EqualFold(host.Host, o.URL.Host) {
			return o, fmt.Errorf(
				"-languages: %s=%s is the host of -url; give another, or %s alone",
				tag,
				host,
				tag,
			)
		}
	}
	if o.Trusted, err = s.trusted(); err == nil {
		err = s.checkDeskUser()
	}
	if err != nil {
		return o, err
	}
	if s.http.Connections < 0 {
		return o, fmt.Errorf(
			"-max-connections %d: must be at least 0, which is no limit",
			s.http.Connections,
		)
	}
	o.NoLimits = s.http.NoLimits
	switch {
	case !slices.Contains([]string{"auto", "require", "off"}, s.sandbox):
		return o, fmt.Errorf("-sandbox %q: must be auto, require or off", s.sandbox)
	case s.noSandbox && s.sandbox == "require":
		return o, errors.New(
			"-no-sandbox is -sandbox=off and contradicts -sandbox=require: give one of them",
		)
	case s.noSandbox:
		s.sandbox = "off"
	}
	return o, nil
}

// isSite reports whether paths can be put behind an address.
func isSite(u *url.URL) bool {
	return cli.IsAddress(u) && u.User == nil && u.RawQuery == "" && u.Fragment == "" &&
		!u.ForceQuery
}

// language returns the language that a flag names.
func language(flag, tag string) (i18n.Language, error) {
	l, ok := i18n.Match(tag)
	if !ok {
		var tags []string
		for _, known := range i18n.Languages() {
			tags = append(tags, known.Tag)
		}
		return l, fmt.Errorf(
			"%s: there is no %q; there are %s",
			flag,
			tag,
			strings.Join(tags, ", "),
		)
	}
	return l, nil
}

// chosenLanguages returns the languages with base addresses, nil for all, and the hosts of
// languages with their own host.
func (s *settings) chosenLanguages() ([]i18n.Language, map[string]*url.URL, error) {
	if s.languages == "all" {
		return nil, nil, nil
	}
	chosen := []i18n.Language{}
	hosts := map[string]*url.URL{}
	for item := range strings.SplitSeq(s.languages, ",") {
		tag, address, hosted := strings.Cut(strings.TrimSpace(item), "=")
		if tag == "all" && !hosted {
			chosen = append(chosen, i18n.Languages()...)
			continue
		}
		l, err := language("-languages", tag)
		if err != nil {
			return nil, nil, err
		}
		chosen = append(chosen, l)
		if !hosted {
			continue
		}
		u, err := url.Parse(address)
		if err != nil || !isSite(u) || strings.Trim(u.Path, "/") != "" {
			return nil, nil, fmt.Errorf(
				"-languages: %s=%s must give a scheme and a host alone, as %s=https://termine.example.org",
				tag,
				address,
				tag,
			)
		}
		if other := hosts[l.Tag]; other != nil {
			return nil, nil, fmt.Errorf(
				"-languages: %s has two hosts, %s and %s",
				l.Tag,
				other.Host,
				u.Host,
			)
		}
		hosts[l.Tag] = u
	}
	seen := map[string]string{}
	for tag, u := range hosts {
		if other := seen[strings.ToLower(u.Host)]; other != "" {
			return nil, nil, fmt.Errorf(
				"-languages: %s and %s have the same host %s",
				min(tag, other),
				max(tag, other),
				u.Host,
			)
		}
		seen[strings.ToLower(u.Host)] = tag
	}
	slices.SortFunc(chosen, func(a, b i18n.Language) int { return strings.Compare(a.Tag, b.Tag) })
	return slices.CompactFunc(
		chosen,
		func(a, b i18n.Language) bool { return a.Tag == b.Tag },
	), hosts, nil
}

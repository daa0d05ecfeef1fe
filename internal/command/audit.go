// The command audit: what an auditor asks about a server, on one page.

package command

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/account"
	"almanac/internal/build"
	"almanac/internal/caltime"
	"almanac/internal/rest"
	"almanac/store"
)

// Audit prints what the program and its data are and may do. When all else is known, it
// confines the process as Serve does, to see what it may do then. The architecture is
// the text of ARCHITECTURE.md.
func Audit(routes Routes, confine Confiner, architecture string) Command {
	return flagged("audit", "", "print what an auditor asks of the program, its settings and its data", auditFlags,
		func(ctx context.Context, s *auditSettings, _ []string, p Process) error {
			return s.audit(ctx, service{routes: routes, confine: confine}, architecture, p)
		})
}

// auditSettings are those of serve, and how the page is printed.
type auditSettings struct {
	*settings
	flags *flagSet
	json  bool
}

func auditFlags() (*flagSet, *auditSettings) {
	f, s := serveFlags()
	f.Init("audit", flag.ContinueOnError)
	f.synopsis = "almanac audit [flags]: print on a page what an auditor asks: what this program is made of, what it may do here with " +
		"the flags and variables of serve, what is in the data directory, and what weakens it. Nothing is changed, and a server may run. " +
		"The exit status is 0 if nothing stands out, 1 with findings, which the page begins with, and 2 after a mistake in a flag."
	a := &auditSettings{settings: s, flags: f}
	f.BoolVar(&a.json, "json", false, "print it as JSON")
	return f, a
}

// A page is what is printed.
type page struct {
	Time     time.Time    `json:"time"`
	Findings []string     `json:"findings"`
	Program  build.Info   `json:"program"`
	Settings []setting    `json:"settings"`
	Process  auditProcess `json:"process"`
	Data     auditData    `json:"data"`
	Accounts []shownUser  `json:"accounts"`
	Changes  []string     `json:"unexplained"` // of the accounts, of which the log does not tell
	Routes   []auditRoute `json:"routes"`
	Packages []auditPart  `json:"packages"`
	Reading  []auditPart  `json:"reading"` // the reading path

	report   store.Report
	listed   []account.Listed
	compared bytes.Buffer // what verify says of the accounts and the log
}

// An auditData is the data directory, as far as it can be read.
type auditData struct {
	Directory      string         `json:"directory"` // "" with -memory
	Verified       bool           `json:"verified"`  // everything is as it was written
	Head           string         `json:"head"`      // "" if it is not known
	Identity       string         `json:"identity"`  // "" if there is none yet, or if it is not known
	Transactions   int            `json:"transactions"`
	First          uint64         `json:"first"` // of them
	Last           uint64         `json:"last"`
	Format         int            `json:"format"`
	Snapshots      []uint64       `json:"snapshots"`
	SnapshotFormat int            `json:"snapshot_format"`
	Records        map[string]int `json:"records"` // none if damage hides them
	Damage         []string       `json:"damage"`
}

// An auditRoute is a route. Rights are those of which one is asked for.
type auditRoute struct {
	Methods []string     `json:"methods"`
	Path    string       `json:"path"`
	Rights  []auditRight `json:"rights"`
	Control bool         `json:"control,omitempty"` // open to administrators, and to programs on this machine
}

// An auditRight is a right, and the role that may do least of those that have it.
type auditRight struct {
	Name string `json:"name"`
	From string `json:"from"`
}

// An auditPart is a package, or the files of a step of the reading path.
type auditPart struct {
	Name  string `json:"name"`
	Lines int    `json:"lines"`
	Says  string `json:"says"` // what it promises, or what to look for
}

// Rows of the tables of ARCHITECTURE.md, which a test keeps.
var (
	packageRow = regexp.MustCompile("(?m)^\\| `?([\\w/]+)`? \\| (\\d+) \\| (.*) \\|$")
	stepRow    = regexp.MustCompile("(?m)^\\| \\d+ \\| (`.*`) \\| (\\d+) \\| (.*) \\|$")
	links      = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)
)

// partsOf reads the rows of a table.
func partsOf(architecture string, row *regexp.Regexp) (all []auditPart) {
	for _, cells := range row.FindAllStringSubmatch(architecture, -1) {
		lines, _ := strconv.Atoi(cells[2]) // digits
		all = append(all, auditPart{strings.NewReplacer("`", "", ",", "").Replace(cells[1]), lines, links.ReplaceAllString(cells[3], "$1")})
	}
	return all
}

// audit gathers everything, the process last: it cannot be freed again.
func (s *auditSettings) audit(ctx context.Context, g service, architecture string, p Process) error {
	var warnings strings.Builder
	o, err := s.options(slog.New(slog.DiscardHandler))
	if err != nil {
		return usageError{err}
	}
	a := &page{Time: caltime.System().Now().UTC(), Findings: []string{}, Packages: partsOf(architecture, packageRow),
		Reading: partsOf(architecture, stepRow)}
	if a.Program, err = builtFrom(); err != nil {
		a.find("the program cannot read its own file: %v", err)
	}
	if o.Look, err = s.pages.look(); err != nil {
		a.find("serve does not start: %v", err)
	}
	if s.cert != "" || s.key != "" {
		if _, err := openCertificate(s.cert, s.key, slog.New(slog.NewTextHandler(&warnings, nil))); err != nil {
			a.find("serve does not start: %v", err)
		} else if warnings.Len() > 0 {
			a.find("the certificate %s has expired", s.cert)
		}
	}
	if a.Routes, err = routesOf(o, g.routes, s.memory); err != nil {
		return usageError{err}
	}
	a.Settings = s.given(s.flags)
	for _, one := range a.Settings {
		if one.Weakens != "" {
			a.find("%s %s: %s", one.Flag, one.Value, one.Weakens)
		}
	}
	for _, path := range s.writable() {
		a.find("everybody on this machine may write to %s: chmod o-w %s", path, strconv.Quote(path))
	}
	if all := s.legible(); len(all) > 0 {
		a.find("everybody on this machine may read what nobody else should: %s, with %s; chmod o-r", counted(len(all), "file", "files"), all[0])
	}
	a.readData(ctx, s.settings)
	if err := ctx.Err(); err != nil {
		return err
	}
	a.readAccounts(s.settings)
	a.tryProcess(s.settings, g.confine)
	if s.json {
		err = writeJSON(p.Stdout, a)
	} else {
		_, err = p.Stdout.Write(a.text(s.settings))
	}
	if err == nil && len(a.Findings) > 0 {
		err = fmt.Errorf("audit: %s, which the page begins with", counted(len(a.Findings), "finding", "findings"))
	}
	return err
}

// find notes what stands out.
func (a *page) find(format string, values ...any) {
	a.Findings = append(a.Findings, fmt.Sprintf(format, values...))
}

// routesOf returns the routes of a server with these options.
func routesOf(o rest.Options, routes Routes, memory bool) ([]auditRoute, error) {
	if memory { // then it has the routes of a fixture
		o.Tenant = func(*http.Request) rest.Tenant { return rest.Tenant{} }
	}
	server, err := rest.New(o, routes)
	if err != nil {
		return nil, err
	}
	var all []auditRoute
	for _, r := range server.Access() {
		one := auditRoute{Methods: r.Methods, Path: strings.TrimSuffix(r.Path, "{$}"), Rights: []auditRight{}, Control: r.Control}
		for _, right := range r.Rights {
			one.Rights = append(one.Rights, auditRight{right.String(), string(right.Least())})
		}
		all = append(all, one)
	}
	return all, nil
}

// readData verifies the data directory.
func (a *page) readData(ctx context.Context, s *settings) {
	d := &a.Data
	d.Snapshots, d.Records, d.Damage = []uint64{}, map[string]int{}, []string{}
	if s.memory {
		return
	}
	d.Directory = s.data
	err := checkData(s.data)
	if err == nil {
		a.report, err = store.Verify(ctx, s.data, store.VerifyOptions{})
	}
	if err != nil {
		a.find("nothing was verified: %v", err)
		return
	}
	r := &a.report
	d.Transactions, d.First, d.Last, d.Format, d.SnapshotFormat = r.Lines, r.First, r.Last, r.Format, r.SnapshotFormat
	d.Snapshots, d.Identity = append(d.Snapshots, r.Snapshots...), r.Identity
	for k, n := range r.Records {
		if !r.RecordsHidden {
			d.Records[store.Kind(k).String()] = n
		}
	}
	for _, f := range r.Findings {
		d.Damage = append(d.Damage, finding(f))
	}
	if err = damage(ctx, s.data, *r); err != nil {
		a.find("%v", err)
	}
	d.Verified = err == nil
	if d.Verified || r.Head != [len(r.Head)]byte{} {
		d.Head = fmt.Sprintf("%x", r.Head)
	}
}

// readAccounts reads the accounts, those with the oldest token first.
func (a *page) readAccounts(s *settings) {
	a.Accounts, a.Changes = []shownUser{}, []string{}
	if s.memory && s.users == "" {
		return
	}
	file := cmp.Or(s.users, filepath.Join(s.data, usersName))
	u, err := account.Read(file, a.Time)
	if err == nil {
		uses, unknown := account.ReadUses(filepath.Join(s.data, usesName))
		a.listed, err = u.List(uses)
		err = errors.Join(unknown, err)
	}
	if err != nil {
		a.find("%v", err)
	}
	made := func(t account.ListedToken) string { return cmp.Or(t.Created, "0") } // they sort as times do
	for _, l := range a.listed {
		slices.SortStableFunc(l.Tokens, func(x, y account.ListedToken) int { return cmp.Compare(made(x), made(y)) })
		if slices.ContainsFunc(l.Tokens, func(t account.ListedToken) bool { return t.Plain }) {
			a.find("a token of %s is in plain text in %s: make another with almanac users token", shownText(l.Login), file)
		}
	}
	oldest := func(l account.Listed) string {
		if len(l.Tokens) == 0 {
			return "none"
		}
		return made(l.Tokens[0])
	}
	slices.SortStableFunc(a.listed, func(x, y account.Listed) int { return cmp.Compare(oldest(x), oldest(y)) })
	a.Accounts = shownUsers(a.listed)
	if s.memory {
		return
	}
	_ = (&verifySettings{data: s.data, users: s.users}).accounts(&a.compared) // a buffer takes everything
	_, changes, told, err := compareAccounts(s.data, s.users)
	switch {
	case err == nil && len(told) > 0 && len(changes) > 0:
		a.Changes = changes
		for _, text := range changes { // which a server writes within a second
			a.find("the log does not explain %s: %s", file, text)
		}
	case errors.Is(err, fs.ErrNotExist) && len(told) > 0:
		a.find("the log tells of %s whose file is missing", counted(len(told), "account", "accounts"))
	}
}

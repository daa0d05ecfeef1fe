// The command audit answers an auditor's questions about a server on one page.

package command

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/api"
	"almanac/internal/cli"
	"almanac/internal/cli/build"
	"almanac/internal/people/account"
	"almanac/internal/people/submission"
	"almanac/internal/serve/httpd"
	"almanac/internal/text/caltime"
	"almanac/store"
)

// Audit prints what the program and its data are and may do. When all else is known, it
// confines the process as Serve does, to see what it may do then.
func Audit(routes Routes, confine Confiner) cli.Command {
	return cli.New(
		"audit",
		"",
		"print what an auditor asks of the program, its settings and its data",
		"almanac audit [flags]: print on a page what an auditor asks: what this program is made of, what it may do here with "+
			"the flags and variables of serve, what is in the data directory, and what weakens it. Nothing is changed, and a server may run. "+
			"The exit status is 0 if nothing stands out, 1 with findings, which the page begins with, and 2 after a mistake in a flag.",
		(*auditSettings).flags,
		func(ctx context.Context, s *auditSettings, _ []string, p cli.Process) error {
			return s.audit(ctx, Service{Routes: routes, Confine: confine}, p)
		},
	)
}

// auditSettings are those of serve, and how the page is printed.
type auditSettings struct {
	settings
	json bool
}

func (s *auditSettings) flags(f *cli.FlagSet) {
	s.settings.flags(f)
	f.BoolVar(&s.json, "json", false, "print it as JSON")
}

// audit gathers everything, the process last: it cannot be freed again.
func (s *auditSettings) audit(ctx context.Context, g Service, p cli.Process) error {
	var warnings strings.Builder
	o, err := s.options(slog.New(slog.DiscardHandler))
	if err != nil {
		return cli.Usage(err)
	}
	r := &auditReport{Time: caltime.System().Now().UTC(), Findings: []string{}}
	if !s.memory {
		r.Directory = s.data
	}
	info, err := build.Running()
	if err != nil {
		r.find("the program cannot read its own file: %v", err)
	}
	if o.Look, err = s.pages.look(); err != nil {
		r.find("serve does not start: %v", err)
	}
	if s.cert != "" || s.key != "" {
		if _, err := httpd.OpenCertificate(s.cert, s.key, slog.New(slog.NewTextHandler(&warnings, nil))); err != nil {
			r.find("serve does not start: %v", err)
		} else if warnings.Len() > 0 {
			r.find("the certificate %s has expired", s.cert)
		}
	}
	open, err := s.routeRows(o, g.Routes)
	if err != nil {
		return cli.Usage(err)
	}
	settings := given(s.declared, r.find)
	for _, path := range s.writable() {
		r.find(
			"everybody on this machine may write to %s: chmod o-w %s",
			path,
			strconv.Quote(path),
		)
	}
	if all := s.legible(); len(all) > 0 {
		r.find(
			"everybody on this machine may read what nobody else should: %s, with %s; chmod o-r",
			counted(len(all), "file", "files"),
			all[0],
		)
	}
	data, err := r.readData(ctx, &s.settings)
	if err != nil {
		return err
	}
	accounts, tokens := r.readAccounts(&s.settings)
	process, attempts := r.tryProcess(&s.settings, g.Confine)
	r.Sections = []section{
		{"Program", cli.BuildRows(info)},
		{"Settings", settings},
		{"Process", process},
		{"Attempts", attempts},
		{"Data directory", data},
		{"Accounts", accounts},
		{"Tokens", tokens},
		{"Routes", open},
	}
	err = cli.PrintReport(p.Stdout, s.json, r, r.print)
	if err == nil && len(r.Findings) > 0 {
		err = fmt.Errorf(
			"audit: %s, which the page begins with",
			counted(len(r.Findings), "finding", "findings"),
		)
	}
	return err
}

// given returns the settings that were given, by a flag or a variable, of flags that are those of
// serve and more. It finds those that weaken something.
func given(f *cli.FlagSet, find func(format string, values ...any)) (all cli.Rows) {
	f.Visit(func(fl *flag.Flag) {
		value := fl.Value.String()
		shown := fl.Value.String()
		from := "a flag"
		switch fl.Name {
		case "json":
			return
		case "token":
			shown = "…"
		}
		if slices.Contains(f.Found, fl.Name) {
			from = cli.Variable(fl.Name)
		}
		if decide := f.Weaken[fl.Name]; decide != nil && decide(value) != "" {
			find("-%s %s: %s", fl.Name, shown, decide(value))
		}
		all.Add("-"+fl.Name, shown+", by "+from)
	})
	all.Add("others", "have the default")
	return all
}

// routeRows returns the routes that a server with these options answers, as its router has them. A
// route needs one of its rights, which have their lowest roles beside them.
func (s *settings) routeRows(o api.Options, routes Routes) (cli.Rows, error) {
	if s.memory { // then it has the routes of a fixture
		o.Tenant = func(*http.Request) api.Tenant { return api.Tenant{} }
	}
	if s.desk { // any sessions and any room do: nothing is asked
		o.Sessions = new(account.Sessions)
	}
	if s.submissions != "" {
		o.Submissions = new(submission.Room)
	}
	server, err := api.New(o, routes)
	if err != nil {
		return nil, err
	}
	all := cli.Rows{{"METHODS", "PATH", "RIGHT (AND THE LEAST ROLE THAT HAS IT)"}}
	for _, r := range server.Access() {
		rights := make([]string, len(r.Rights))
		for i, right := range r.Rights {
			rights[i] = fmt.Sprintf("%v (%s)", right, right.Least())
		}
		needs := strings.Join(rights, ", or ")
		switch {
		case r.Control:
			needs = "administrators, and everybody on this machine"
		case needs != "":
		case r.Account:
			needs = "an account, by its rights"
		default:
			needs = "everybody"
		}
		all.Add(strings.Join(r.Methods, ","), strings.TrimSuffix(r.Path, "{$}"), needs)
	}
	return all, nil
}

// readData verifies the data directory. The error is that of ctx.
func (r *auditReport) readData(ctx context.Context, s *settings) (all cli.Rows, err error) {
	if s.memory {
		all.Add("nothing", "everything is in memory")
		return all, nil
	}
	var report store.Report
	if err = checkData(s.data); err == nil {
		report, err = store.Verify(ctx, s.data, store.VerifyOptions{})
	}
	if err != nil {
		r.find("nothing was verified: %v", err)
		all.Add("unknown", s.data+" could not be read")
		return all, ctx.Err()
	}
	verified := "yes: every byte of the log and of the snapshots is as it was written"
	if err = damage(s.data, report); err != nil {
		r.find("%v", err)
		verified = "no"
	}
	all.Add("verified", verified)
	for _, f := range report.Findings {
		all.Add("damaged", finding(f))
	}
	all.Add("identity", cmp.Or(report.Identity, "none yet: the next start gives it one"))
	all = append(all, reportRows(report)...)
	all.Add(
		"formats",
		fmt.Sprintf(
			"%d of the log, %d of the snapshots, by store/FORMAT.md",
			store.LineFormat,
			store.SnapshotFormat,
		),
	)
	return all, ctx.Err()
}

// readAccounts reads the accounts, and the tokens of each, those with the oldest token first.
func (r *auditReport) readAccounts(s *settings) (all, tokens cli.Rows) {
	var listed []account.Listed
	if !s.memory || s.users != "" {
		listed = r.listAccounts(s)
	}
	disabled := 0
	made := 0
	endless := 0
	for _, l := range listed {
		made += len(l.Tokens)
		if l.Disabled {
			disabled++
		}
		for _, t := range l.Tokens {
			if t.Expires.IsZero() {
				endless++
			}
		}
	}
	all.Add(
		"there are",
		fmt.Sprintf(
			"%s, %d of them disabled",
			counted(len(listed), "account", "accounts"),
			disabled,
		),
	)
	all.Add(
		"tokens",
		fmt.Sprintf("%d, %d of them without an end; no token is on this page", made, endless),
	)
	tokens = tokenRows(listed)
	for i, row := range tokens {
		tokens[i] = slices.Delete(row, 3, 4) // the e-mail address
	}
	return all, tokens
}

// listAccounts reads the accounts of the directory, or of a file.
func (r *auditReport) listAccounts(s *settings) []account.Listed {
	file := s.users
	read := account.ReadFile
	if file == "" {
		file = s.data
		read = account.Read
	}
	known, err := read(file)
	if err != nil {
		r.find("%v", err)
	}
	uses, err := account.ReadUses(filepath.Join(s.data, usesName))
	if err != nil {
		r.find("%v", err)
	}
	listed := account.List(known, uses, r.Time)
	made := func(t account.ListedToken) string { return cmp.Or(t.Created, "0") } // they sort as times do
	for _, l := range listed {
		slices.SortStableFunc(
			l.Tokens,
			func(x, y account.ListedToken) int { return cmp.Compare(made(x), made(y)) },
		)
		if slices.ContainsFunc(l.Tokens, func(t account.ListedToken) bool { return t.Plain }) {
			r.find(
				"a token of %s is in plain text in %s: make another with almanac users token",
				cli.Line(l.Login),
				file,
			)
		}
	}
	oldest := func(l account.Listed) string {
		if len(l.Tokens) == 0 {
			return "none"
		}
		return made(l.Tokens[0])
	}
	slices.SortStableFunc(
		listed,
		func(x, y account.Listed) int { return cmp.Compare(oldest(x), oldest(y)) },
	)
	return listed
}

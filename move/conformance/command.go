// Package conformance asks a server whether it keeps the specification of the API: every route,
// parameter, type, default and error, as the tables of package params and the list of routes have
// them. It only reads.
//
//	command.go  the command
//	points.go   what a point is, and the forms in which points are printed
//	routes.go   the routes, their description in the index, and single records
//	lists.go    the parameters of lists
//	records.go  the members of records, and the order of lists
package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/internal/api"
	"almanac/internal/cli"
	"almanac/internal/text/caltime"
	"almanac/move/client"
	"almanac/move/oldsite"
)

// Routes calls its argument for every route of a server.
type Routes = func(on func(pattern string, op *api.Op))

// Command asks a server about the specified ones among some routes.
func Command(routes Routes) cli.Command {
	return cli.New(
		"conform",
		"SITE",
		"ask a server whether it keeps the specification of the API",
		"almanac-move conform [flags] SITE: ask a server whether it keeps the specification of the API, and print a line for each point, with "+
			"its section. Nothing is written. Exit status 0 if no point fails, 1 if one does or there is no API, 2 after a mistake in the "+
			"command line.",
		(*settings).flags,
		func(ctx context.Context, s *settings, args []string, p cli.Process) error {
			return s.run(ctx, routes, args, p, nil)
		},
	)
}

// settings are the flags of conform.
type settings struct{ format string }

func (s *settings) flags(f *cli.FlagSet) {
	f.StringVar(&s.format, "format", "text", "`form` of the points: text, tap or junit")
	f.NoVariables()
}

// run asks for all points. Sleep waits between requests; nil sleeps.
func (s *settings) run(ctx context.Context, routes Routes, args []string, p cli.Process,
	sleep func(context.Context, time.Duration) error) error {
	form, known := forms[s.format]
	switch {
	case len(args) != 1:
		return cli.Usage(
			errors.New(
				"name one site, such as https://calendar.example.org (see almanac-move help conform)",
			),
		)
	case !known:
		return cli.Usage(fmt.Errorf("-format %q: must be text, tap or junit", s.format))
	}
	address, err := oldsite.Parse(args[0])
	if err != nil {
		return err
	}
	ctx, cancel := client.Within(ctx, time.Hour)
	defer cancel()
	site, err := oldsite.Find(ctx, &client.Crawler{
		Accept:   "application/json",
		Timeout:  time.Minute,
		Tries:    2,
		Interval: time.Second / 10,
		Now:      caltime.System().Now,
		Sleep:    sleep,
	}, address)
	if err != nil {
		return err
	}
	c := &checker{
		ctx:     ctx,
		site:    site,
		samples: map[string]object{},
		records: map[string][]object{},
		ordered: map[string][]object{},
	}
	c.run(specified(routes))
	err = form.print(p.Stdout, site.Root.String(), c.points)
	if err = errors.Join(context.Cause(ctx), err); err != nil {
		return err
	}
	if slices.ContainsFunc(c.points, func(p point) bool { return p.outcome == failed }) {
		return fmt.Errorf("%s does not keep the specification", args[0])
	}
	return nil
}

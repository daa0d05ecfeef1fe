// Package pull is the command that brings documents of other sites into a calendar again and
// again: the calendar of a club, a table, the lists of another server.
//
//	almanac-move pull -data DIR sources.json
//
// It promises that a source that fails changes nothing, and that a second run changes nothing.
//
//	sources.go  the list of sources
//	fetch.go    reading a source
//	pull.go     storing its records, and removing what it lacks
//	state.go    the records of each source, from one run to the next
package pull

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"almanac/internal/cli"
	"almanac/internal/text/caltime"
	"almanac/internal/write/intake"
	"almanac/move/files"
	"almanac/move/transfer"
	"almanac/store"
)

// Command brings the documents of sources into a calendar.
var Command = command(nil)

// command returns the command; sleep is that of a client.Crawler.
func command(sleep func(context.Context, time.Duration) error) cli.Command {
	return cli.New(
		"pull",
		"SOURCES",
		"bring documents of other sites into a calendar, again and again",
		"almanac-move pull [flags] SOURCES: bring the calendars, tables and lists that a file names into a data directory or a server.",
		(*settings).flags,
		func(ctx context.Context, s *settings, args []string, p cli.Process) error {
			return s.run(ctx, args, p, sleep)
		},
	)
}

type settings struct {
	transfer.Settings
	state string
}

func (s *settings) flags(f *cli.FlagSet) {
	s.Settings.Flags(f)
	f.StringVar(
		&s.state,
		"state",
		"",
		"`file` that knows the records of each source; without it, SOURCES with the ending .state.json",
	)
}

// A puller brings sources into a calendar.
type puller struct {
	*transfer.Loader
	sources []source
	state   *state
	before  map[string]entry // records of the state, as it was read
	now     time.Time
	sleep   func(context.Context, time.Duration) error

	owner   map[string]string // name of the source that has a key
	whole   map[string]bool   // names of the sources that were read, without a refusal
	sent    []sending         // items without a result
	trashed int
}

// A sending is an item that was sent.
type sending struct{ key, source string }

// run brings the sources, one after the other. The state is written whatever happens, because
// records were stored.
func (s *settings) run(
	ctx context.Context,
	args []string,
	p cli.Process,
	sleep func(context.Context, time.Duration) error,
) error {
	if len(args) != 1 {
		return cli.Usage(
			errors.New("name one file with the list of sources (see almanac-move help pull)"),
		)
	}
	sources, err := readSources(args[0])
	if err != nil {
		return cli.Usage(err)
	}
	to, err := filepath.Abs(s.Data)
	if err != nil {
		return err
	}
	file := cmp.Or(s.state, strings.TrimSuffix(args[0], filepath.Ext(args[0]))+".state.json")
	state, err := readState(file, cmp.Or(s.To, to))
	if err != nil {
		return err
	}
	loader, err := s.Open(ctx, p)
	if err != nil {
		return err
	}
	pull := &puller{
		Loader:  loader,
		sources: sources,
		state:   state,
		before:  maps.Clone(state.Records),
		now:     caltime.System().Now(),
		sleep:   sleep,
		owner:   map[string]string{},
		whole:   map[string]bool{},
	}
	loader.Taken = pull.taken
	err = pull.all(ctx, p.Stderr)
	err = errors.Join(err, s.Refused(loader), transfer.WriteState(file, state))
	if !s.Quiet {
		err = errors.Join(err, loader.WriteTable(p.Stdout))
		fmt.Fprintf(p.Stdout, "%d in the trash, because their sources lack them\n", pull.trashed)
	}
	return errors.Join(err, loader.Close())
}

// all brings all sources, and then removes what they lack.
func (p *puller) all(ctx context.Context, stderr io.Writer) error {
	failed := 0
	for _, s := range p.sources {
		items, err := p.read(ctx, s)
		if err == nil {
			err = p.checkEmpty(s, items)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil {
			if err := p.bring(s, items); err != nil {
				return err
			}
			continue
		}
		failed++
		fmt.Fprintf(
			stderr,
			"%s: %s; nothing of this source was changed\n",
			s.Name,
			cli.Line(strings.TrimPrefix(err.Error(), s.Name+": ")),
		)
		for key, e := range p.before { // its records are still its own
			if k := seriesKey(key); e.Source == s.Name && p.owner[k] == "" {
				p.owner[k] = s.Name
			}
		}
	}
	if err := p.removeMissing(); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d sources failed", failed, len(p.sources))
	}
	return nil
}

// checkEmpty refuses a document without events, if its source had events that are not over.
func (p *puller) checkEmpty(s source, items []intake.Item) error {
	if slices.ContainsFunc(
		items,
		func(i intake.Item) bool { return i.Kind == store.Events.String() },
	) {
		return nil
	}
	for key, e := range p.before {
		if e.Source == s.Name && e.isComing(p.now) && !p.before[seriesKey(key)].Gone {
			return errors.New("has no event, and had some that are not over")
		}
	}
	return nil
}

// bring stores the records of a source, except those of a source before it.
func (p *puller) bring(s source, items []intake.Item) error {
	p.whole[s.Name] = true
	p.From(s.URL)
	seen := map[string]bool{}
	for _, item := range items {
		key := keyOf(item)
		whole := seriesKey(key)
		if owner := p.owner[whole]; seen[key] || owner != "" && owner != s.Name {
			continue
		}
		p.owner[whole] = s.Name
		seen[key] = true
		known := p.before[key]
		series := p.before[whole]
		switch item.As = s.As; {
		case key != whole && series.Gone: // the event went to the trash with its series
			item.As = intake.Overwrite
		case known.Gone && s.As == intake.Once:
			item.As = intake.Keep
		case known.Source == "" && s.As == intake.Once: // a date of a series that changed later
			known = series
		}
		if known.Source != "" {
			item.Base = &known.Taken
		}
		p.sent = append(p.sent, sending{key, s.Name})
		if err := p.Add(item); err != nil {
			return err
		}
	}
	return p.Flush()
}

// taken notes what became of the items that were sent first.
func (p *puller) taken(all []*intake.Taken) error {
	if len(all) == 0 {
		return errors.New(
			"the server is older than this program, and cannot tell the records of a source",
		)
	}
	for i, t := range all {
		sent := p.sent[i]
		if t == nil {
			p.whole[sent.source] = false
			continue
		}
		if t.Gone {
			p.trashed++
		}
		p.state.Records[sent.key] = entry{sent.source, *t}
	}
	p.sent = p.sent[len(all):]
	return nil
}

// removeMissing moves events that their sources lack to the trash, if that is wanted, and forgets
// those that are over.
func (p *puller) removeMissing() error {
	named := map[string]source{}
	for _, s := range p.sources {
		named[s.Name] = s
	}
	for _, key := range slices.Sorted(maps.Keys(p.before)) {
		e := p.state.Records[key]
		s := named[e.Source]
		isDate := key != seriesKey(key) && p.before[seriesKey(key)].Source != ""
		switch {
		case s.Name == "":
			delete(p.state.Records, key)
		case !p.whole[s.Name] || p.owner[seriesKey(key)] != "":
		case e.isOver(p.now):
			delete(p.state.Records, key)
		case s.Gone == trash && e.isComing(p.now) && !isDate: // dates go with their series
			_, id, _ := strings.Cut(key, idMark)
			item := intake.Item{
				Kind: store.Events.String(),
				File: s.Name,
				As:   s.As,
				Base: &e.Taken,
				Gone: true,
			}
			files.Draft{"global_id": id}.Fill(&item, nil)
			p.sent = append(p.sent, sending{key, s.Name})
			if err := p.Add(item); err != nil {
				return err
			}
		}
	}
	return p.Flush()
}

// The flags of serve that say how much clients may ask for.

package command

import (
	"fmt"

	"almanac/internal/api"
	"almanac/internal/limit"
)

// limitSettings are those flags. A 0 is no limit, and so is the zero Rate.
type limitSettings struct {
	body, bodyBudget, depth, query, items, requests, answer, search, log, free countFlag
	rate, logins, passwords                                                    limit.Rate
}

// A countFlag is a limit in the unit of its flag.
type countFlag struct {
	name  string
	shift int // the unit is 1<<shift
	value int
}

// bytes returns the limit without its unit.
func (c countFlag) bytes() int64 { return int64(c.value) << c.shift }

const kilo, mega = 10, 20

func (f *flagSet) limitVars(s *limitSettings) {
	standard := api.DefaultLimits()
	count := func(c *countFlag, name string, value int64, shift int, usage string) {
		c.name, c.shift = name, shift
		f.IntVar(&c.value, name, int(value>>shift), usage)
	}
	count(&s.body, "max-body-kb", standard.Body, kilo, "`kilobytes` of the body of a request (413); 0 is no limit, as for the others")
	count(&s.bodyBudget, "max-bodies-mb", standard.BodyBytes, mega,
		"`megabytes` of the bodies of all requests in memory, half for one account, an eighth for all without one (503)")
	count(&s.depth, "max-depth", int64(standard.Depth), 0, "how `deep` lists and objects may nest in JSON (400)")
	count(&s.query, "max-query-kb", int64(standard.Query), kilo, "`kilobytes` of a query (414)")
	count(&s.items, "max-items", int64(standard.Items), 0, "`items` of a list in one parameter (400)")
	count(&s.search, "max-search-mb", standard.Search, mega, "`megabytes` of text that one search may read (400)")
	count(&s.answer, "max-answer-mb", standard.Answer, mega, "`megabytes` of the records of a page; a larger page gets fewer records")
	count(&s.requests, "max-requests", int64(standard.Requests), 0, "`requests` worked on at the same time (503)")
	count(&s.log, "max-log-mb", standard.Log, mega, "`megabytes` of records that an account below editor may write in an hour (429)")
	count(&s.free, "min-free-mb", standard.Free, mega,
		"`megabytes` of free disk space below which only editors and administrators write (503)")
	f.RateVar(&s.rate, "rate", standard.Rate, "requests of one address, as a `rate` such as 50/s, or off (429)")
	f.RateVar(&s.logins, "wrong-logins", standard.Logins, "failed logins of one address, as a `rate` such as 100/m, or off (429)")
	f.RateVar(&s.passwords, "wrong-passwords", standard.Passwords,
		"wrong passwords of events of one address or account, as a `rate` such as 10/m, or off (429)")
}

// limits checks the flags.
func (s *limitSettings) limits() (*api.Limits, error) {
	for _, c := range []countFlag{s.body, s.bodyBudget, s.depth, s.query, s.items, s.requests, s.answer, s.search, s.log, s.free} {
		const most = 1 << 30
		if c.value < 0 || c.value > most {
			return nil, fmt.Errorf("-%s %d: must be from 0, which is no limit, to %d", c.name, c.value, most)
		}
	}
	return &api.Limits{
		Body: s.body.bytes(), BodyBytes: s.bodyBudget.bytes(), Depth: s.depth.value, Query: int(s.query.bytes()), Items: s.items.value,
		Requests: s.requests.value, Answer: s.answer.bytes(), Search: s.search.bytes(), Log: s.log.bytes(), Free: s.free.bytes(),
		Rate: s.rate, Logins: s.logins, Passwords: s.passwords,
	}, nil
}

// warnOfRoom says when -min-free-mb has no effect, and when it has it from the
// start.
func (s *settings) warnOfRoom(o api.Options) {
	if s.memory || s.noLimits || s.limits.free.value == 0 {
		return
	}
	switch free, err := o.Store.Free(); {
	case err != nil:
		o.Logger.Warn("free space of the disk is not known: -min-free-mb has no effect", "err", err)
	case free < o.Limits.Free:
		o.Logger.Warn("the disk is nearly full: only editors and administrators may write, see -min-free-mb", "free", free)
	}
}

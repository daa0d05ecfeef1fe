// The flags of serve that say how much clients may ask for.

package command

import (
	"fmt"

	"almanac/internal/limit"
	"almanac/internal/rest"
)

// limitSettings are those flags. A 0 is no limit, and so is the zero Rate.
type limitSettings struct {
	bodyKB, bodiesMB, depth, queryKB, items, requests, answerMB, searchMB, logMB, freeMB int
	rate, wrongLogins, wrongPasswords                                                    limit.Rate
}

func (f *flagSet) limitVars(s *limitSettings) {
	standard := rest.DefaultLimits()
	f.IntVar(&s.bodyKB, "max-body-kb", int(standard.Body>>10),
		"`kilobytes` of the body of a request (413); 0 is no limit, as for the others")
	f.IntVar(&s.bodiesMB, "max-bodies-mb", int(standard.Bodies>>20),
		"`megabytes` of the bodies of all requests in memory, half for one account, an eighth for all without one (503)")
	f.IntVar(&s.depth, "max-depth", standard.Depth, "how `deep` lists and objects may nest in JSON (400)")
	f.IntVar(&s.queryKB, "max-query-kb", standard.Query>>10, "`kilobytes` of a query (414)")
	f.IntVar(&s.items, "max-items", standard.Items, "`items` of a list in one parameter (400)")
	f.IntVar(&s.searchMB, "max-search-mb", int(standard.Search>>20), "`megabytes` of text that one search may read (400)")
	f.IntVar(&s.answerMB, "max-answer-mb", int(standard.Answer>>20), "`megabytes` of the records of a page; a larger page gets fewer records")
	f.IntVar(&s.requests, "max-requests", standard.Requests, "`requests` worked on at the same time (503)")
	f.IntVar(&s.logMB, "max-log-mb", int(standard.Log>>20), "`megabytes` of records that an account below editor may write in an hour (429)")
	f.IntVar(&s.freeMB, "min-free-mb", int(standard.Free>>20),
		"`megabytes` of free disk space below which only editors and administrators write (503)")
	f.RateVar(&s.rate, "rate", standard.Rate, "requests of one address, as a `rate` such as 50/s, or off (429)")
	f.RateVar(&s.wrongLogins, "wrong-logins", standard.Logins, "failed logins of one address, as a `rate` such as 100/m, or off (429)")
	f.RateVar(&s.wrongPasswords, "wrong-passwords", standard.Passwords,
		"wrong passwords of events of one address or account, as a `rate` such as 10/m, or off (429)")
}

// limits checks the flags.
func (s *limitSettings) limits() (*rest.Limits, error) {
	for _, flag := range []struct {
		name  string
		value int
	}{
		{"max-body-kb", s.bodyKB}, {"max-bodies-mb", s.bodiesMB}, {"max-depth", s.depth}, {"max-query-kb", s.queryKB},
		{"max-items", s.items}, {"max-requests", s.requests},
		{"max-answer-mb", s.answerMB}, {"max-search-mb", s.searchMB},
		{"max-log-mb", s.logMB}, {"min-free-mb", s.freeMB},
	} {
		const most = 1 << 30
		if flag.value < 0 || flag.value > most {
			return nil, fmt.Errorf("-%s %d: must be from 0, which is no limit, to %d", flag.name, flag.value, most)
		}
	}
	return &rest.Limits{
		Body: int64(s.bodyKB) << 10, Bodies: int64(s.bodiesMB) << 20, Depth: s.depth, Query: s.queryKB << 10, Items: s.items,
		Requests: s.requests, Answer: int64(s.answerMB) << 20, Search: int64(s.searchMB) << 20,
		Log: int64(s.logMB) << 20, Free: int64(s.freeMB) << 20,
		Rate: s.rate, Logins: s.wrongLogins, Passwords: s.wrongPasswords,
	}, nil
}

// warnOfRoom says when -min-free-mb has no effect, and when it has it from the
// start.
func (s *settings) warnOfRoom(o rest.Options) {
	if s.memory || s.noLimits || s.limits.freeMB == 0 {
		return
	}
	switch free, err := o.Store.Free(); {
	case err != nil:
		o.Logger.Warn("free space of the disk is not known: -min-free-mb has no effect", "err", err)
	case free < o.Limits.Free:
		o.Logger.Warn("the disk is nearly full: only editors and administrators may write, see -min-free-mb", "free", free)
	}
}

// RateVar is a flag that is a limit.Rate.
func (f *flagSet) RateVar(p *limit.Rate, name string, value limit.Rate, usage string) {
	*p = value
	f.Var((*rateValue)(p), name, usage)
}

type rateValue limit.Rate

func (v *rateValue) String() string { return limit.Rate(*v).String() }

func (v *rateValue) Set(text string) error {
	r, err := limit.ParseRate(text)
	*v = rateValue(r)
	return err
}

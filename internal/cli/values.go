// The kinds of values that flags have, with errors that say what is wanted.

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"almanac/internal/people/limit"
)

const day = 24 * time.Hour

// A value is a flag.Value of any type.
type value[T any] struct {
	at     *T
	parse  func(string) (T, error)
	format func(T) string
}

func (v value[T]) String() string {
	if v.at == nil { // of the zero value, which package flag makes
		return ""
	}
	return v.format(*v.at)
}

func (v value[T]) Set(text string) error {
	parsed, err := v.parse(text)
	if err == nil {
		*v.at = parsed
	}
	return err
}

// IsBoolFlag reports whether the flag may stand without a value.
func (v value[T]) IsBoolFlag() bool { _, is := any(v.at).(*bool); return is }

// add adds a flag with a default.
func add[T any](
	f *FlagSet,
	p *T,
	name string,
	standard T,
	usage string,
	parse func(string) (T, error),
	format func(T) string,
) Setting {
	*p = standard
	f.Var(value[T]{p, parse, format}, name, usage)
	return Setting{f, name}
}

// StringVar is as in package flag.
func (f *FlagSet) StringVar(p *string, name, standard, usage string) Setting {
	f.FlagSet.StringVar(p, name, standard, usage)
	return Setting{f, name}
}

// BoolVar is as in package flag.
func (f *FlagSet) BoolVar(p *bool, name string, standard bool, usage string) Setting {
	return add(
		f,
		p,
		name,
		standard,
		usage,
		parsed(strconv.ParseBool, "must be true or false"),
		strconv.FormatBool,
	)
}

// IntVar is as in package flag.
func (f *FlagSet) IntVar(p *int, name string, standard int, usage string) Setting {
	return add(
		f,
		p,
		name,
		standard,
		usage,
		parsed(strconv.Atoi, "must be a whole number"),
		strconv.Itoa,
	)
}

// DurationVar is for a time that a client may take.
func (f *FlagSet) DurationVar(
	p *time.Duration,
	name string,
	standard time.Duration,
	usage string,
) Setting {
	return add(
		f,
		p,
		name,
		standard,
		usage,
		atLeast(0, "must be a time such as 30s or 2m, or 0 for ever"),
		formatDuration,
	)
}

// SpanVar is for a time in minutes and seconds rather than in days.
func (f *FlagSet) SpanVar(
	p *time.Duration,
	name string,
	standard time.Duration,
	usage string,
) Setting {
	return add(
		f,
		p,
		name,
		standard,
		usage,
		atLeast(1, "must be longer than nothing, such as 10m, 90s or 1h30m"),
		formatDuration,
	)
}

// KeepVar is for a number of days or hours.
func (f *FlagSet) KeepVar(
	p *time.Duration,
	name string,
	standard time.Duration,
	usage string,
) Setting {
	return add(f, p, name, standard, usage, ParseKeep, formatKeep)
}

// RateVar is for a limit of requests in a time.
func (f *FlagSet) RateVar(p *limit.Rate, name string, standard limit.Rate, usage string) Setting {
	return add(f, p, name, standard, usage, limit.ParseRate, limit.Rate.String)
}

// parsed returns a parser whose errors say what is wanted.
func parsed[T any](parse func(string) (T, error), wanted string) func(string) (T, error) {
	return func(text string) (T, error) {
		v, err := parse(text)
		if err != nil {
			err = errors.New(wanted)
		}
		return v, err
	}
}

// atLeast returns a parser of times that are not below least.
func atLeast(least time.Duration, wanted string) func(string) (time.Duration, error) {
	return parsed(func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err == nil && d < least {
			err = errors.ErrUnsupported
		}
		return d, err
	}, wanted)
}

// formatDuration leaves out a zero at the end: 1m, not 1m0s.
func formatDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func formatKeep(d time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d%day == 0:
		return fmt.Sprintf("%dd", d/day)
	}
	return fmt.Sprintf("%dh", d/time.Hour)
}

// ParseKeep reads a number of days or hours.
func ParseKeep(text string) (time.Duration, error) {
	number := text
	unit := time.Duration(0)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		number = days
		unit = day
	} else if hours, ok := strings.CutSuffix(text, "h"); ok {
		number = hours
		unit = time.Hour
	}
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil || unit == 0 && n != 0 || unit != 0 && n > uint64(math.MaxInt64/unit) {
		return 0, errors.New(
			"must be a number of days such as 30d, or of hours such as 12h, or 0 for as little as possible",
		)
	}
	return time.Duration(n) * unit, nil
}

// IsAddress reports whether a URL is an address to connect to: with http or https, a host, and a
// port that exists.
func IsAddress(u *url.URL) bool {
	port, err := strconv.ParseUint(cmp.Or(u.Port(), "80"), 10, 16)
	isHost := u.Hostname() != "" &&
		!strings.HasSuffix(u.Host, ":") // that of https://https://example.org
	return (u.Scheme == "http" || u.Scheme == "https") && isHost && err == nil && port > 0
}

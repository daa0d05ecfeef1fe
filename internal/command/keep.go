// The flags that say how long something is kept.

package command

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

const day = 24 * time.Hour

// KeepVar is as the functions of the flag package, for a number of days or
// hours.
func (f *flagSet) KeepVar(p *time.Duration, name string, value time.Duration, usage string) {
	*p = value
	f.Var((*keepValue)(p), name, usage)
}

type keepValue time.Duration

func (v *keepValue) String() string {
	switch d := time.Duration(*v); {
	case d == 0:
		return "0"
	case d%day == 0:
		return fmt.Sprintf("%dd", d/day)
	default:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
}

func (v *keepValue) Set(text string) error {
	unit := time.Duration(0)
	number := text
	switch {
	case strings.HasSuffix(text, "d"):
		unit, number = day, text[:len(text)-1]
	case strings.HasSuffix(text, "h"):
		unit, number = time.Hour, text[:len(text)-1]
	}
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil || unit == 0 && n != 0 || unit != 0 && n > uint64(math.MaxInt64/unit) {
		return errors.New("must be a number of days such as 30d, or of hours such as 12h, or 0 for as little as possible")
	}
	*v = keepValue(time.Duration(n) * unit)
	return nil
}

// SpanVar is as the functions of the flag package, for a time that is counted in
// minutes and seconds rather than in days.
func (f *flagSet) SpanVar(p *time.Duration, name string, value time.Duration, usage string) {
	*p = value
	f.Var((*spanValue)(p), name, usage)
}

type spanValue time.Duration

func (v *spanValue) String() string { return (*durationValue)(v).String() }

func (v *spanValue) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("must be longer than nothing, such as 10m, 90s or 1h30m")
	}
	*v = spanValue(d)
	return nil
}

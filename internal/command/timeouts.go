// Flags that say how long a client may take.

package command

import (
	"errors"
	"strings"
	"time"
)

// DurationVar is that of the flag package, for times that are not below 0.
func (f *flagSet) DurationVar(p *time.Duration, name string, value time.Duration, usage string) {
	*p = value
	f.Var((*durationValue)(p), name, usage)
}

type durationValue time.Duration

// String leaves out what is zero: 1m, not 1m0s.
func (v *durationValue) String() string {
	text := time.Duration(*v).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func (v *durationValue) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errors.New("must be a time such as 30s or 2m, or 0 for ever")
	}
	*v = durationValue(d)
	return nil
}

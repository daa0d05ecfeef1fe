// The flags of serve for those who watch over it.

package command

import "time"

// operateSettings are those flags.
type operateSettings struct {
	metricsAddr, accessLog, accessFormat string
	slow                                 time.Duration
}

func (f *flagSet) operateVars(s *operateSettings) {
	f.StringVar(&s.metricsAddr, "metrics-addr", "", "`address` at which everybody who reaches it reads /metrics, in Prometheus's text format")
	f.StringVar(&s.accessLog, "access-log", "",
		"`file` for a line of each request, to which lines are added; - for standard error. SIGHUP opens it again")
	f.StringVar(&s.accessFormat, "access-log-format", "combined", "`form` of these lines: combined or json")
	f.SpanVar(&s.slow, "slow", 0, "the log names requests that take `long`, as 500ms or 2s; without it none")
}

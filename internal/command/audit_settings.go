// Flags and variables that weaken a server.

package command

import (
	"flag"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// Every flag of serve is in one of these three, so that whoever adds one decides: of
// harmless no value weakens anything, of limited 0 does, and of weakens what it says.
var (
	harmless = strings.Fields(`access-log access-log-format also cache-mb currency data event-base events-base exit-with-parent language
		languages logo max-per-page negotiate pages per-page rate seed shared-cache site-name site-text slow strict-input style timezone
		tls-cert tls-key token-file unexpected url users world-ttl`)
	limited = strings.Fields(`max-answer-mb max-bodies-mb max-body-kb max-connections max-depth max-items max-log-mb max-query-kb
		max-requests max-search-mb min-free-mb`)
	weakens = map[string]weakness{
		"addr":            openAddress,
		"clock":           when("", "records are dated, and tokens expire, by a clock that is not that of the machine"),
		"explain":         when("true", "everybody is told how lists were found, and how long it took"),
		"frame-ancestors": when("*", "every site may show pages inside its own, and have visitors click what they do not see"),
		"frame-hosts":     when("", "browsers of visitors load frames of these hosts, which learn who reads which event"),
		"freeze":          when("true", "tokens do not expire while the clock stands still"),
		"idle-timeout":    when("0s", "connections without requests stay open for ever"),
		"keep":            when("0", "the log keeps as little as possible: soon nobody knows who changed what"),
		"metrics-addr":    openMetrics,
		"memory":          when("true", "nothing outlives the process, and every program on this machine controls the fixture"),
		"no-limits":       when("true", "no client is refused for asking too much"),
		"no-sandbox":      when("true", "an attacker who takes the process over has all rights of its user"),
		"picture-hosts":   when("", "browsers of visitors load pictures of these hosts, which learn who reads which event"),
		"read-timeout":    when("0s", "a client may take for ever to send a request"),
		"sandbox":         when("off", "an attacker who takes the process over has all rights of its user"),
		"theme":           when("", "pages are made by templates that no test of almanac has seen"),
		"token":           when("", "whoever may list the processes of this machine reads the administrator's token"),
		"trusted-proxies": wideProxies,
		"worlds":          when("true", "whoever asks makes calendars in the memory of the server"),
		"write-timeout":   when("0s", "a client may take for ever to receive an answer"),
		"wrong-logins":    when("off", "tokens may be guessed without end"),
		"wrong-passwords": when("off", "passwords of events may be guessed without end"),
	}
)

// A weakness says what a value of a flag weakens, "" for nothing.
type weakness func(value string, s *settings) string

// when is for flags with one value that weakens something, or with "" for flags that do with every value.
func when(value, what string) weakness {
	return func(v string, _ *settings) string {
		if v == "" || value != "" && v != value {
			return ""
		}
		return what
	}
}

// openAddress is for -addr. Other machines are taken to reach every name but localhost.
func openAddress(value string, s *settings) string {
	host, _, err := net.SplitHostPort(value)
	at, wrong := netip.ParseAddr(host)
	if err != nil || !s.isReadable(host == "localhost" || wrong == nil && at.IsLoopback()) {
		return ""
	}
	return "tokens and passwords can be read on their way here: this is no loopback address, and there is no TLS"
}

// openMetrics is for -metrics-addr.
func openMetrics(value string, _ *settings) string {
	host, _, err := net.SplitHostPort(value)
	at, wrong := netip.ParseAddr(host)
	if err != nil || host == "localhost" || wrong == nil && at.IsLoopback() {
		return ""
	}
	return "whoever reaches this address reads how much the server is used: it is no loopback address, and asks nobody who he is"
}

// wideProxies is for -trusted-proxies.
func wideProxies(_ string, s *settings) string {
	networks, _ := s.trusted() // which options has checked
	for _, n := range networks {
		if a := n.Addr(); !n.IsSingleIP() && !a.IsPrivate() && !a.IsLoopback() && !a.IsLinkLocalUnicast() {
			return fmt.Sprintf("every machine of %v is believed who its clients are, and so evades the limits", n)
		}
	}
	return ""
}

// given returns the settings that were given, by a flag or a variable, of flags that are those of serve
// and more. It finds those that weaken something.
func (s *settings) given(f *flagSet, find func(format string, values ...any)) (all rows) {
	f.Visit(func(fl *flag.Flag) {
		value, weak, from := fl.Value.String(), "", "a flag"
		switch decide := weakens[fl.Name]; {
		case decide != nil:
			weak = decide(value, s)
		case slices.Contains(limited, fl.Name) && value == "0":
			weak = "this limit is lifted for everybody"
		case fl.Name == "json":
			return
		}
		if fl.Name == "token" {
			value = "…"
		}
		if slices.Contains(f.found, fl.Name) {
			from = variable(fl.Name)
		}
		if weak != "" {
			find("-%s %s: %s", fl.Name, value, weak)
		}
		all.add("-"+fl.Name, value+", by "+from)
	})
	all.add("others", "have the default")
	return all
}

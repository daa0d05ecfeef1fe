// Callers on the machine of the server.

package rest

import (
	"net"
	"net/http"
	"strings"
)

// local reports whether a request comes from a program on this machine that asks
// for it by an address of this machine: not by way of a proxy, and not from a
// page of a site that a browser here happens to show.
func local(hr *http.Request) bool {
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip"} {
		if hr.Header[name] != nil {
			return false
		}
	}
	from, _, err := net.SplitHostPort(hr.RemoteAddr)
	if err != nil || !loopback(from) || !loopback(hostname(hr.Host)) {
		return false
	}
	for _, origin := range hr.Header["Origin"] {
		if _, host, ok := strings.Cut(origin, "://"); !ok || !loopback(hostname(host)) {
			return false
		}
	}
	return true
}

// hostname returns a host without its port.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// loopback reports whether a name or an address means this machine.
func loopback(host string) bool {
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}

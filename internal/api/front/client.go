// The client and the host of a request, also behind proxies.

package front

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the addresses of trusted proxies.
type Proxies []netip.Prefix

// Client returns the address that a request comes from: that of the connection, or, if that is a
// proxy, the address that the proxies name. It is the zero Addr when the connection has no
// address. IPv4 is never written as IPv6, and no address has a zone.
//
// Each proxy appends the address of its client to a list, so the list is read from its end:
// entries before that of the first untrusted address could be made up.
func (p Proxies) Client(hr *http.Request) netip.Addr {
	near := addressOf(hr.RemoteAddr)
	if !p.trusts(near) {
		return near
	}
	field := "X-Forwarded-For"
	if !namesForwarded(hr) {
		field = "Forwarded"
	}
	for _, element := range slices.Backward(strings.Split(strings.Join(hr.Header[field], ","), ",")) {
		if field == "Forwarded" {
			element = parameter(element, "for")
		}
		hop := addressOf(strings.TrimSpace(element))
		if !hop.IsValid() {
			return near // the last known address
		}
		if near = hop; !p.trusts(near) {
			return near
		}
	}
	return near
}

// AskedAs returns the host that was asked and whether it was asked by https, as the client sees
// it. Only the nearest proxy is believed. The host may be invalid, as a client sent it.
func (p Proxies) AskedAs(hr *http.Request) (host string, secure bool) {
	host = hr.Host
	secure = hr.TLS != nil
	if len(p) == 0 || !p.trusts(addressOf(hr.RemoteAddr)) {
		return host, secure
	}
	proto := lastOf(hr.Header["X-Forwarded-Proto"])
	named := lastOf(hr.Header["X-Forwarded-Host"])
	if !namesForwarded(hr) {
		element := lastOf(hr.Header["Forwarded"])
		proto = parameter(element, "proto")
		named = parameter(element, "host")
	}
	switch {
	case strings.EqualFold(proto, "https"):
		secure = true
	case strings.EqualFold(proto, "http"):
		secure = false
	}
	if IsHost(named) {
		host = named
	}
	return host, secure
}

// Field returns a header field that the nearest proxy sent, and whether it sent one. A field that
// it sent twice is "".
func (p Proxies) Field(hr *http.Request, name string) (value string, sent bool) {
	values := hr.Header.Values(name)
	if len(values) == 0 || !p.trusts(addressOf(hr.RemoteAddr)) {
		return "", false
	}
	if len(values) == 1 {
		value = values[0]
	}
	return value, true
}

// trusts reports whether an address is that of a proxy that may speak for
// others.
func (p Proxies) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(p, func(near netip.Prefix) bool { return near.Contains(a) })
}

// namesForwarded reports whether a proxy uses the X- fields. Then Forwarded (RFC
// 7239) is not looked at: proxies that know only one of the two pass the other
// on as a client sent it, and those that know the X- fields alone are many.
func namesForwarded(hr *http.Request) bool {
	return hr.Header["X-Forwarded-For"] != nil || hr.Header["X-Forwarded-Proto"] != nil ||
		hr.Header["X-Forwarded-Host"] != nil
}

// lastOf returns the last element of a field, which the nearest proxy wrote.
func lastOf(field []string) string {
	if len(field) == 0 {
		return ""
	}
	last := field[len(field)-1]
	return strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])
}

// parameter returns the value of a parameter of an element of Forwarded. Hosts
// and addresses, which are all that is asked for, have no commas, semicolons or
// escaped characters in them.
func parameter(element, name string) string {
	for pair := range strings.SplitSeq(element, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if strings.EqualFold(key, name) {
			return strings.Trim(value, `"`)
		}
	}
	return ""
}

// addressOf reads an address, with a port or without: 192.0.2.1, 192.0.2.1:80,
// 2001:db8::1, [2001:db8::1]:80. Anything else is the zero Addr.
func addressOf(text string) netip.Addr {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr().Unmap().WithZone("")
	}
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		return netip.Addr{}
	}
	return a.Unmap().WithZone("")
}

// IsHost reports whether a text can be the host of a link: a name or an address,
// and maybe a port.
func IsHost(text string) bool {
	if text == "" || len(text) > 255+len(":65535") {
		return false
	}
	name, port, hasPort := strings.Cut(text, ":")
	if text[0] == '[' {
		address, behind, hasEnd := strings.Cut(text[1:], "]")
		a, err := netip.ParseAddr(address)
		if !hasEnd || err != nil || !a.Is6() || a.Zone() != "" ||
			behind != "" && behind[0] != ':' {
			return false
		}
		name = ""
		port = strings.TrimPrefix(behind, ":")
		hasPort = true
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z',
			'A' <= c && c <= 'Z',
			'0' <= c && c <= '9',
			c == '-',
			c == '.',
			c == '_':
		default:
			return false
		}
	}
	return (name != "" || text[0] == '[') &&
		(!hasPort || len(port) <= len("65535") && strings.Trim(port, "0123456789") == "")
}

package compare

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/move/client"
)

// newVisitor returns a crawler that looks where addresses of pages of the new side lead, and stays.
func (c *comparison) newVisitor() *client.Crawler {
	return &client.Crawler{
		Named:   c.sides[1].Root.String(),
		Timeout: time.Minute,
		Tries:   1,
		Now:     caltime.System().Now,
		Stay: func(to *url.URL) error {
			c.led = pathOf(to.String())
			return errors.New("it leads elsewhere")
		},
	}
}

// leads reports whether the new side by itself leads from the old address of a page to the new one.
func (c *comparison) leads(old, now string) bool {
	from := pathOf(old)
	to := pathOf(now)
	if from == to || from == "" || to == "" {
		return false
	}
	if c.visitor == nil {
		c.visitor = c.newVisitor()
	}
	c.led = ""
	root := c.sides[1].Root
	_, _ = c.visitor.Get(c.ctx, root.Scheme+"://"+root.Host+from) // an error leads nowhere
	return c.led == to
}

// redirect notes the addresses of a page at both sides, if they differ. It reports whether they
// are addresses.
func (c *comparison) redirect(old, now string) bool {
	from := pathOf(old)
	to := pathOf(now)
	if from != to && from != "" && to != "" {
		c.pages[from] = to
		c.keep(len(from) + len(to))
	}
	return from != "" && to != ""
}

// safe are the characters of an address that a configuration does not read as anything else.
const safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~%?&=+,:@"

// pathOf returns the path of an address with its query, as browsers send it, without characters
// that mean something in the configuration of a proxy; "" for an address without a host, and for a
// path that is an address of another one.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || strings.HasPrefix(u.RequestURI(), "//") {
		return ""
	}
	var b strings.Builder
	for _, char := range []byte(u.RequestURI()) {
		if strings.IndexByte(safe, char) < 0 {
			fmt.Fprintf(&b, "%%%02X", char)
		} else {
			b.WriteByte(char)
		}
	}
	return b.String()
}

// forms are the maps of proxies: beginning, line and end. The tables of nginx are too small for
// addresses of other scripts.
var forms = map[string][3]string{
	"nginx": {
		"map_hash_max_size 65536;\nmap_hash_bucket_size 2048;\nmap $request_uri $almanac_moved {\n    default \"\";\n",
		"    \"%s\" \"%s\";\n",
		"}\n",
	},
	"caddy": {"map {uri} {almanac_moved} {\n", "    \"%s\" \"%s\"\n", "    default \"\"\n}\n"},
}

// writeMap writes changed paths as a map for a proxy.
func writeMap(w io.Writer, proxy string, pages map[string]string) error {
	out := bufio.NewWriter(w)
	form := forms[proxy]
	out.WriteString(form[0])
	for _, from := range slices.Sorted(maps.Keys(pages)) {
		fmt.Fprintf(out, form[1], from, pages[from])
	}
	out.WriteString(form[2])
	return out.Flush()
}

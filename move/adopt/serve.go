// The command at the end, which starts a server as the old site was.

package adopt

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"almanac/i18n"
	"almanac/internal/text/caltime"
	"almanac/move/oldsite"
)

// serveLine returns the command that starts a server with an adopted calendar, for a shell.
// program is the name by which somebody started this program.
func serveLine(program string, s *settings, a state) string {
	line := []string{serverBeside(program), "serve"}
	add := func(flag, value string) {
		if value != "" {
			line = append(line, flag, quoted(value))
		}
	}
	if s.To == "" {
		add("-data", s.Data)
	}
	add("-timezone", zoneOf(a.Facts))
	add("-site-name", strings.Join(strings.Fields(html.UnescapeString(a.Facts.Name)), " "))
	add("-language", languageOf(a.Facts))
	if path := oldsite.PathOf(a.Site); path != "/cal/events/v1" {
		add("-also", path)
	}
	return strings.Join(line, " ")
}

// serverBeside returns the name of the server that lies beside this program.
func serverBeside(program string) string {
	if server, ok := strings.CutSuffix(program, "-move"); ok {
		return quoted(server)
	}
	return "almanac"
}

// zoneOf returns the zone of a site as the server takes it, or "". The hours of a site without a
// zone may be a fraction, such as 5.5.
func zoneOf(f oldsite.Facts) string {
	name := f.Zone
	if hours, err := strconv.ParseFloat(f.Offset, 64); name == "" && err == nil {
		minutes := int(hours * 60)
		sign := '+'
		if minutes < 0 {
			sign = '-'
			minutes = -minutes
		}
		name = fmt.Sprintf("%c%02d:%02d", sign, minutes/60, minutes%60)
	}
	zone, err := caltime.LoadZone(name)
	if err != nil {
		return ""
	}
	return zone.Name()
}

// languageOf returns the tag of the language of a site, with its country if there is one, or "" for
// a language that is not here.
func languageOf(f oldsite.Facts) string {
	l, ok := i18n.Match(f.Language)
	if !ok {
		return ""
	}
	if _, ok := l.In(i18n.RegionOf(f.Language)); ok {
		return f.Language
	}
	return l.Tag
}

// isWord is the form of texts that a shell leaves as they are.
var isWord = regexp.MustCompile(`^[\w./:@%+-]+$`)

// quoted returns a text as one word of a shell.
func quoted(text string) string {
	if isWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

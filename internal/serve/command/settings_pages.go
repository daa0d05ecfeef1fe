// The flags of serve that say how pages look.

package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"almanac/internal/api"
	"almanac/internal/cli"
	"almanac/internal/wire/pages"
)

// pageSettings are those flags.
type pageSettings struct {
	text, style, logo, picture, theme, pictureHosts, frameSources, ancestors string
	links                                                                    []pages.Link
	dayEnds                                                                  string
}

func (s *pageSettings) flags(f *cli.FlagSet, o *api.Options) {
	f.BoolVar(
		&o.Pages,
		"pages",
		true,
		"serve pages for people, at the addresses that records show; -pages=false serves the API alone",
	)
	f.StringVar(
		&o.EventBase,
		"event-base",
		"event",
		"`word` that addresses of events begin with, as termin for /termin/NAME/",
	)
	f.StringVar(
		&o.EventsBase,
		"events-base",
		"events",
		"`word` that addresses of lists begin with, as termine for /termine/month/",
	)
	f.Func(
		"address-word",
		"`word=other` that addresses of pages had at another site, as venue=spielort: they lead to ours; repeatedly, or a line each",
		func(lines string) error { return addWords(o, lines) },
	)
	f.StringVar(
		&s.dayEnds,
		"day-ends",
		"06:00",
		"`time` by which a night ends: an event of less than 12 hours that ends by then is of its first day on pages; 00:00 turns it off",
	)
	f.StringVar(
		&s.text,
		"site-text",
		"",
		"a `line` about the site, which pages show below its name",
	)
	f.Func(
		"link",
		"`text=address` of a link in the footer, as Contact=https://choir.example/; up to five times, or a line each",
		s.addLinks,
	)
	f.StringVar(&s.style, "style", "", "style sheet `file.css`, which pages load after ours")
	f.StringVar(
		&s.logo,
		"logo",
		"",
		"picture `file` beside the name of the site, as PNG, JPEG, WebP or SVG",
	)
	f.StringVar(
		&s.picture,
		"picture",
		"",
		"picture `file` that programs show with links to pages without a picture, as PNG or JPEG",
	)
	f.StringVar(&s.theme, "theme", "", "`directory` of templates that replace ours one by one").
		Weak("", "pages are made by templates that no test of almanac has seen")
	f.StringVar(&s.pictureHosts, "picture-hosts", "", "comma-separated `hosts` whose pictures pages show; to those of others they lead").
		Weak("", "browsers of visitors load pictures of these hosts, which learn who reads which event")
	f.StringVar(&s.frameSources, "frame-hosts", "",
		"comma-separated `hosts` whose frames pages show where a text has one; to those of others they lead").
		Weak("", "browsers of visitors load frames of these hosts, which learn who reads which event")
	f.StringVar(&s.ancestors, "frame-ancestors", "",
		"space-separated `sites`, as https://choir.example or https://*.example, that may show pages below /embed/ in frames").
		Weak("*", "every site may show pages inside its own, and have visitors click what they do not see")
}

// look returns the chosen appearance. It reads all named files, because a confined server cannot
// read them later.
func (s *pageSettings) look() (l pages.Look, err error) {
	l.About = s.text
	l.Links = s.links
	if l.PictureHosts, err = hosts(s.pictureHosts); err != nil {
		return l, fmt.Errorf("-picture-hosts: %w", err)
	}
	if l.FrameHosts, err = hosts(s.frameSources); err != nil {
		return l, fmt.Errorf("-frame-hosts: %w", err)
	}
	for source := range strings.FieldsSeq(s.ancestors) {
		if !ancestor().MatchString(source) {
			return l, fmt.Errorf(
				"-frame-ancestors: %q must be a site, such as https://choir.example or https://*.example, with spaces between "+
					"several, or * for all",
				source,
			)
		}
		l.Ancestors = append(l.Ancestors, source)
	}
	if l.Style, err = asset(s.style, pages.StyleMost, pages.NewStyle); err != nil {
		return l, fmt.Errorf("-style: %w", err)
	}
	if l.Logo, err = asset(s.logo, pages.LogoMost, pages.NewLogo); err != nil {
		return l, fmt.Errorf("-logo: %w", err)
	}
	if l.Picture, err = asset(s.picture, pages.PictureMost, pages.NewPicture); err != nil {
		return l, fmt.Errorf("-picture: %w", err)
	}
	if s.theme != "" {
		if info, err := os.Stat(s.theme); err != nil {
			return l, fmt.Errorf("-theme: %w", err)
		} else if !info.IsDir() {
			return l, fmt.Errorf("-theme %s: must be a directory of templates", s.theme)
		}
		if l.Theme, err = pages.NewTheme(os.DirFS(s.theme)); err != nil {
			return l, fmt.Errorf("-theme %s: %w", s.theme, err)
		}
	}
	return l, nil
}

// addWords reads words of addresses, a line each.
func addWords(o *api.Options, lines string) error {
	for line := range strings.Lines(lines) {
		ours, word, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok {
			return errors.New("must be a word of addresses and another for it, as venue=spielort")
		}
		if o.Words == nil {
			o.Words = map[string][]string{}
		}
		o.Words[ours] = append(o.Words[ours], word)
	}
	return nil
}

// linksMost is how many links of the owner a footer has.
const linksMost = 5

// addLinks reads links, a line each.
func (s *pageSettings) addLinks(lines string) error {
	for line := range strings.Lines(lines) {
		text, address, _ := strings.Cut(strings.TrimSpace(line), "=")
		href := pages.ContactAt(address)
		switch {
		case text == "" || href == "":
			return errors.New(
				"must be a text and an address with https://, http:// or mailto:, as Contact=https://choir.example/contact",
			)
		case len(s.links) == linksMost:
			return fmt.Errorf("may be given %d times", linksMost)
		}
		s.links = append(s.links, pages.Link{Text: text, Href: href})
	}
	return nil
}

// asset returns an asset made of a file, or nil without a path; errors name the file. It reads at
// most one byte more than the limit.
func asset(
	path string,
	most int64,
	made func([]byte) (*pages.Asset, error),
) (*pages.Asset, error) {
	if path == "" {
		return nil, nil
	}
	if file, err := os.Stat(path); err != nil {
		return nil, err
	} else if !file.Mode().IsRegular() { // to open one may take for ever
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, err
	}
	a, err := made(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

// These are hosts and sites as they stand in the policy of a page, where a port without a
// number or a name with a sign would say something else.
const host = `(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?`

var hostName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + host + `(?::[0-9]{1,5})?$`)
})

var ancestor = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^(?i:\*|(?:https?://)?(?:\*\.)?` + host + `(?::(?:[0-9]{1,5}|\*))?)$`,
	)
})

// hosts reads a list of hosts.
func hosts(list string) (all []string, err error) {
	if list == "" {
		return nil, nil
	}
	for item := range strings.SplitSeq(list, ",") {
		name := strings.ToLower(strings.TrimSpace(item))
		if !hostName().MatchString(name) {
			return nil, fmt.Errorf(
				"%q must be the name of a host, such as pictures.example.org or localhost:8000: without https:// and path, "+
					"each by itself, and with letters beyond ASCII as xn--…",
				item,
			)
		}
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all, nil
}

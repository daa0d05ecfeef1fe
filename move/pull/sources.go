// The list of sources.

package pull

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/cli"
	"almanac/internal/write/intake"
	"almanac/store/disk"
)

// A source is a document elsewhere that is brought into the calendar.
type source struct {
	Name string `json:"name"` // for messages and the state
	URL  string `json:"url"`
	As   string `json:"as"`
	Gone string `json:"gone"` // fate of events that the source lacks
}

const (
	keep, trash = "keep", "trash" // values of Gone
	members     = `a source is an object of texts with "name", "url", "as" and perhaps "gone"`
)

// readSources reads a list of sources.
func readSources(file string) (all []source, err error) {
	text, err := disk.Read(file)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err = dec.Decode(&all); err == nil && (len(all) == 0 || dec.More()) {
		err = errors.New("must be one list of sources")
	}
	names := map[string]bool{}
	for i := 0; i < len(all) && err == nil; i++ {
		if err = all[i].check(); err == nil && names[all[i].Name] {
			err = fmt.Errorf("there are two sources %q; each needs its own name", all[i].Name)
		}
		names[all[i].Name] = true
	}
	if err != nil {
		err = fmt.Errorf("%s: %w; %s", file, err, members)
	}
	return all, err
}

// check completes a source, or returns its mistake.
func (s *source) check() error {
	if rest, ok := strings.CutPrefix(s.URL, "webcal://"); ok {
		s.URL = "https://" + rest
	}
	s.Gone = cmp.Or(s.Gone, keep)
	u, err := url.Parse(s.URL)
	switch ways := []string{intake.Keep, intake.Overwrite, intake.Once}; {
	case s.Name == "":
		return errors.New(`a source must have a "name"`)
	case err != nil || !cli.IsAddress(u):
		return fmt.Errorf(
			`"url" of %q must be an address with https://, http:// or webcal://`,
			s.Name,
		)
	case !slices.Contains(ways, s.As):
		return fmt.Errorf(
			`"as" of %q must be one of %s, not %.40q`,
			s.Name,
			strings.Join(ways, ", "),
			s.As,
		)
	case s.Gone != keep && s.Gone != trash:
		return fmt.Errorf(`"gone" of %q must be %s or %s, not %.40q`, s.Name, keep, trash, s.Gone)
	}
	return nil
}

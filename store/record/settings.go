// Settings of the site, which are no record of the catalogue.

package record

import (
	"cmp"

	"almanac/store/wal"
)

// Settings are the choices for a site that an administrator makes in a browser.
type Settings = wal.Settings

// SettingsOrNone returns the settings of a state, empty ones before there are some.
func (p *Position) SettingsOrNone() Settings { return *cmp.Or(p.Settings, new(Settings)) }

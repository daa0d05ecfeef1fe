// The settings of the site: transactions write them beside records, and each state of the store has them.

package store

import (
	"fmt"

	"almanac/store/record"
)

// Settings are the choices for a site that an administrator makes in a browser.
type Settings = record.Settings

// Settings returns the settings of the site; the pointer changes with them, and nil is that there never were any. It waits for
// nobody.
func (s *Store) Settings() *Settings { return s.state.Load().at.Settings }

// Settings returns the settings as the transaction leaves them.
func (tx *Tx) Settings() Settings { return tx.ids.SettingsOrNone() }

// SetSettings replaces the settings of the site. Their logo is an upload.
func (tx *Tx) SetSettings(to Settings) error {
	if err := tx.checkLogo(&to); err != nil {
		return fmt.Errorf("store: settings: %w", err)
	}
	ids, set := tx.ids, tx.settings
	tx.undo = append(tx.undo, func() { tx.ids, tx.settings = ids, set })
	tx.ids.Settings, tx.settings = &to, &to
	return nil
}

// checkLogo refuses settings with a logo that is no upload.
func (r *Reader) checkLogo(s *Settings) error {
	if s == nil || s.Logo == 0 {
		return nil
	}
	if i, ok := r.Get(Images, s.Logo).(*Image); !ok || i.Directory == "" {
		return fmt.Errorf("the logo is image %d, which is no upload: %w", s.Logo, ErrLink)
	}
	return nil
}

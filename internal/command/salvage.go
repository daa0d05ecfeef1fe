// What can still be read of a data directory that is damaged.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"almanac/store"
)

// readable adds to an error about damage in a directory what restore -salvage would take of
// it.
func readable(ctx context.Context, dir string, err error) error {
	var corrupt *store.CorruptError
	if !errors.As(err, &corrupt) {
		return err
	}
	left, wrong := store.Salvageable(ctx, dir)
	if wrong != nil {
		return errors.Join(err, fmt.Errorf("nothing can be read: %w", wrong))
	}
	return fmt.Errorf("%w; %s", err, salvageable(left))
}

// salvageable says what can be read.
func salvageable(left store.Summary) string {
	return fmt.Sprintf("with it %s can be read, and %s missing", countsOf(left.Counts[:]),
		counted(len(left.Missing), "thing is", "things are"))
}

// writeMissing prints what could not be salvaged, a line for each thing.
func writeMissing(w io.Writer, missing []string) error {
	if missing == nil {
		_, err := fmt.Fprintln(w, "  nothing is missing")
		return err
	}
	for _, text := range missing {
		if _, err := fmt.Fprintln(w, "  missing:", text); err != nil {
			return err
		}
	}
	return nil
}

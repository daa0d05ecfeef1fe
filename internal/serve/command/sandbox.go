// The permissions that the process of a server keeps.

package command

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"almanac/internal/serve/confine"
)

// confinable returns an error if the process must be confined and cannot be, before the
// server has made a file.
func (s *settings) confinable(c Confiner) error {
	if s.sandbox != "require" || c == nil {
		return nil
	}
	state, err := confine.Available()
	if err == nil && state.IsWhole() {
		return nil
	}
	return fmt.Errorf(
		"-sandbox=require: the process cannot be confined whole: %w; -sandbox=auto serves all the same",
		cmp.Or(err, errors.New(state.String())),
	)
}

// confine restricts the process to its remaining needs after all files are open, and returns a
// short description of the result. It is an error if the system supports the restriction and it
// fails.
func (s *settings) confine(c Confiner, log *slog.Logger) (string, error) {
	switch {
	case s.sandbox == "off":
		return "no: -sandbox=off", nil
	case c == nil:
		return "no: the process is not the server's alone", nil
	}
	// The zone of the times in the log is read from a file, when it is needed
	// first.
	time.Now().Zone()
	state, err := c(s.rights())
	switch {
	case errors.Is(err, confine.ErrUnsupported):
		return "no: " + err.Error(), nil
	case err != nil:
		return "", fmt.Errorf("%w; -sandbox=off serves without", err)
	case !state.IsWhole():
		log.Warn(
			"the process keeps rights that a server does not need",
			"confined",
			state.String(),
		)
	}
	return state.String(), nil
}

// rights returns the data directory, read access to the directories of the accounts and the
// certificate, whose files are replaced by new ones, and the directory of the access log, for a
// new file after a rename. A link may lead to another directory, and later to a different one.
func (s *settings) rights() confine.Rights {
	var keep confine.Rights
	if !s.memory {
		keep.Write = []string{s.data}
	}
	for _, file := range []string{s.users, s.cert, s.key} {
		keep.Read = confine.AddDirs(keep.Read, file)
	}
	if s.accessLog != "-" {
		keep.Append = confine.AddDirs(keep.Append, s.accessLog)
	}
	keep.Append = confine.AddDirs(keep.Append, s.submissionLog)
	return keep
}

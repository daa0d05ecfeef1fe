// Lines as journald takes them from standard error.

package systemd

import (
	"bytes"
	"io"
	"log/slog"
)

// IsJournal reports whether what is written to a stream goes to the journal, as
// systemd.exec(5) says of JOURNAL_STREAM: the variable is there also in programs that
// a service starts with other streams.
func IsJournal(getenv func(string) string, stream any) bool {
	name := getenv("JOURNAL_STREAM")
	return name != "" && name == nameOf(stream)
}

// priorities maps the beginnings of lines of a slog.TextHandler to the prefixes of
// sd-daemon(3).
var priorities = [][2]string{
	{"level=ERROR ", "<3>"},
	{"level=WARN ", "<4>"},
	{"level=INFO ", "<6>"},
	{"level=DEBUG ", "<7>"},
}

// ErrorPrefix begins a line that says why a program has ended.
const ErrorPrefix = "<3>"

// JournalHandler writes a log to the journal, which has the time of each line itself,
// and its priority if the line begins with it.
func JournalHandler(w io.Writer) slog.Handler {
	return slog.NewTextHandler(
		journal{w},
		&slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}},
	)
}

// A journal puts priorities in the place of levels. It gets a line with each Write.
type journal struct{ io.Writer }

func (j journal) Write(line []byte) (int, error) {
	for _, p := range priorities {
		if text, ok := bytes.CutPrefix(line, []byte(p[0])); ok {
			_, err := j.Writer.Write(append([]byte(p[1]), text...))
			return len(line), err
		}
	}
	return j.Writer.Write(line)
}

// Heads that are held elsewhere: noted in a file, or signed for others to hold.

package command

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/build"
	"almanac/internal/cli"
	"almanac/store"
)

// A witness handles the head for verify: it appends the head to a file if the log contains all earlier heads of the
// file, and prints it signed.
type witness struct {
	file, key, origin string
	heads             map[uint64][sha256.Size]byte
	private           ed25519.PrivateKey
}

func (w *witness) flags(f *cli.FlagSet) {
	f.StringVar(&w.file, "witness", "", "`file` with heads of before, which must be in the log; the head is appended to it")
	f.StringVar(&w.key, "sign", "", "`file` with an ed25519 private key, PKCS #8 in PEM: print the head as a signed note")
	f.StringVar(&w.origin, "origin", "", "with -sign: `name` of the log in the note, as calendar.example.org/log")
}

// open reads the files.
func (w *witness) open() error {
	if (w.key == "") != (w.origin == "") {
		return cli.Usage(errors.New("-sign and -origin go together: the file of a key, and the name that the log has in what it signs"))
	}
	if strings.ContainsFunc(w.origin, func(c rune) bool { return c <= ' ' || c == '+' || c > '~' }) {
		return cli.Usage(fmt.Errorf("-origin %q: must be letters, digits and signs but +, as calendar.example.org/log", w.origin))
	}
	if w.key != "" {
		text, err := os.ReadFile(w.key)
		if err == nil {
			w.private, err = build.ParseKey(text)
		}
		if err != nil {
			return cli.Usage(fmt.Errorf("-sign %s: %w", w.key, err))
		}
	}
	if w.file == "" {
		return nil
	}
	text, err := os.ReadFile(w.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cli.Usage(fmt.Errorf("-witness: %w", err))
	}
	w.heads = map[uint64][sha256.Size]byte{}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		seq, head, err := parseHeld(line)
		if other, twice := w.heads[seq]; err == nil && twice && other != head {
			err = fmt.Errorf("another head of transaction %d than a line before", seq)
		}
		if err != nil {
			return fmt.Errorf("-witness %s: line %d: %w", w.file, number, err)
		}
		w.heads[seq] = head
	}
	return nil
}

// heldLine is the form of a line: transaction, head, time.
const heldLine = "%d %x %s\n"

// parseHeld reads a line of the file.
func parseHeld(line string) (seq uint64, head [sha256.Size]byte, err error) {
	fields := strings.Fields(line)
	if len(fields) == 3 {
		var at time.Time
		seq, err = strconv.ParseUint(fields[0], 10, 64)
		sum, badSum := hex.DecodeString(fields[1])
		at, badTime := time.Parse(time.RFC3339Nano, fields[2])
		copy(head[:], sum)
		if errors.Join(err, badSum, badTime) == nil && line == fmt.Sprintf(heldLine, seq, head, at.Format(time.RFC3339Nano)) {
			return seq, head, nil
		}
	}
	return 0, head, errors.New("must be the number of a transaction, its head and its time, and a newline, as verify -witness writes it")
}

// note notes and prints the head of a log that is as it was written, and has all heads of the file.
func (w *witness) note(out io.Writer, r store.Report) error {
	if w.file == "" && w.private == nil {
		return nil
	}
	if r.Last == 0 {
		return errors.New("there is no transaction in the log yet, and no head to hold")
	}
	if len(w.heads) > 0 && r.Confirmed == 0 {
		return fmt.Errorf("-witness %s: the log begins with transaction %d, after all that are in the file: nothing in it can be confirmed. "+
			"Verify a backup from before that, or begin another file", w.file, r.First)
	}
	if _, known := w.heads[r.Last]; w.file != "" && !known {
		if err := appendSynced(w.file, fmt.Sprintf(heldLine, r.Last, r.Head, r.LastTime.Format(time.RFC3339Nano))); err != nil {
			return fmt.Errorf("-witness: %w", err)
		}
	}
	if w.private == nil {
		return nil
	}
	_, err := io.WriteString(out, signedNote(w.private, w.origin, r.Last, r.Head))
	return err
}

// appendSynced appends a line to a file.
func appendSynced(name, line string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Sync(), f.Close())
}

// signedNote returns a checkpoint as transparency logs have them (C2SP, tlog-checkpoint and
// signed-note): the name of the log, its size, its hash in base64, and after an empty line a
// signature, with the name and the first bytes of a hash of the public key.
func signedNote(key ed25519.PrivateKey, origin string, size uint64, head [sha256.Size]byte) string {
	text := fmt.Sprintf("%s\n%d\n%s\n", origin, size, base64.StdEncoding.EncodeToString(head[:]))
	const algorithm = 1 // ed25519
	id := sha256.Sum256(slices.Concat([]byte(origin+"\n"), []byte{algorithm}, key.Public().(ed25519.PublicKey)))
	signature := slices.Concat(id[:4], ed25519.Sign(key, []byte(text)))
	return fmt.Sprintf("%s\n— %s %s\n", text, origin, base64.StdEncoding.EncodeToString(signature))
}

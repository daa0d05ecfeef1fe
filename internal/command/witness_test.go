package command

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/store"
)

// This file holds heads elsewhere, and rewrites logs.

// venues adds venues to a directory, each in a transaction, and a snapshot if it is to be pruned.
func venues(t *testing.T, dir string, prune bool, names ...string) {
	t.Helper()
	now := time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)
	s, err := store.Open(store.Options{Dir: dir, Segment: 1, Snapshot: -1, Keep: -1, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := s.Update(1, func(tx *store.Tx) error { return tx.Put(&store.Venue{Name: name}) }); err != nil {
			t.Fatal(err)
		}
		if prune {
			if err := s.Snapshot(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestWitness(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir, file := filepath.Join(parent, "data"), filepath.Join(parent, "witness")
	verify := func(what, dir string, want int, says string, lines int) {
		t.Helper()
		before, _ := os.ReadFile(file)
		exit, _, stderr := runCommand(t, "verify", "-data", dir, "-witness", file)
		after, _ := os.ReadFile(file)
		if exit != want || !strings.Contains(stderr, says) || strings.Count(string(after), "\n") != lines ||
			!strings.HasPrefix(string(after), string(before)) {
			t.Errorf("%s: exit status %d, stderr %q, and the file is\n%s", what, exit, stderr, after)
		}
	}
	venues(t, dir, false)
	verify("an empty log", dir, 1, "no head to hold", 0)
	venues(t, dir, false, "one", "two")
	verify("the first head", dir, 0, "", 1)
	verify("the same head", dir, 0, "", 1)
	venues(t, dir, false, "three")
	other := filepath.Join(parent, "other")
	if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	venues(t, dir, false, "four")
	verify("another head", dir, 0, "", 2)
	text := readFile(t, file)
	_, report, _ := runCommand(t, "verify", "-data", dir)
	if want := "4 " + headIn(t, report) + " 2031-05-10T12:00:00Z\n"; !strings.HasSuffix(text, "\n"+want) {
		t.Errorf("the file is\n%s, and should end with %s", text, want)
	}

	// Logs that others made of it: each verifies by itself.
	verify("a log without its end", other, 1, "the log ends with transaction 3, but the head of transaction 4 was noted", 2)
	venues(t, other, false, "for", "five")
	verify("a log with another end", other, 1, "the head of transaction 4 is", 2)
	anew := filepath.Join(parent, "anew")
	venues(t, anew, false, "one", "TWO", "three", "four")
	verify("a log made anew", anew, 1, "not as it was written: 2 findings", 2)
	if exit, _, stderr := runCommand(t, "verify", "-data", anew); exit != 0 {
		t.Errorf("without the file it is found out by something else: %s", stderr)
	}

	// A later head confirms the pruned part.
	venues(t, dir, true, "five", "six", "seven")
	verify("pruned, with nothing noted since", dir, 1, "nothing in it can be confirmed", 2)
	replace(t, file, text+fmt.Sprintf("%d %s 2031-05-10T12:00:00Z\n", lastOf(t, dir), headOf(t, dir)))
	venues(t, dir, false, "eight")
	verify("pruned", dir, 0, "", 4)

	for what, bad := range map[string]string{"half a line": strings.TrimSuffix(text, "\n"), "an empty line": "\n" + text,
		"two heads": text + strings.Replace(text, " ", " 0", 1), "capitals": strings.ToUpper(text),
		"a head twice": text + "4" + strings.TrimPrefix(string(text[:strings.Index(text, "\n")+1]), "2")} {
		replace(t, file, bad)
		exit, _, stderr := runCommand(t, "verify", "-data", dir, "-witness", file)
		if exit != 1 || !strings.Contains(stderr, "-witness "+file+": line ") {
			t.Errorf("%s: exit status %d, stderr %q", what, exit, stderr)
		}
		if after, _ := os.ReadFile(file); string(after) != bad {
			t.Errorf("%s: the file was changed", what)
		}
	}
}

func headOf(t *testing.T, dir string) string {
	t.Helper()
	_, report, _ := runCommand(t, "verify", "-data", dir)
	return headIn(t, report)
}

func lastOf(t *testing.T, dir string) uint64 {
	t.Helper()
	report, err := store.Verify(t.Context(), dir, store.VerifyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return report.Last
}

// The note is read as the specification of signed notes says, not as it was written.
func TestSignedHead(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	venues(t, dir, false, "one", "two", "three")
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "key.pem")
	replace(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
	const origin = "calendar.example.org/log"
	exit, note, stderr := runCommand(t, "verify", "-data", dir, "-sign", key, "-origin", origin)
	if exit != 0 || stderr != "" {
		t.Fatalf("exit status %d, stderr %q", exit, stderr)
	}
	at := strings.LastIndex(note, "\n\n")
	if at < 0 {
		t.Fatalf("no empty line in %q", note)
	}
	text, signatures := note[:at+1], note[at+2:]
	lines := strings.Split(text, "\n")
	head, err := base64.StdEncoding.DecodeString(lines[2])
	if len(lines) != 4 || lines[0] != origin || lines[1] != "3" || err != nil || hex.EncodeToString(head) != headOf(t, dir) {
		t.Errorf("the text is %q", text)
	}
	line, found := strings.CutPrefix(signatures, "— "+origin+" ")
	signed, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(line, "\n"))
	if !found || err != nil || len(signed) != 4+ed25519.SignatureSize {
		t.Fatalf("the signature is %q", signatures)
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\n\x01%s", origin, public)
	if id := binary.BigEndian.Uint32(hash.Sum(nil)); binary.BigEndian.Uint32(signed) != id {
		t.Errorf("the key has the id %x, want %x", signed[:4], id)
	}
	if !ed25519.Verify(public, []byte(text), signed[4:]) {
		t.Error("the signature is not one of the text")
	}

	// Of a log that is not as it was written nothing is signed.
	segment := filepath.Join(dir, "log", "00000000000000000002.jsonl")
	content := readFile(t, segment)
	replace(t, segment, strings.Replace(content, "two", "TWO", 1))
	if exit, note, _ := runCommand(t, "verify", "-data", dir, "-sign", key, "-origin", origin); exit != 1 || note != "" {
		t.Errorf("exit status %d, and printed %q", exit, note)
	}
	for _, args := range [][]string{{"-sign", key}, {"-origin", origin}, {"-sign", segment, "-origin", origin},
		{"-sign", key, "-origin", "a b"}, {"-sign", key, "-origin", "a+b"}, {"-sign", key, "-origin", "é"}} {
		if exit, _, stderr := runCommand(t, append([]string{"verify", "-data", dir}, args...)...); exit != 2 {
			t.Errorf("%q: exit status %d, stderr %q", args, exit, stderr)
		}
	}
}

// Package password hashes and compares the passwords of events.
//
//	keeper := password.NewKeeper(password.Iterations)
//	stored, err := keeper.Hash(ctx, client, "Open Sesame")
//	right, err := keeper.Compare(ctx, client, stored, sent)
//
// The stored form is PBKDF2 with HMAC-SHA-256 and a random salt, as a PHC string:
//
//	$pbkdf2-sha256$i=600000$c2FsdCBvZiAxNiBieXRlcw$…
//
// Earlier programs stored the plain text. A stored password of another form is such a text, and is
// compared directly.
//
// # Guarantees
//
// The time of a comparison does not depend on the position of a difference. No password appears in
// a log or an error. Memory has only keyed hashes of passwords, under a random key that never
// leaves the process.
package password

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strconv"
	"strings"
)

// Iterations is the number of iterations of a new hash: the recommendation of OWASP's Password
// Storage Cheat Sheet for PBKDF2 with HMAC-SHA-256. It takes a sixth of a second of a processor,
// which a Keeper spends once per event and password, not per request.
const Iterations = 600_000

const (
	prefix   = "$pbkdf2-sha256$i="
	saltSize = 16
	keySize  = sha256.Size
	// maxIterations bounds what a file that somebody wrote to can make a comparison
	// cost: three seconds.
	maxIterations = 10_000_000
)

// A hash is a stored password taken apart.
type hash struct {
	iterations int
	salt, key  []byte
}

// derive makes the key of a text.
func derive(text string, salt []byte, iterations int) []byte {
	key, err := pbkdf2.Key(sha256.New, text, salt, iterations, keySize)
	if err != nil {
		panic(err) // of sizes and hashes that FIPS 140 forbids, and ours are not among them
	}
	return key
}

// newHash hashes a text with a new salt.
func newHash(text string, iterations int) string {
	salt := make([]byte, saltSize)
	rand.Read(salt) // ends the program rather than fail
	return hash{iterations, salt, derive(text, salt, iterations)}.String()
}

// String returns the PHC string.
func (h hash) String() string {
	b64 := base64.RawStdEncoding
	return prefix + strconv.Itoa(
		h.iterations,
	) + "$" + b64.EncodeToString(
		h.salt,
	) + "$" + b64.EncodeToString(
		h.key,
	)
}

// parse takes a PHC string apart. It takes nothing that String does not write.
func parse(stored string) (h hash, ok bool) {
	rest, ok := strings.CutPrefix(stored, prefix)
	parts := strings.Split(rest, "$")
	if !ok || len(parts) != 3 {
		return h, false
	}
	var errs [3]error
	h.iterations, errs[0] = strconv.Atoi(parts[0])
	h.salt, errs[1] = base64.RawStdEncoding.DecodeString(parts[1])
	h.key, errs[2] = base64.RawStdEncoding.DecodeString(parts[2])
	if errs != [3]error{} || h.iterations < 1 || h.iterations > maxIterations ||
		len(h.salt) != saltSize ||
		len(h.key) != keySize {
		return h, false
	}
	return h, h.String() == stored
}

// IsHash reports whether a stored password is hashed; else it is the text
// itself.
func IsHash(stored string) bool { _, ok := parse(stored); return ok }

// Matches reports whether a text is the stored password. It remembers nothing,
// and so costs the whole of the iterations each time: it is for those who
// compare once.
func Matches(stored, text string) bool {
	h, ok := parse(stored)
	if !ok {
		// Hashed, so that the length tells nothing either.
		a := sha256.Sum256([]byte(stored))
		b := sha256.Sum256([]byte(text))
		return subtle.ConstantTimeCompare(a[:], b[:]) == 1
	}
	return subtle.ConstantTimeCompare(h.key, derive(text, h.salt, h.iterations)) == 1
}

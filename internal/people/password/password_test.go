package password_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/people/password"
	"almanac/internal/tools/race"
)

// few is the number of iterations in tests, which do not depend on it.
const few = 3

// pbkdf2 is RFC 8018, section 5.2, for keys of one block, written down again.
func pbkdf2(text string, salt []byte, iterations int) []byte {
	mac := hmac.New(sha256.New, []byte(text))
	mac.Write(binary.BigEndian.AppendUint32(bytes.Clone(salt), 1))
	u := mac.Sum(nil)
	key := bytes.Clone(u)
	for range iterations - 1 {
		mac.Reset()
		mac.Write(u)
		u = mac.Sum(nil)
		for i := range key {
			key[i] ^= u[i]
		}
	}
	return key
}

// The stored form is PBKDF2 in a PHC string, with its own salt.
func TestStoredForm(t *testing.T) {
	t.Parallel()
	k := password.NewKeeper(few)
	salts := map[string]bool{}
	for _, text := range []string{"Open Sesame", "0", " ", "ä", strings.Repeat("long ", 1000), "$pbkdf2-sha256$i=1$$"} {
		stored, err := k.Hash(t.Context(), "", text)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(stored, "$")
		if len(parts) != 5 || parts[0] != "" || parts[1] != "pbkdf2-sha256" ||
			parts[2] != fmt.Sprint("i=", few) {
			t.Fatalf("stored as %q", stored)
		}
		salt, err := base64.RawStdEncoding.DecodeString(parts[3])
		if err != nil || len(salt) != 16 || salts[parts[3]] {
			t.Errorf("salt %q (%v), want 16 bytes that no other has", parts[3], err)
		}
		salts[parts[3]] = true
		if want := base64.RawStdEncoding.EncodeToString(pbkdf2(text, salt, few)); parts[4] != want {
			t.Errorf("%q: key %s, by the standard %s", text, parts[4], want)
		}
		if !password.IsHash(stored) || !password.Matches(stored, text) ||
			password.Matches(stored, text+" ") ||
			password.Matches(stored, stored) {
			t.Errorf("%q is not what %q is the hash of", text, stored)
		}
		if k.HashNow(stored) != stored {
			t.Errorf("%q is hashed twice", stored)
		}
	}
}

// The server has the iterations that docs/THREATS.md promises.
func TestIterationsAlone(t *testing.T) {
	race.Alone(t)
	stored := password.NewKeeper(password.Iterations).HashNow("x")
	if !strings.HasPrefix(stored, "$pbkdf2-sha256$i=600000$") || !password.Matches(stored, "x") {
		t.Errorf("stored as %q", stored)
	}
}

// A stored password of another form is plain text.
func TestPlain(t *testing.T) {
	t.Parallel()
	k := password.NewKeeper(few)
	good := k.HashNow("x")
	salt := strings.Split(good, "$")[3]
	key := strings.Split(good, "$")[4]
	phc := func(iterations, salt, key string) string {
		return "$pbkdf2-sha256$i=" + iterations + "$" + salt + "$" + key
	}
	if phc("3", salt, key) != good {
		t.Fatalf("the form of %s is not known to this test", good)
	}
	for _, plain := range []string{
		"Open Sesame", "$", "$pbkdf2-sha256$", "$pbkdf2-sha256$i=3$$", " " + good, good + "$", good + "\n", good[1:],
		phc("0", salt, key), phc("-3", salt, key), phc("03", salt, key), phc("+3", salt, key), phc("10000001", salt, key),
		phc("99999999999999999999", salt, key),
		phc("3", salt[1:], key), phc("3", salt+"AAAA", key), phc("3", salt, key[:40]), phc("3", salt, key+"="),
		phc("3", salt, "A\n"+key[1:]), phc("3", "", ""),
	} {
		if password.IsHash(plain) {
			t.Errorf("%q counts as a hash", plain)
		}
		if !password.Matches(plain, plain) || password.Matches(plain, plain+"x") ||
			password.Matches(plain, "") {
			t.Errorf("%q is not compared as it is", plain)
		}
		if sealed := k.HashNow(plain); !password.IsHash(sealed) ||
			!password.Matches(sealed, plain) {
			t.Errorf("%q is sealed as %q", plain, sealed)
		}
	}
	if k.HashNow("") != "" {
		t.Error("no password became one")
	}
}

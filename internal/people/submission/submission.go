// Package submission decides which forms of people without an account are taken.
//
//	room := submission.New(account, submission.Most, caltime.Stopwatch())
//	stamp := room.Stamp(now) // stands in the form
//	if !room.IsReady(stamp, now) {
//		// the form comes back with its text
//	}
//
// A form is signed with the time at which it was shown, because programs fill in forms at once. An
// address sends few of them, and few proposals wait. Package desk has the pages, and package api
// writes the events.
package submission

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/netip"
	"sync"
	"time"

	"almanac/internal/people/limit"
	"almanac/internal/text/jsonio"
)

// Most is how many proposals wait at most if nothing else is set.
const Most = 500

// Times between which a form is sent, after it was shown.
const (
	soonest = 5 * time.Second
	latest  = 24 * time.Hour
)

// rate is how many forms a client sends.
var rate = limit.Rate{N: 6, Per: 5 * time.Minute}

// A Room is where proposals wait. It is safe for concurrent use.
type Room struct {
	Account int64     // owner of the events
	Most    int       // number of proposals that wait
	Log     io.Writer // gets a line for each proposal; nil is none

	key     [sha256.Size]byte // new at each start
	clients *limit.Buckets[netip.Prefix]
	turn    sync.Mutex // locked while a proposal is counted and stored
}

// New makes a room with the owner of its events, for a number of proposals, with a clock that
// never goes back.
func New(account int64, most int, elapsed func() time.Duration) *Room {
	r := &Room{Account: account, Most: most, clients: limit.New[netip.Prefix](rate, elapsed)}
	_, _ = rand.Read(r.key[:]) // never fails
	return r
}

// Stamp returns a time with its signature.
func (r *Room) Stamp(now time.Time) string {
	at := binary.BigEndian.AppendUint64(nil, uint64(now.UnixMilli()))
	return base64.RawURLEncoding.EncodeToString(append(at, r.sign(at)...))
}

func (r *Room) sign(at []byte) []byte {
	code := hmac.New(sha256.New, r.key[:])
	code.Write(at)
	return code.Sum(nil)
}

// Age returns how long ago a stamp was made. It reports whether this room made it, no longer than
// a day ago. A stamp of the future is of a clock that was set back.
func (r *Room) Age(stamp string, now time.Time) (age time.Duration, ok bool) {
	text, err := base64.RawURLEncoding.DecodeString(stamp)
	if err != nil || len(text) != 8+sha256.Size || !hmac.Equal(text[8:], r.sign(text[:8])) {
		return 0, false
	}
	age = now.Sub(time.UnixMilli(int64(binary.BigEndian.Uint64(text))))
	return age, age >= 0 && age <= latest
}

// IsReady reports whether a form with a stamp was shown long enough ago for a person to fill it
// in.
func (r *Room) IsReady(stamp string, now time.Time) bool {
	age, ok := r.Age(stamp, now)
	return ok && age >= soonest
}

// Take counts a form of a client. If it is one too many, Take says how long the client has to
// wait.
func (r *Room) Take(address netip.Addr) (wait time.Duration, ok bool) {
	return r.clients.Take(limit.Client(address))
}

// Secret returns the unguessable part of the address of a proposal, by the key of its form: a form
// that is sent twice has one address.
func (r *Room) Secret(form string) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).
		EncodeToString(r.sign([]byte("form " + form))[:16])
}

// Alone runs f while no other proposal is stored.
func (r *Room) Alone(f func() error) error {
	r.turn.Lock()
	defer r.turn.Unlock()
	return f()
}

// A Note is a line of the file of proposals. It does not name the person.
type Note struct {
	Time  time.Time `json:"time"`
	ID    int64     `json:"id"`
	Title string    `json:"title"`
	Start string    `json:"start_date"`
}

// Write appends a note to the file, a line of ASCII: terminals obey some other characters.
func (r *Room) Write(n Note) error {
	if r.Log == nil {
		return nil
	}
	line, err := json.Marshal(n)
	if err == nil {
		_, err = r.Log.Write(append(jsonio.ASCII(line), '\n'))
	}
	return err
}

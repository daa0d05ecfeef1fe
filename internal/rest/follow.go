// Operations for servers that follow this one, see package follow.

package rest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"time"

	"almanac/internal/account"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// FollowTime is how long a request for the end of the log waits for something to come.
const FollowTime = 10 * time.Second

// followBytes is about how much of the log an answer has.
const followBytes = 1 << 20

// followPart is the time that a follower may take for a part of an answer, of which an archive
// has many: a link that is slow is not broken.
const followPart = time.Minute

// What an answer says in its header, but for an archive: the last transaction that there is,
// how many bytes come, without compression, and the SHA-256 of the users file.
const (
	FollowSeq      = "Almanac-Seq"
	FollowBytes    = "Almanac-Bytes"
	FollowAccounts = "Almanac-Accounts"
)

// Follow is the operations for servers that follow this one. They are no part of the
// specification.
var Follow = struct{ Log, Archive, Accounts *Op }{
	followOp("follow.log", followLog), followOp("follow.archive", followArchive), followOp("follow.accounts", followAccounts),
}

func followOp(name string, serve func(r *request) (*respond.Response, error)) *Op {
	return &Op{Name: name, Params: params.None, permit: needs(account.Follow),
		serve: func(r *request) (*respond.Response, error) {
			if !r.caller.May(account.Follow) {
				return nil, r.refusal()
			}
			return serve(r)
		}}
}

// Following is how far a server is that follows another one.
type Following struct {
	Connected bool    `json:"connected"` // the first server was heard of, and not lost since
	Behind    uint64  `json:"behind"`    // transactions of it that are not here, as far as known
	Seconds   float64 `json:"seconds"`   // since nothing was missing
}

var errPruned = &Error{Status: http.StatusGone, Code: "rest_log_pruned",
	Message: "These lines of the log were removed, as -keep asks for. Begin again with an archive."}

// diverged answers who names a line that the log, which leads to a state, has not.
func diverged(s *store.State) *Error {
	return &Error{Status: http.StatusConflict, Code: "rest_log_diverged", Message: fmt.Sprintf("The log here has no such transaction with "+
		"this head: one of the two servers was restored, or went on by itself. It ends with transaction %d and the head %x.", s.Seq(), s.Head())}
}

// follows answers a change that a server refuses since it follows another one.
func follows(e *store.FollowerError) *Error {
	return &Error{Status: http.StatusServiceUnavailable, Code: "rest_follower", retry: time.Minute,
		Message: fmt.Sprintf("This server keeps a copy and takes no changes: send them to %s.", e.First)}
}

// followLog answers GET /_almanac/follow/log/{id}/{name}: the lines of the log after
// transaction id, whose line has the SHA-256 name, as soon as there are some, or none after a while.
func followLog(r *request) (*respond.Response, error) {
	after, err := strconv.ParseUint(r.path["id"], 10, 64)
	if err != nil {
		return nil, errNoRoute
	}
	ctx, cancel := context.WithTimeout(r.http.Context(), FollowTime)
	defer cancel()
	stopping := r.stopping
	go func() { // ends with the request
		select {
		case <-stopping:
			cancel()
		case <-ctx.Done():
		}
	}()
	for {
		state := r.store.State()
		text, err := r.store.Tail(after, r.path["name"], followBytes)
		if errors.Is(err, store.ErrDiverged) {
			return nil, diverged(state)
		}
		if err != nil {
			return nil, unfollowed(err)
		}
		if len(text) > 0 || r.store.Wait(ctx, state) != nil {
			return r.followAnswer("application/x-ndjson", text)
		}
	}
}

// unfollowed returns errNoRoute for what a server in memory has not.
func unfollowed(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrNotExist) {
		return errNoRoute
	}
	return err
}

// followAnswer answers with what is not for caches.
func (r *request) followAnswer(media string, text []byte) (*respond.Response, error) {
	header := map[string]string{"Cache-Control": "no-store", FollowSeq: strconv.FormatUint(r.store.Seq(), 10),
		FollowBytes: strconv.Itoa(len(text))}
	if accounts, err := r.accounts.Text(); err == nil {
		sum := sha256.Sum256(accounts)
		header[FollowAccounts] = hex.EncodeToString(sum[:])
	}
	parts := func(yield func([]byte) bool) {
		for part := range slices.Chunk(text, respond.PartSize) {
			if !yield(part) {
				return
			}
		}
	}
	return &respond.Response{Status: http.StatusOK, Media: media, Header: header,
		Long: &respond.Long{Size: int64(len(text)), Parts: parts, Until: within(followPart)}}, nil
}

// followAccounts answers GET /_almanac/follow/accounts: the users file.
func followAccounts(r *request) (*respond.Response, error) {
	text, err := r.accounts.Text()
	if err != nil {
		return nil, unfollowed(err)
	}
	return r.followAnswer("application/json", text)
}

// followArchive answers GET /_almanac/follow/archive: what almanac backup writes.
func followArchive(r *request) (*respond.Response, error) {
	archive, err := r.store.Archive(r.http.Context(), r.accounts.Path())
	if err != nil {
		return nil, unfollowed(err)
	}
	parts := func(yield func([]byte) bool) {
		if err := archive.Write(r.http.Context(), yielding(yield)); err != nil && r.http.Context().Err() == nil {
			r.log.Warn("an archive was not sent to its end", "err", err) // who gets it sees that it is not whole
		}
	}
	return &respond.Response{Status: http.StatusOK, Media: "application/x-tar",
		Long:   &respond.Long{Size: -1, Parts: parts, Until: within(followPart)},
		Header: map[string]string{"Cache-Control": "no-store"}}, nil
}

// A yielding is a function of an iterator as a writer.
type yielding func([]byte) bool

func (y yielding) Write(b []byte) (int, error) {
	if !y(b) {
		return 0, context.Canceled
	}
	return len(b), nil
}

// The server that is followed, over HTTP.

package command

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"almanac/internal/follow"
	"almanac/internal/rest"
	"almanac/store"
)

// Bounds of what the first server may send and how long it may take.
const (
	pieceTime    = 5 * time.Minute  // for some lines of its log
	silence      = 30 * time.Second // without a byte
	askTime      = 5 * time.Second  // for whether it has what comes next: a start waits for that
	pieceMost    = 256 << 20        // bytes of lines; a line is as long as a transaction is large
	accountsMost = 16 << 20
	refusalMost  = 64 << 10
)

// A firstServer is a server that is followed. It is asked at the addresses that its name
// had in the beginning, at one port, and nowhere else, by one goroutine at a time.
type firstServer struct {
	site, token string
	port        uint16
	client      *http.Client
	spare       []byte // of an answer that was not whole: the next one has its memory, since both are too much
}

// newFirstServer looks up the name in an address. What it will need of the files of the
// system is read here, since the process will have no right to them.
func newFirstServer(ctx context.Context, site, token string) (*firstServer, error) {
	u, err := url.Parse(site)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, usageError{fmt.Errorf("%q: must be the address of a server, such as https://calendar.example.org", site)}
	}
	if token == "" {
		return nil, usageError{errors.New("ALMANAC_TOKEN: give a token of an administrator of the server that is followed")}
	}
	f := &firstServer{site: strings.TrimSuffix(strings.TrimSuffix(site, "/"), "/"+rest.Namespace), token: token, port: 80}
	if u.Scheme == "https" {
		f.port = 443
	}
	if text := u.Port(); text != "" {
		port, err := strconv.ParseUint(text, 10, 16)
		if err != nil || port == 0 {
			return nil, usageError{fmt.Errorf("%q: the port must be a number from 1 to 65535", site)}
		}
		f.port = uint16(port)
	}
	addresses, err := net.DefaultResolver.LookupHost(ctx, u.Hostname())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", site, err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil && u.Scheme == "https" {
		return nil, fmt.Errorf("%s: %w", site, err)
	}
	dialer := &net.Dialer{Timeout: silence}
	f.client = &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, TLSHandshakeTimeout: silence,
			ResponseHeaderTimeout: rest.FollowTime + silence, MaxResponseHeaderBytes: refusalMost,
			DialContext: func(ctx context.Context, network, _ string) (conn net.Conn, err error) {
				for _, address := range addresses {
					if conn, err = dialer.DialContext(ctx, network, net.JoinHostPort(address, strconv.Itoa(int(f.port)))); err == nil {
						return impatient{conn}, nil
					}
				}
				return nil, err
			},
		},
	}
	return f, nil
}

// An impatient connection breaks off when nothing comes for too long.
type impatient struct{ net.Conn }

func (c impatient) Read(b []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(rest.FollowTime + silence)); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

// get asks for a path. The answer is one of 200.
func (f *firstServer) get(ctx context.Context, path string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.site+"/_almanac/follow/"+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+f.token)
	answer, err := f.client.Do(request)
	var untrusted *tls.CertificateVerificationError
	if errors.As(err, &untrusted) {
		err = fmt.Errorf("%w; SSL_CERT_FILE names a file with authorities of your own", err)
	}
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusOK {
		return answer, nil
	}
	defer answer.Body.Close()
	var refusal struct{ Code, Message string }
	_ = json.NewDecoder(io.LimitReader(answer.Body, refusalMost)).Decode(&refusal) // what has no message is told by its status
	reason := fmt.Sprintf("%s answers %s: %s", f.site, answer.Status, refusal.Message)
	switch {
	case refusal.Code == "rest_log_diverged":
		return nil, fmt.Errorf("%s: %w", reason, store.ErrDiverged)
	case refusal.Code == "rest_log_pruned":
		return nil, fmt.Errorf("%s: %w", reason, store.ErrPruned)
	case answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests:
		return nil, errors.New(reason)
	case refusal.Code == "":
		return nil, &follow.RefusedError{Reason: fmt.Sprintf("%s answers %s: is there an almanac at this very address, that keeps a log?", f.site,
			answer.Status)}
	}
	return nil, &follow.RefusedError{Reason: reason}
}

// read reads all of an answer, if it is as long as it says, and that is not too long: no more
// memory is taken for it.
func (f *firstServer) read(ctx context.Context, path string, most uint64) ([]byte, http.Header, error) {
	ctx, cancel := context.WithTimeout(ctx, pieceTime)
	defer cancel()
	answer, err := f.get(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	size, err := strconv.ParseUint(answer.Header.Get(rest.FollowBytes), 10, 63)
	if err != nil {
		return nil, nil, &follow.RefusedError{Reason: fmt.Sprintf("%s answers without %s: is there an almanac at this address?", f.site,
			rest.FollowBytes)}
	}
	if size > most {
		return nil, nil, fmt.Errorf("%s has %d bytes to send at once, and no more than %d are taken", f.site, size, most)
	}
	text := f.spare
	if f.spare = nil; uint64(cap(text)) < size {
		text = make([]byte, size)
	}
	text = text[:size]
	if _, err = io.ReadFull(answer.Body, text); err == nil {
		if n, _ := io.CopyN(io.Discard, answer.Body, 1); n > 0 {
			err = fmt.Errorf("%s sends more than the %d bytes that it says", f.site, size)
		}
	}
	if err != nil {
		f.spare, text = text, nil
	}
	return text, answer.Header, err
}

func (f *firstServer) Log(ctx context.Context, after uint64, head string) (p follow.Piece, err error) {
	var header http.Header
	if p.Lines, header, err = f.read(ctx, fmt.Sprintf("log/%d/%s", after, head), pieceMost); err != nil {
		return p, err
	}
	p.Accounts = header.Get(rest.FollowAccounts)
	if p.Seq, err = strconv.ParseUint(header.Get(rest.FollowSeq), 10, 64); err != nil {
		return p, &follow.RefusedError{Reason: fmt.Sprintf("%s answers without %s: is there an almanac at this address?", f.site, rest.FollowSeq)}
	}
	return p, nil
}

// pruned reports whether the server is there, and has removed what comes after a
// transaction. It does not wait for a new one, as Log does.
func (f *firstServer) pruned(ctx context.Context, after uint64, head [sha256.Size]byte) bool {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	_, header, err := f.read(ctx, "accounts", accountsMost)
	seq, unknown := strconv.ParseUint(header.Get(rest.FollowSeq), 10, 64)
	if err != nil || unknown != nil || seq <= after {
		return false // whatever is wrong, who follows is told
	}
	_, err = f.Log(ctx, after, hex.EncodeToString(head[:]))
	return errors.Is(err, store.ErrPruned)
}

func (f *firstServer) Accounts(ctx context.Context) ([]byte, error) {
	text, _, err := f.read(ctx, "accounts", accountsMost)
	return text, err
}

func (f *firstServer) Archive(ctx context.Context) (io.ReadCloser, error) {
	answer, err := f.get(ctx, "archive")
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

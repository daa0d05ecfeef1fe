// The certificate of the server, and how it speaks TLS.

package httpd

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// A Certificate is a certificate and its key in two files, read again when one of them changes, so
// that a renewal needs no restart.
type Certificate struct {
	files [2]string // with the certificates, and with the key
	log   *slog.Logger

	current atomic.Pointer[keyPair]
	mu      sync.Mutex // held while the files are read; guards the storing of current
}

// A keyPair is a version of the files. It is immutable.
type keyPair struct {
	*tls.Certificate                // the last good one
	versions         [2]os.FileInfo // that were read; nil if a file could not be
	complaint        string         // error of the files, logged once
}

// OpenCertificate reads both files, which must be right and belong together.
func OpenCertificate(cert, key string, log *slog.Logger) (*Certificate, error) {
	if cert == "" || key == "" {
		return nil, errors.New("-tls-cert and -tls-key: give both, or none of them")
	}
	c := &Certificate{files: [2]string{cert, key}, log: log}
	p, err := c.read()
	if err != nil {
		return nil, fmt.Errorf("-tls-cert and -tls-key: %w", err)
	}
	c.current.Store(p)
	return c, nil
}

// read reads the files. Their versions are those of before the reading, so that
// a change in between is a change still to be seen.
func (c *Certificate) read() (*keyPair, error) {
	p := &keyPair{}
	for i, file := range c.files {
		p.versions[i], _ = os.Stat(file) // a missing file fails below
	}
	pair, err := tls.LoadX509KeyPair(c.files[0], c.files[1])
	if err != nil {
		p.complaint = err.Error()
		return p, err
	}
	p.Certificate = &pair
	// The time of the world counts here, whatever the server's clock says.
	if ends := pair.Leaf.NotAfter; time.Now().After(ends) {
		c.log.Warn("the certificate has expired", "file", c.files[0], "expired", ends)
	}
	return p, nil
}

// refresh returns the certificate of now. Every call looks at the sizes and times
// of the files, which is nothing beside the handshake that it is for. A pair that
// cannot be used is reported and leaves the certificate as it was: while only one
// of the files has been replaced, they do not belong together.
func (c *Certificate) refresh() *tls.Certificate {
	if p := c.current.Load(); c.isCurrent(p) {
		return p.Certificate
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.current.Load()
	if c.isCurrent(last) { // somebody else was faster
		return last.Certificate
	}
	next, err := c.read()
	if err != nil {
		if next.complaint != last.complaint {
			c.log.Error("certificate not usable, it stays as it was", "error", err)
		}
		next.Certificate = last.Certificate
	} else {
		c.log.Info("certificate read again", "file", c.files[0], "expires", next.Leaf.NotAfter)
	}
	c.current.Store(next)
	return next.Certificate
}

// isCurrent reports whether a pair comes from the files as they are now.
func (c *Certificate) isCurrent(p *keyPair) bool {
	for i, file := range c.files {
		now, err := os.Stat(file)
		then := p.versions[i]
		if err != nil || then == nil || !os.SameFile(now, then) || now.Size() != then.Size() ||
			!now.ModTime().Equal(then.ModTime()) {
			return false
		}
	}
	return true
}

// config returns how to speak TLS: 1.3, or 1.2 with what is left of it that is
// good, forward secrecy and authenticated encryption.
func (c *Certificate) config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		CipherSuites: []uint16{
			tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
			tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
			tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
		},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.refresh(), nil },
	}
}

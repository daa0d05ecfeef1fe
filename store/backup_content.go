// The files of one state, on their way into an archive or a new directory.

package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"

	"almanac/store/wal"
)

// A content is a member and where its bytes are.
type content struct {
	member
	data []byte // nil: in a file
	file string // that it is in
	at   int64  // where it begins there
}

func newContent(name string, data []byte) content {
	sum := sha256.Sum256(data)
	return content{member: member{name, int64(len(data)), hex.EncodeToString(sum[:])}, data: append([]byte{}, data...)}
}

// contentsOf returns the files of a state, and that of the accounts. Users names
// the latter; "" is the one in the directory, if there is one.
func contentsOf(ctx context.Context, src wal.Files, c *cut, users string) ([]content, error) {
	var contents []content
	accounts, err := readUsers(src, users)
	if err == nil {
		contents = append(contents, newContent(usersName, accounts))
	} else if users != "" || !wal.IsAbsent(err) {
		return nil, fmt.Errorf("store: accounts: %w", err)
	}
	if c.base != nil {
		text, err := c.base.Encode()
		if err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		contents = append(contents, newContent(wal.ManifestPath(c.base.Seq), text))
		for _, f := range c.base.Files {
			contents = append(contents, content{member: member{c.base.Path(f), f.Bytes, f.SHA256}, file: c.base.Path(f)})
		}
	}
	for _, p := range c.pieces {
		in := content{member: member{Name: wal.SegmentName(p.First), Bytes: p.Bytes}, file: wal.SegmentName(p.Segment), at: p.From}
		hash := sha256.New()
		if err := in.write(ctx, src, hash); err != nil {
			return nil, fmt.Errorf("store: %s: %w", in.Name, err)
		}
		in.SHA256 = hex.EncodeToString(hash.Sum(nil))
		contents = append(contents, in)
	}
	return contents, nil
}

func readUsers(src wal.Files, path string) ([]byte, error) {
	if path != "" {
		return os.ReadFile(path)
	}
	text, err := wal.ReadFile(src, usersName)
	if wal.IsAbsent(err) {
		return nil, fs.ErrNotExist
	}
	return text, err
}

// write writes as many bytes as the member has.
func (c content) write(ctx context.Context, src wal.Files, w io.Writer) error {
	var r io.Reader = bytes.NewReader(c.data)
	if c.data == nil {
		f, err := src.Open(c.file)
		if err != nil {
			return err
		}
		defer f.Close()
		r = io.NewSectionReader(f, c.at, c.Bytes)
	}
	n, err := io.Copy(w, contextReader{ctx, r})
	if err == nil && n != c.Bytes {
		err = fmt.Errorf("%d bytes, not %d: %w", n, c.Bytes, errChanged)
	}
	return err
}

// copy writes the member and compares its hash.
func (c content) copy(ctx context.Context, src wal.Files, w io.Writer) error {
	hash := sha256.New()
	if err := c.write(ctx, src, io.MultiWriter(w, hash)); err != nil {
		return err
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != c.SHA256 {
		return fmt.Errorf("its SHA-256 is %s, not %s: %w", sum, c.SHA256, errChanged)
	}
	return nil
}

// A contextReader ends when its context does, so that somebody who gives up
// does not wait for gigabytes.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.r.Read(b)
}

// Sums, the statement of how a release was made, and signatures.

package main

import (
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sumsName is the name of the file of sums, as sha256sum -c reads it.
const sumsName = "SHA256SUMS"

// object is a JSON object. Its members are printed in the order of their names.
type object = map[string]any

// vouch makes the statement and the sums of all files that were made, and signs both.
func (m *maker) vouch(s *signer) error {
	files := slices.Sorted(slices.Values(m.made))
	sums := map[string]string{}
	add := func(file string) error {
		content, err := os.ReadFile(filepath.Join(m.dir, file))
		sums[file] = fmt.Sprintf("%x", sha256.Sum256(content))
		return err
	}
	for _, file := range files {
		if err := add(file); err != nil {
			return err
		}
	}
	statement := m.file(".provenance.json")
	if err := m.write(statement, m.statement(files, sums)); err != nil {
		return err
	}
	if err := add(statement); err != nil {
		return err
	}
	var b strings.Builder
	for _, file := range slices.Sorted(slices.Values(append(files, statement))) {
		fmt.Fprintf(&b, "%s  %s\n", sums[file], file)
	}
	if err := m.write(sumsName, []byte(b.String())); err != nil {
		return err
	}
	if s == nil {
		m.notes = append(
			m.notes,
			"The files are not signed: KEY=FILE would sign "+sumsName+" and the statement.",
		)
		return nil
	}
	for _, file := range []string{sumsName, statement} {
		if err := m.sign(file, s); err != nil {
			return err
		}
	}
	m.notes = append(m.notes, "The release is signed, by the key "+s.name+".")
	return nil
}

// statement returns the provenance of the release: an in-toto statement, version 1, with the
// predicate SLSA Provenance, version 1. It has no time, so that a second build gives the same.
func (m *maker) statement(files []string, sums map[string]string) []byte {
	var subjects []any
	for _, file := range files {
		subjects = append(subjects, object{"name": file, "digest": object{"sha256": sums[file]}})
	}
	dependencies := []any{
		object{"name": "source", "digest": object{"gitCommit": m.commit}},
		object{
			"name": "toolchain",
			"uri":  "pkg:golang/stdlib@" + strings.TrimPrefix(m.toolchain, "go"),
		},
	}
	for _, one := range m.modules {
		dependencies = append(dependencies, object{
			"name": "inside the standard library",
			"uri":  "pkg:golang/" + one.Path + "@" + one.Version,
		})
	}
	text, _ := json.MarshalIndent(object{ // of texts
		"_type":         "https://in-toto.io/Statement/v1",
		"subject":       subjects,
		"predicateType": "https://slsa.dev/provenance/v1",
		"predicate": object{
			"buildDefinition": object{
				"buildType": "urn:almanac:make-release:v1",
				"externalParameters": object{
					"version": m.version,
				},
				"internalParameters": object{
					"toolchain": m.toolchain,
				},
				"resolvedDependencies": dependencies,
			},
			"runDetails": object{"builder": object{"id": "urn:almanac:anybody"}},
		},
	}, "", "  ")
	return append(text, '\n')
}

// A signer is a private key, with the SHA-256 of its public part as name.
type signer struct {
	key  ed25519.PrivateKey
	name string
}

// readKey reads a private key; it returns nil for no file.
func readKey(file string) (*signer, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	key, err := parseKey(text)
	if err != nil {
		return nil, fmt.Errorf("KEY=%s: %w", file, err)
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	return &signer{key, fmt.Sprintf("%x", sha256.Sum256(public))}, err
}

// sign makes the signature of a file beside it: the 64 bytes of RFC 8032.
func (m *maker) sign(file string, s *signer) error {
	content, err := os.ReadFile(filepath.Join(m.dir, file))
	if err != nil {
		return err
	}
	signature, err := s.key.Sign(nil, content, crypto.Hash(0))
	return errors.Join(err, m.write(file+".sig", signature))
}

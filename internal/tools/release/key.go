package main

// This file reads the key that a release is signed with.

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
)

// parseKey reads a private key of ed25519, PKCS #8 in PEM.
func parseKey(text []byte) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New(
			"there is no PEM in it; openssl genpkey -algorithm ed25519 makes a key",
		)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	key, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("it is a %T; only ed25519 signs", parsed)
	}
	return key, nil
}

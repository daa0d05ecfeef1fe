package main

import (
	"testing"

	"almanac/internal/apitest"
)

// The manual has every command and every flag.
func TestCommandsAreDocumented(t *testing.T) {
	t.Parallel()
	apitest.Documented(t, "../docs", program)
}

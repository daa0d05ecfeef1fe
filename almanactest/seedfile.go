// Records from a file.

package almanactest

import "almanac/internal/seed"

// SeedFile fills the server, which must be empty, with the records of a file, or
// with a built-in seed: "@small", "@city" or "@torture". It is what the program
// does with -seed; package seed describes the form. Dates that are relative are
// resolved against the server's clock, in its zone. When anything in the file is
// wrong nothing is stored, and the test ends there. Otherwise Reset returns to it
// and worlds begin with it, as with Seed.
func (s *Server) SeedFile(name string) {
	s.tb.Helper()
	err := seed.PlantFile(s.Store, name, seed.Options{Site: s.zone, Now: s.Clock.Now(), Account: 1})
	if err == nil {
		err = s.keepSeeded()
	}
	if err != nil {
		s.tb.Fatalf("almanactest: seed: %v", err)
	}
}

// Records from a file.

package almanactest

import "almanac/internal/write/seed"

// SeedFile adds the records of a file to the server, or those of a built-in seed: "@small",
// "@city" or "@torture", like the program's -seed; docs/seeds.md describes the form. Relative
// dates use the server's clock and zone. If the file has an error, nothing is stored and the test
// ends. Otherwise Reset returns to the file's state and worlds begin with it, as with Seed.
func (s *Server) SeedFile(name string) {
	s.tb.Helper()
	err := seed.PlantFile(s.Store, name, seed.Options{
		Site:    s.zone,
		Now:     s.Clock.Now(),
		Account: 1,
		More:    true,
	})
	if err == nil {
		err = s.keepSeeded()
	}
	if err != nil {
		s.tb.Fatalf("almanactest: seed: %v", err)
	}
}

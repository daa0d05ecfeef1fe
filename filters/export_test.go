package filters

// PreferSets makes the planner join sets where looking at each candidate would
// be quicker.
func PreferSets(f *Events) { f.testOnlySets = true }

// LookedUp returns what a search looks up in the words.
func LookedUp(s Search) []string { parts, _ := s.parts(); return parts }

// WithoutWords makes searches read texts, as they do until a large store has its
// words.
func WithoutWords(f *Events) { f.testOnlyNoWords = true }

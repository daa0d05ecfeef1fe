package filters

// PreferSets makes the planner join sets where looking at each candidate would
// be quicker.
func PreferSets(f *Events) { f.testOnlySets = true }

// WithoutWords makes searches read texts, as they do until a large store has its
// words.
func WithoutWords(f *Events) { f.testOnlyNoWords = true }

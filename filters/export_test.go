package filters

// PreferSets makes the planner join sets where looking at each candidate would
// be quicker.
func PreferSets(f *Events) { f.testOnlySets = true }

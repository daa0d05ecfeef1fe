package ical

// Windows returns zones by their names in Windows.
func Windows() map[string]string {
	byName, _ := windows()
	return byName
}

// Directories that a process keeps for a file.

package confine

import (
	"path/filepath"
	"slices"
)

// AddDirs adds the directory of a file, and that to which a link leads.
func AddDirs(all []string, file string) []string {
	if file == "" {
		return all
	}
	dirs := []string{filepath.Dir(file)}
	if target, err := filepath.EvalSymlinks(file); err == nil {
		dirs = append(dirs, filepath.Dir(target))
	}
	for _, dir := range dirs {
		if !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	return all
}

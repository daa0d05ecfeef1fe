//go:build cgo

package confine_test

import _ "os/user" // is linked with C where there is C

func linkedWithC() bool { return true }

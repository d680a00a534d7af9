//go:build !failpoints

package failpoint

// Hit does nothing in this build.
func Hit(string) {}

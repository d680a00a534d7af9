//go:build failpoints

package failpoint

import (
	"os"
	"syscall"
)

// Hit kills the process if the named failpoint is the armed one.
func Hit(name string) {
	if os.Getenv("AMANAT_FAILPOINT") != name {
		return
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // the signal may take a moment
}

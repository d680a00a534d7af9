//go:build !linux

package systemtest

import "syscall"

// endWithParent does nothing: only Linux has parent-death signals.
func endWithParent(*syscall.SysProcAttr) {}

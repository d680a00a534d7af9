//go:build !linux

package system

import "syscall"

// endWithParent does nothing: only Linux has parent-death signals.
func endWithParent(*syscall.SysProcAttr) {}

package systemtest

import "syscall"

// endWithParent kills the process when the test process ends, also by kill -9 or a panic.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

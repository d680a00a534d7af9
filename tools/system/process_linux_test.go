package system

import "syscall"

// endWithParent makes Linux kill the process when the test process ends, even by SIGKILL or a
// panic.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

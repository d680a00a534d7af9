package localstack

import "syscall"

// endWithParent makes the server shut down when this process ends, also by kill -9.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }

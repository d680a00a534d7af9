package listener

import (
	"context"
	"net"
	"syscall"
)

// dialSlow connects with a receive buffer so small that the sender soon notices that nothing is
// read.
func dialSlow(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Control: func(_, _ string, raw syscall.RawConn) error {
		var failed error
		err := raw.Control(func(fd uintptr) {
			failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, smallWindow)
		})
		if err == nil {
			err = failed
		}
		return err
	}}
	return dialer.DialContext(ctx, network, address)
}

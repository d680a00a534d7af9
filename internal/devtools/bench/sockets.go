package bench

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"amanat/internal/devtools/bench/listener"
)

const (
	publicOrigin = "http://localhost:8080" // the default of PUBLIC_URL
	openAtOnce   = 64                      // sockets that are being opened at the same time
	openWait     = 2 * time.Minute
	openPause    = 5 * time.Millisecond
)

// openSockets opens a socket for each session, alternating between the sites, and waits until all
// are connected. heard is called with every frame.
func openSockets(ctx context.Context, sites, sessions []string, heard func(frame []byte)) (sockets []*listener.Listener, err error) {
	defer func() {
		if err != nil {
			_ = closeSockets(sockets) // their reports do not matter after an error
		}
	}()
	for i, session := range sessions {
		site := sites[i%len(sites)]
		sockets = append(sockets, listener.Open(ctx, listener.Options{
			Site: func() string { return site }, Origin: publicOrigin, Session: session, Newest: true, Heard: heard,
		}))
		if i >= openAtOnce {
			if err := awaitConnected(ctx, sockets[i-openAtOnce]); err != nil {
				return sockets, err
			}
		}
	}
	for _, socket := range sockets {
		if err := awaitConnected(ctx, socket); err != nil {
			return sockets, err
		}
	}
	return sockets, nil
}

func awaitConnected(ctx context.Context, socket *listener.Listener) error {
	for deadline := time.Now().Add(openWait); !socket.Connected(); time.Sleep(openPause) {
		if time.Now().After(deadline) || ctx.Err() != nil {
			return fmt.Errorf("a socket does not open: %+v", socket.Report())
		}
	}
	return nil
}

// closeSockets closes all sockets at once. It fails if a socket lost or repeated an event, or
// reconnected.
func closeSockets(sockets []*listener.Listener) error {
	var group sync.WaitGroup
	var failed atomic.Pointer[listener.Report]
	for _, socket := range sockets {
		group.Go(func() {
			if r := socket.Close(); r.Gaps+r.Doubles+r.Unrecovered > 0 || r.Connects > 1 {
				failed.Store(&r)
			}
		})
	}
	group.Wait()
	if r := failed.Load(); r != nil {
		return fmt.Errorf("a socket fared badly: %+v", *r)
	}
	return nil
}

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

// openSockets connects the sessions' people, in turn to the sites, and waits until all are. heard gets every frame of everybody.
func openSockets(ctx context.Context, sites, sessions []string, heard func(frame []byte)) (sockets []*listener.Listener, err error) {
	defer func() {
		if err != nil {
			_ = closeSockets(sockets) // that they fare badly is known
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

// closeSockets disconnects everybody at once. It fails when an event was lost or came twice, and when somebody was cut off.
func closeSockets(sockets []*listener.Listener) error {
	var group sync.WaitGroup
	var amiss atomic.Pointer[listener.Report]
	for _, socket := range sockets {
		group.Go(func() {
			if r := socket.Close(); r.Gaps+r.Doubles+r.Unrecovered > 0 || r.Connects > 1 {
				amiss.Store(&r)
			}
		})
	}
	group.Wait()
	if r := amiss.Load(); r != nil {
		return fmt.Errorf("a socket fared badly: %+v", *r)
	}
	return nil
}

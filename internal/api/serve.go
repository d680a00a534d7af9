package api

import (
	"log/slog"
	"net/http"
	"time"
)

// Bounds of a connection. Routes set their own for bodies.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second // also for bodies that nobody reads
	writeTimeout      = 60 * time.Second // a slow phone may take its time
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 32 << 10
)

// HTTP returns an HTTP server for the address with the bounds that the api relies on. The caller runs it and shuts it down.
func (s *Server) HTTP(addr string) *http.Server {
	return &http.Server{
		Addr:              addr,
		Handler:           s,
		ErrorLog:          slog.NewLogLogger(s.logger.Handler(), slog.LevelDebug), // what clients do to their connections
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
	}
}

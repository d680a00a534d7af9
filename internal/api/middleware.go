package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/google/uuid"

	"amanat/internal/fault"
)

// handleTimeout bounds the work on one request, before its body is read and after: longer than any healthy one, shorter than a proxy's
// patience.
const handleTimeout = 15 * time.Second

var requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9._:-]{8,64}$`)

// identify gives the request its id and the client's address. An id that comes with the request is kept only from a trusted proxy.
func (s *Server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if address, ok := peer(r); !ok || !s.proxies.trust(address) || !requestIDPattern.MatchString(id) {
			id = uuid.Must(uuid.NewV7()).String()
		}
		info := &requestInfo{id: id, address: s.proxies.client(r)}
		w.Header().Set("X-Request-Id", id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestInfoKey, info)))
	})
}

// record writes one line a request to the log and counts it.
func (s *Server) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wrapped := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		// Deferred, so that a connection that a handler aborts is recorded too.
		defer s.recordOne(r, wrapped, stopwatch())
		next.ServeHTTP(wrapped, r)
	})
}

// recordOne names the route, not the path, and nothing that the client sent.
func (s *Server) recordOne(r *http.Request, w middleware.WrapResponseWriter, elapsed func() time.Duration) {
	info, route, duration := requestInfoOf(r.Context()), routeOf(r), elapsed()
	status := w.Status()
	switch {
	case info.upgraded:
		status = http.StatusSwitchingProtocols
	case status == 0:
		status = http.StatusOK
	}
	s.durations.WithLabelValues(methodOf(r), route, strconv.Itoa(status)).Observe(duration.Seconds())
	level := slog.LevelInfo
	if route == spaRoute {
		level = slog.LevelDebug
	}
	attributes := []slog.Attr{
		slog.String("request_id", info.id),
		slog.String("method", r.Method),
		slog.String("route", route),
		slog.Int("status", status),
		slog.Float64("duration_ms", float64(duration.Microseconds())/1000),
		slog.Int("bytes", w.BytesWritten()),
		slog.String("address", info.address),
	}
	if info.userID != uuid.Nil {
		attributes = append(attributes, slog.String("user_id", info.userID.String()))
	}
	s.logger.LogAttrs(r.Context(), level, "request", attributes...)
}

// routeOf returns the pattern that matched, so that ids in paths make no labels of their own.
func routeOf(r *http.Request) string {
	pattern := chi.RouteContext(r.Context()).RoutePattern()
	if pattern == "" {
		return "none"
	}
	return pattern
}

// methodOf returns the method, so that what a client makes up is no label of its own.
func methodOf(r *http.Request) string {
	if r.Method == http.MethodHead || slices.Contains(methods, r.Method) {
		return r.Method
	}
	return "other"
}

// rescue turns a panic into a 500.
func (s *Server) rescue(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.recovered(w, r)
		next.ServeHTTP(w, r)
	})
}

// recovered must be deferred itself, or recover returns nothing.
func (s *Server) recovered(w http.ResponseWriter, r *http.Request) {
	cause := recover()
	if cause == nil {
		return
	}
	if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(cause)
	}
	err := fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
	if wrapped, ok := w.(middleware.WrapResponseWriter); ok && wrapped.Status() != 0 {
		// Half an answer is out: only a broken connection tells the client.
		_ = s.failure(r.Context(), err)
		panic(http.ErrAbortHandler)
	}
	s.refuse(w, r, err)
}

// harden sets the headers that tell browsers what this site never does, and the business time.
func (s *Server) harden(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", s.policy)
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
		header.Set("Referrer-Policy", "strict-origin-when-cross-origin")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("X-Frame-Options", "DENY")
		if s.secure {
			header.Set("Strict-Transport-Security", "max-age=31536000")
		}
		header.Set("Date", s.clock.Now().Format(http.TimeFormat))
		next.ServeHTTP(w, r)
	})
}

// contentPolicy allows the page what the UI needs and nothing of other hosts. Inline styles are forced by its component library.
func contentPolicy(secure bool, host string) string {
	scheme := "ws"
	if secure {
		scheme = "wss"
	}
	return "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; " +
		"connect-src 'self' " + scheme + "://" + host + "; manifest-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; " +
		"frame-ancestors 'none'"
}

// private keeps answers about people out of every cache.
func private(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// refuseCrossOrigin lets no other site act with a visitor's cookie.
func (s *Server) refuseCrossOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.crossOrigin.Check(r); err != nil {
			s.refuse(w, r, fault.New(fault.Forbidden, textOtherSite))
			return
		}
		next.ServeHTTP(w, r)
	})
}

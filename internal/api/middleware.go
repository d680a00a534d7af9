package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/tracing"
)

// handleTimeout bounds the work on a request, before and after its body is read. It is longer than
// healthy requests take and shorter than a proxy's timeout.
const handleTimeout = 15 * time.Second

var requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9._:-]{8,64}$`)

// identify sets the request's id and the client's address. A request id in a header is kept only
// from a trusted proxy.
func (s *Server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if address, ok := peer(r); !ok || !s.proxies.trust(address) || !requestIDPattern.MatchString(id) {
			id = uuid.Must(uuid.NewV7()).String()
		}
		info := &requestInfo{id: id, method: methodOf(r), address: s.proxies.client(r)}
		w.Header().Set("X-Request-Id", id)
		ctx := tracing.WithRequestID(context.WithValue(r.Context(), requestInfoKey, info), id)
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// passwordPage is where a user changes the password: password managers ask for it
// (https://w3c.github.io/webappsec-change-password-url/).
const passwordPage = "/security"

// routeHead routes HEAD as GET, whose answer it gets without the body.
func routeHead(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if route := chi.RouteContext(r.Context()); r.Method == http.MethodHead && route != nil {
			route.RouteMethod = http.MethodGet
		}
		next.ServeHTTP(w, r)
	})
}

// trace makes a span of each call below /api but sockets, which stay open for hours. The trace of
// a header is continued only from a trusted proxy.
func (s *Server) trace(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/api/") || r.Header.Get("Upgrade") != "" {
			next.ServeHTTP(w, r)
			return
		}
		ctx := r.Context()
		if address, ok := peer(r); ok && s.proxies.trust(address) {
			ctx = tracing.Extract(ctx, propagation.HeaderCarrier(r.Header))
		}
		method := methodOf(r)
		ctx, span := tracing.Start(ctx, method, trace.WithSpanKind(trace.SpanKindServer),
			trace.WithAttributes(attribute.String("http.request.method", method)))
		if !span.IsRecording() {
			next.ServeHTTP(w, r)
			return
		}
		// The pattern is known when the request has been routed, and the routing is in the context.
		r = r.WithContext(ctx)
		wrapped := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() { endSpan(span, r, wrapped.Status()) }()
		next.ServeHTTP(wrapped, r)
	})
}

// endSpan names the span by the route, never by the path, and ends it.
func endSpan(span trace.Span, r *http.Request, status int) {
	route := routeOf(r.Context())
	span.SetName(methodOf(r) + " " + route)
	span.SetAttributes(attribute.String("http.route", route), attribute.Int("http.response.status_code", status))
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// record logs and counts each request.
func (s *Server) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wrapped := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		// Deferred, so that aborted connections are recorded too.
		defer s.recordOne(r, wrapped, stopwatch())
		next.ServeHTTP(wrapped, r)
	})
}

// recordOne logs the route, not the path, and nothing that the client sent.
func (s *Server) recordOne(r *http.Request, w middleware.WrapResponseWriter, elapsed func() time.Duration) {
	info, route, duration := requestInfoOf(r.Context()), routeOf(r.Context()), elapsed()
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
	if info.userID != nil {
		attributes = append(attributes, slog.String("user_id", info.userID.String()))
	}
	s.logger.LogAttrs(r.Context(), level, "request", attributes...)
}

// routeOf returns the pattern that matched, which bounds the number of metric labels.
func routeOf(ctx context.Context) string {
	if route := chi.RouteContext(ctx); route != nil && route.RoutePattern() != "" {
		return route.RoutePattern()
	}
	return "none"
}

// methodOf returns the method, or a fixed label for unknown ones.
func methodOf(r *http.Request) string {
	if r.Method == http.MethodHead || slices.Contains(methods, r.Method) {
		return r.Method
	}
	return "other"
}

// recoverPanics converts a panic to a 500.
func (s *Server) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.recovered(w, r)
		next.ServeHTTP(w, r)
	})
}

// recovered must be deferred itself: recover returns nil otherwise.
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
		// A partial answer was sent: abort the connection.
		_ = s.failure(r.Context(), err)
		panic(http.ErrAbortHandler)
	}
	s.refuse(w, r, err)
}

// securityHeaders sets the security headers and the business time.
func (s *Server) securityHeaders(next http.Handler) http.Handler {
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
			header.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
		}
		header.Set("Date", s.clock.Now().Format(http.TimeFormat))
		next.ServeHTTP(w, r)
	})
}

// contentPolicy returns a Content-Security-Policy for the UI, without other hosts. The UI's
// component library requires inline styles.
func contentPolicy(secure bool, host string) string {
	scheme := "ws"
	if secure {
		scheme = "wss"
	}
	return "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; " +
		"worker-src 'self'; connect-src 'self' " + scheme + "://" + host + "; manifest-src 'self'; object-src 'none'; " +
		"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// noStore keeps answers out of every cache: they are personal.
func noStore(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// refuseCrossOrigin rejects requests that another site makes with a user's cookie.
func (s *Server) refuseCrossOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.crossOrigin.Check(r); err != nil || s.insecureOrigin(r) {
			s.refuse(w, r, fault.New(fault.Forbidden, "other_site", textOtherSite))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// insecureOrigin reports whether a call to a site with https comes from a page with http, which
// anybody on the way may have written. CrossOriginProtection compares hosts only.
func (s *Server) insecureOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	return s.secure && strings.HasPrefix(origin, "http://") && !slices.Contains(s.origins, origin)
}

// proxies are the networks whose X-Forwarded-For is trusted.
type proxies []netip.Prefix

func (p proxies) trust(address netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(address.Unmap()) {
			return true
		}
	}
	return false
}

// peer returns the connection's remote address; ok is false if it is not an IP address.
func peer(r *http.Request) (address netip.Addr, ok bool) {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	address, err = netip.ParseAddr(host)
	return address, err == nil
}

// client returns the address of the client. X-Forwarded-For is read from its end, as long as each
// hop is a trusted proxy: entries before that were sent by the client and cannot be trusted.
func (p proxies) client(r *http.Request) string {
	address, ok := peer(r)
	if !ok {
		return r.RemoteAddr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && p.trust(address); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = hop
	}
	return address.Unmap().String()
}

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

	"amanat/internal/app/config"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/lib/tracing"
)

// handleTimeout bounds the work on a request, before and after its body is read. It is longer than
// healthy requests take and shorter than a proxy's timeout.
const handleTimeout = 15 * time.Second

// The limit of requests in flight in a process. A request needs a connection of the pool several
// times, so if too many wait for one, none is done in time, and retries keep the api overloaded.
const (
	maxInFlight  = 256
	inFlightWait = time.Second
)

// begin counts a request as in flight and bounds its time; end must be called when its work is
// done. Bodies are read and answers are sent outside, since clients may be slow. Code Unavailable
// while too many requests are in flight.
func (s *Server) begin(ctx context.Context) (working context.Context, end context.CancelFunc, err error) {
	select {
	case s.inFlight <- struct{}{}:
	default:
		waiting, stop := context.WithTimeout(ctx, inFlightWait)
		defer stop()
		select {
		case s.inFlight <- struct{}{}:
		case <-waiting.Done():
			return ctx, func() {}, errUnavailable()
		}
	}
	working, cancel := context.WithTimeout(ctx, handleTimeout)
	return working, func() { cancel(); <-s.inFlight }, nil
}

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

// recordOne logs the route, not the path, and nothing that the client sent, but for the ids of a
// refused call, by which an operator finds it.
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
	if info.refusal != nil {
		attributes = append(attributes, slog.String("code", string(info.refusal.Code)), slog.String("reason", info.refusal.Reason))
		attributes = append(attributes, pathIDs(r.Context())...)
	}
	s.logger.LogAttrs(r.Context(), level, "request", attributes...)
}

// pathIDs returns the parameters of the path that are ids; codes of links are secrets.
func pathIDs(ctx context.Context) (ids []slog.Attr) {
	route := chi.RouteContext(ctx)
	if route == nil {
		return nil
	}
	for i, name := range route.URLParams.Keys {
		if uuid.Validate(route.URLParams.Values[i]) == nil {
			ids = append(ids, slog.String("path."+name, route.URLParams.Values[i]))
		}
	}
	return ids
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

// rateLimit limits an endpoint per key: an address, a user. It returns the bucket that a call
// counts against.
type rateLimit func(c *call) ratelimit.Bucket

// perAddress limits the calls from one address, or one network of IPv6.
func perAddress(name string, rate ratelimit.Rate) rateLimit {
	l := ratelimit.Limit{Name: name, Rate: rate}
	return func(c *call) ratelimit.Bucket { return l.For(c.client.Network()) }
}

// perUser limits the calls of one signed-in user.
func perUser(name string, rate ratelimit.Rate) rateLimit {
	l := ratelimit.Limit{Name: name, Rate: rate}
	return func(c *call) ratelimit.Bucket { return l.For(c.user.ID.String()) }
}

// perPerson limits what one signed-in user creates. New users may create a fraction of it.
func (s *Server) perPerson(name string, rate ratelimit.Rate) rateLimit {
	l := newPersonalLimit(name, rate, s.limits)
	return func(c *call) ratelimit.Bucket { return l.of(c.user.ID, isNew(c, s.clock)) }
}

// personalLimit limits what one user does. New users have a bucket of their own: one who is no
// longer new starts with an empty one.
type personalLimit struct{ usual, whileNew ratelimit.Limit }

func newPersonalLimit(name string, rate ratelimit.Rate, limits config.Limits) personalLimit {
	return personalLimit{
		usual:    ratelimit.Limit{Name: name, Rate: rate},
		whileNew: ratelimit.Limit{Name: name + "-new", Rate: rate.Divided(limits.NewDivisor)},
	}
}

func (l personalLimit) of(person uuid.UUID, isNew bool) ratelimit.Bucket {
	if isNew {
		return l.whileNew.For(person.String())
	}
	return l.usual.For(person.String())
}

func isNew(c *call, now clock.Clock) bool { return c.user.IsNew(now.Now()) }

// maxFor returns how many of something the caller may have at a time.
func (s *Server) maxFor(ctx context.Context, usual, whileNew int) int {
	if isNew(callOf(ctx), s.clock) {
		return whileNew
	}
	return usual
}

// withRateLimits returns the handler with the endpoint's rate limits enforced, after the body has
// been read. A call rejected as invalid gives its tokens back, so that a mistake costs nothing and
// a client cannot lock out others at its address, and so does a repeated request.
func withRateLimits[I, O any](
	s *Server, e endpoint, handler func(context.Context, *I) (*O, error),
) func(context.Context, *I) (*O, error) {
	if len(e.rateLimits) == 0 {
		return handler
	}
	return func(ctx context.Context, in *I) (*O, error) {
		giveBack, err := s.enforceRateLimits(ctx, e.rateLimits...)
		if err != nil {
			return nil, err
		}
		out, err := handler(ctx, in)
		key := callOf(ctx).key
		if fault.CodeOf(err) == fault.Invalid || key != nil && key.Used() {
			giveBack()
		}
		return out, err
	}
}

// enforceRateLimits takes a token of each limit for the call. giveBack returns them. A repeated
// call needs none. Code RateLimited.
func (s *Server) enforceRateLimits(ctx context.Context, limits ...rateLimit) (giveBack func(), err error) {
	c := callOf(ctx)
	buckets := make([]ratelimit.Bucket, len(limits))
	for i, b := range limits {
		buckets[i] = b(c)
	}
	if decision := s.limiter.Allow(ctx, buckets...); !decision.Allowed {
		return func() {}, s.unlessRepeated(ctx, rateLimitError(decision.RetryAfter))
	}
	return func() { s.limiter.GiveBack(ctx, buckets...) }, nil
}

// enforceReadLimit limits the public reads of visitors per address. A client whose cookie opens no
// session is a visitor. Code RateLimited.
func (s *Server) enforceReadLimit(r *http.Request, e endpoint, c *call) error {
	if c.known || !e.visitorsRead() || s.limits.AnonymousReadLimit == (ratelimit.Rate{}) {
		return nil
	}
	ctx, end, err := s.begin(r.Context())
	defer end()
	if err != nil {
		return err
	}
	if e.access == anyone && c.token != "" { // admit has not read the session
		if _, _, err := s.accounts.Authenticate(ctx, c.token); err == nil {
			return nil
		}
	}
	if decision := s.allowVisitor(ctx, c.client, 1); !decision.Allowed {
		s.logRateLimit(ctx, e, c)
		return rateLimitError(decision.RetryAfter)
	}
	return nil
}

// allowVisitor counts a public read of a visitor, which costs as much as so many usual ones.
func (s *Server) allowVisitor(ctx context.Context, client accounts.Client, cost int) ratelimit.Decision {
	visitors := ratelimit.Limit{Name: "anonymous-reads", Rate: s.limits.AnonymousReadLimit}
	if visitors.Rate == (ratelimit.Rate{}) {
		return ratelimit.Decision{Allowed: true}
	}
	return s.limiter.Allow(ctx, visitors.For(client.Network()).WithCost(cost))
}

// visitorsRead reports whether the call is a public read.
func (e endpoint) visitorsRead() bool { return e.public() && e.method == http.MethodGet }

// rateLimitError returns RateLimited with Retry-After.
func rateLimitError(retryAfter time.Duration) error {
	return fault.Retry(fault.RateLimited, retryAfter, "too_many_attempts", "Too many attempts. Please try again later.")
}

func (s *Server) logRateLimit(ctx context.Context, e endpoint, c *call) {
	s.securityEvent(ctx, slog.LevelWarn, "limit reached", c.userID(), "endpoint", e.id)
}

// shownEvents are the events that the owner of the account is shown, too.
var shownEvents = map[string]accounts.EventKind{
	"account opened":               accounts.EventOpened,
	"login succeeded":              accounts.EventLogin,
	"login failed":                 accounts.EventLoginFailed,
	factorFailedEvent:              accounts.EventFactorFailed,
	clonedEvent:                    accounts.EventPasskeyCopied,
	"password changed":             accounts.EventPasswordChanged,
	"password reset asked for":     accounts.EventResetAsked,
	"password reset":               accounts.EventPasswordReset,
	"email verified":               accounts.EventEmailVerified,
	"email change asked for":       accounts.EventEmailAsked,
	"email changed":                accounts.EventEmailChanged,
	"email change undone":          accounts.EventEmailUndone,
	"authenticator app added":      accounts.EventAppAdded,
	"authenticator app removed":    accounts.EventAppRemoved,
	"passkey added":                accounts.EventPasskeyAdded,
	"passkey removed":              accounts.EventPasskeyRemoved,
	"backup codes made":            accounts.EventCodesMade,
	"other sessions ended":         accounts.EventOthersEnded,
	"withdrawals stopped by owner": accounts.EventWithdrawalsStop,
	"withdrawal confirmed":         accounts.EventWithdrawalAgreed,
}

// recordTimeout bounds how long a response waits for the record of its event.
const recordTimeout = 2 * time.Second

// securityEvent logs an event that concerns the security of an account; userID is nil if the
// account is not known. It contains ids only, never a user's input: a password may be typed into
// the username field. Events in shownEvents are recorded for the account's owner.
func (s *Server) securityEvent(ctx context.Context, level slog.Level, name string, userID *uuid.UUID, attributes ...any) {
	info := requestInfoOf(ctx)
	attributes = append(attributes, "event", name, "request_id", info.id, "address", info.address)
	if userID != nil {
		attributes = append(attributes, "user_id", userID.String())
	}
	s.logger.Log(ctx, level, "security", attributes...)
	kind, shown := shownEvents[name]
	if !shown || userID == nil {
		return
	}
	// What happened stays recorded if the client does not wait for the response.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	if err := s.accounts.RecordEvent(ctx, *userID, kind, callOf(ctx).client); err != nil {
		s.logger.WarnContext(ctx, "event of an account not recorded", "event", name, "request_id", info.id, "error", err)
	}
}

// loginEvent logs and counts the outcome of a login.
func (s *Server) loginEvent(ctx context.Context, opened accounts.SignedIn, err error) {
	countResult(s.logins, loginResults, err)
	userID := opened.Named
	switch fault.CodeOf(err) {
	case "":
		requestInfoOf(ctx).userID = userID // set on success only
		s.securityEvent(ctx, slog.LevelInfo, "login succeeded", userID)
	case fault.SecondFactorRequired:
		s.securityEvent(ctx, slog.LevelInfo, "second factor asked for", userID)
	case fault.Invalid, fault.RateLimited, fault.LoginExpired:
		if userID == nil {
			return // an incomplete form, or a login that nobody waits for
		}
		name := "second factor refused"
		if accounts.IsUnproved(err) {
			name = factorFailedEvent
		}
		s.securityEvent(ctx, slog.LevelWarn, name, userID)
	case fault.InvalidCredentials:
		s.securityEvent(ctx, slog.LevelWarn, "login failed", userID)
	case fault.Locked:
		s.securityEvent(ctx, slog.LevelWarn, "login locked", userID)
	case fault.Forbidden:
		name := "login of a disabled account"
		if accounts.IsCloned(err) {
			name = clonedEvent
		}
		s.securityEvent(ctx, slog.LevelWarn, name, userID)
	default: // an internal error, which is logged elsewhere
	}
}

const (
	clonedEvent       = "passkey copied"
	factorFailedEvent = "second factor failed"
)

// proofEvent logs that a signed-in user failed to prove the second factor.
func (s *Server) proofEvent(ctx context.Context, err error) {
	userID := callOf(ctx).userID()
	switch {
	case accounts.IsCloned(err):
		s.securityEvent(ctx, slog.LevelWarn, clonedEvent, userID)
	case accounts.IsUnproved(err):
		s.securityEvent(ctx, slog.LevelWarn, factorFailedEvent, userID)
	}
}

// acceptFailed begins what net/http logs when it cannot accept a connection.
const acceptFailed = "http: Accept error"

// serverLog handles what net/http logs. That connections cannot be accepted, usually for lack of
// file descriptors, keeps its level. Everything else is about single connections and caused by
// clients, so it is logged at debug level.
type serverLog struct{ slog.Handler }

// Handle passes a record on, at the level it is worth.
func (h serverLog) Handle(ctx context.Context, record slog.Record) error {
	if !strings.HasPrefix(record.Message, acceptFailed) {
		record.Level = slog.LevelDebug
	}
	if !h.Enabled(ctx, record.Level) {
		return nil
	}
	return h.Handler.Handle(ctx, record)
}

// Package api is the HTTP layer: routes, sessions, rate limits, wire types and the table from error
// codes to statuses. It has no business rules and no SQL, and it never moves money: it requests
// operations and waits for workers to settle them.
//
// Wire types: a domain package owns the JSON of what it also writes into the event log (chat,
// notifications, operations.View, user.Ref and the data of realtime's frames). Every other type on
// the wire is of this package, beside the handlers of its resource; types.go has those that several
// files use.
//
// huma registers the routes and describes them in the OpenAPI document. It does not validate:
// existence and roles are checked before the body is decoded, and the domain's errors have the
// texts for users.
package api

import (
	"embed"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"

	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/app/pauses"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/feedback"
	"amanat/internal/domain/moderation"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/personal"
	"amanat/internal/domain/posts"
	"amanat/internal/domain/referrals"
	"amanat/internal/domain/reports"
	"amanat/internal/domain/reviews"
	"amanat/internal/domain/trust"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
)

// services are the dependencies of the handlers. Assemble creates them.
type services struct {
	accounts   *accounts.Service
	chat       *chat.Service
	clock      clock.Clock
	db         postgres.DB
	deals      *deals.Service
	feedback   *feedback.Service
	hub        *realtime.Hub
	images     *images.Service
	limiter    *ratelimit.Limiter
	logger     *slog.Logger
	moderation *moderation.Service
	notices    *notifications.Service
	personal   *personal.Service
	posts      *posts.Service
	presence   *realtime.Presence
	referrals  *referrals.Service
	reports    *reports.Service
	reviews    *reviews.Service
	trust      *trust.Service
	waiter     *operations.Waiter
	wallet     *wallet.Service
}

// options are the settings of a Server.
type options struct {
	metrics prometheus.Registerer
	ui      fs.FS // the built UI; without index.html a page tells how to build it

	publicURL      *url.URL       // the site's URL; with https cookies are Secure
	origins        []string       // further origins that may open sockets
	trustedProxies []netip.Prefix // whose X-Forwarded-For and X-Request-Id are trusted
	operator       string         // their name and, after a comma, address; for receipts and statements
	offsets        Offsets        // of the public counters
	limits         config.Limits  // of calls; accounts enforces those on passwords and mailboxes
	adminReauth    time.Duration  // validity of re-authentication; 0: not required
	warningWords   []string       // that pages search received messages for
	pushKey        string         // of pushes, for browsers; "": there are none
}

// Server serves all HTTP requests. It is an http.Handler, safe for concurrent use.
type Server struct {
	services

	adminReauth   time.Duration
	browserCookie string
	loginCookie   string
	cookie        string
	crossOrigin   *http.CrossOriginProtection
	offsets       Offsets
	operator      string
	durations     *prometheus.HistogramVec
	limits        config.Limits
	logins        *prometheus.CounterVec
	origins       []string
	policy        string
	proxies       proxies
	pushKey       string
	secure        bool
	proofs        proofs
	downloads     *downloads
	pauses        *pauses.Gate
	inFlight      chan struct{} // one element for each request; see begin
	uploads       *uploads
	uploaded      *prometheus.CounterVec
	warningWords  []string

	document func() ([]byte, error) // the OpenAPI document, encoded on the first call
	docsPage func() ([]byte, error) // the document as HTML, rendered on the first call
	handler  http.Handler
	huma     huma.API
	routes   chi.Router // below /api
}

// newServer returns a Server. It fails if a setting is invalid.
func newServer(parts services, o options) (*Server, error) {
	secure := o.publicURL.Scheme == "https"
	s := &Server{
		services:      parts,
		adminReauth:   o.adminReauth,
		browserCookie: cookieName("amanat-browser", secure),
		cookie:        cookieName("amanat", secure),
		loginCookie:   cookieName("amanat-login", secure),
		crossOrigin:   http.NewCrossOriginProtection(),
		offsets:       o.offsets,
		operator:      o.operator,
		durations:     newDurations(),
		limits:        o.limits,
		logins:        newLogins(),
		policy:        contentPolicy(secure, o.publicURL.Host),
		proxies:       o.trustedProxies,
		pushKey:       o.pushKey,
		secure:        secure,
		warningWords:  o.warningWords,
		downloads:     newDownloads(),
		pauses:        pauses.NewGate(parts.db, parts.clock),
		inFlight:      make(chan struct{}, maxInFlight),
		uploads:       newUploads(),
		uploaded:      newUploaded(),
		routes:        chi.NewRouter(),
	}
	origin := o.publicURL.Scheme + "://" + o.publicURL.Host
	s.origins = append([]string{origin}, o.origins...)
	if err := s.crossOrigin.AddTrustedOrigin(origin); err != nil {
		return nil, fmt.Errorf("public URL: %w", err)
	}
	for _, metric := range []prometheus.Collector{s.durations, s.logins, s.uploaded} {
		if err := o.metrics.Register(metric); err != nil {
			return nil, fmt.Errorf("metrics: %w", err)
		}
	}
	pages := &spa{session: s.cookie, origin: origin, describe: s.describePage}
	if err := pages.readFiles(o.ui); err != nil {
		return nil, fmt.Errorf("UI: %w", err)
	}
	s.route()
	root := chi.NewRouter()
	root.Use(routeHead, s.identify, s.trace, s.record, s.securityHeaders, s.recoverPanics)
	root.MethodNotAllowed(s.refuseMethod)
	root.Mount("/api", s.routes)
	root.Get("/robots.txt", s.robots)
	root.Get("/sitemap.xml", s.sitemap)
	root.Get("/sitemaps/{day}", s.sitemapDay)
	root.Get("/.well-known/change-password", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, passwordPage, http.StatusFound)
	})
	root.Handle(spaRoute, pages)
	s.handler = root
	return s, nil
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// OpenAPI returns the OpenAPI 3.1 document, from which the UI's client is generated. It needs no
// running services.
func OpenAPI() ([]byte, error) {
	o := options{metrics: prometheus.NewRegistry(), publicURL: &url.URL{Scheme: "http", Host: "localhost"}, ui: embed.FS{}}
	var none services
	s, err := newServer(none, o)
	if err != nil {
		return nil, err
	}
	return s.document()
}

// routeImages registers the images, which are not part of the OpenAPI document.
func (s *Server) routeImages() {
	s.routes.Get("/images/{id}", s.image)
	s.routes.Get("/images/{id}/card", s.imageCard)
}

// route registers everything below /api.
func (s *Server) route() {
	configureHuma()
	s.routes.Use(noStore, s.refuseCrossOrigin)
	s.routes.NotFound(func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, fault.New(fault.NotFound, "no_such_address", "There is nothing at this address."))
	})
	s.routes.MethodNotAllowed(s.refuseMethod)
	s.huma = humachi.New(s.routes, humaConfig(s.cookie))
	s.registerAuth()
	s.registerLogins()
	s.registerFactor()
	s.registerEmail()
	s.registerPasskeys()
	s.registerProfiles()
	s.registerPasswords()
	s.registerSettings()
	s.registerPersonal()
	s.registerFeedback()
	s.registerOperations()
	s.registerDeals()
	s.registerDealLists()
	s.registerCancellations()
	s.registerAcceptance()
	s.registerInvites()
	s.registerProofs()
	s.registerPapers()
	s.registerSupport()
	s.registerDisputes()
	s.registerReferrals()
	s.registerWallet()
	s.registerWithdrawals()
	s.registerPayoutNumbers()
	s.registerWalletLimits()
	s.registerWalletHistory()
	s.registerMessages()
	s.registerBlocks()
	s.registerModeration()
	s.registerNotifications()
	s.registerAdmin()
	s.registerPosts()
	s.registerReviews()
	s.registerDashboard()
	s.registerPublic()
	s.registerSocket()
	s.routeImages()
	s.document = sync.OnceValues(func() ([]byte, error) { return encodeDocument(s.huma.OpenAPI()) })
	s.docsPage = sync.OnceValues(func() ([]byte, error) {
		if _, err := s.document(); err != nil { // encoding adjusts what the page shows, too
			return nil, err
		}
		return renderDocs(s.huma.OpenAPI())
	})
	s.routes.Get("/docs", s.docs)
	s.routes.Get(unsubscribePath, s.toUnsubscribePage)
	s.routes.Get("/openapi.json", s.openAPI)
}

// registerAdmin registers the calls for admins.
func (s *Server) registerAdmin() {
	s.registerAdminDeposits()
	s.registerAdminWithdrawals()
	s.registerAdminCorrections()
	s.registerPayments()
	s.registerAdminRates()
	s.registerAdminDeals()
	s.registerAdminDisputes()
	s.registerAdminUsers()
	s.registerAdminReports()
	s.registerAdminAudit()
	s.registerAdminCases()
}

// methods are the HTTP methods of endpoints.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

func (s *Server) refuseMethod(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	path := strings.TrimPrefix(r.URL.Path, "/api")
	for _, method := range methods {
		if s.routes.Match(chi.NewRouteContext(), method, path) {
			allowed = append(allowed, method)
		}
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	s.refuse(w, r, fault.New(methodNotAllowed, "wrong_method", "This address does not take this kind of request."))
}

// Bounds of a connection. Routes set their own for bodies.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second // also for bodies that are not read
	writeTimeout      = 60 * time.Second // for slow mobile networks
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 32 << 10
)

// HTTP returns an HTTP server with the timeouts that the api relies on. The caller runs it and
// shuts it down.
func (s *Server) HTTP(addr string) *http.Server {
	return &http.Server{
		Addr:              addr,
		Handler:           s,
		ErrorLog:          slog.NewLogLogger(serverLog{s.logger.Handler()}, slog.LevelWarn),
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
	}
}

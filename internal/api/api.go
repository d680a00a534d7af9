// Package api is the HTTP edge: routes, sessions, limits, the shapes on the wire and the one table from error codes to statuses. It
// holds no rule of the business and no SQL, and it never moves money: it asks for operations and waits for workers to settle them.
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
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"

	"amanat/internal/accounts"
	"amanat/internal/chat"
	"amanat/internal/clock"
	"amanat/internal/config"
	"amanat/internal/deals"
	"amanat/internal/fault"
	"amanat/internal/feedback"
	"amanat/internal/images"
	"amanat/internal/limit"
	"amanat/internal/notifications"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/posts"
	"amanat/internal/realtime"
	"amanat/internal/referrals"
	"amanat/internal/reports"
	"amanat/internal/reviews"
	"amanat/internal/wallet"
)

// Options are the parts and settings of a Server. All parts are required.
type Options struct {
	Accounts   *accounts.Service
	Chat       *chat.Service
	Clock      clock.Clock
	DB         postgres.DB
	Deals      *deals.Service
	Images     *images.Service
	Feedback   *feedback.Service
	Hub        *realtime.Hub
	Limiter    *limit.Limiter
	Logger     *slog.Logger
	Metrics    prometheus.Registerer
	Notices    *notifications.Service
	Operations *operations.Service
	Posts      *posts.Service
	Presence   *realtime.Presence
	Referrals  *referrals.Service
	Reports    *reports.Service
	Reviews    *reviews.Service
	UI         fs.FS // the built UI; without an index.html a page says how to build it
	Waiter     *operations.Waiter
	Wallet     *wallet.Service

	PublicURL      *url.URL       // where browsers reach the site; https makes cookies Secure
	Origins        []string       // other addresses of the site, from which sockets may be opened too
	TrustedProxies []netip.Prefix // whose X-Forwarded-For and X-Request-Id are believed
	Receivers      []Receiver     // the provider's numbers for deposits
	Offsets        Offsets        // of the public counters
	Limits         config.Limits  // of calls; those on passwords and mailboxes are the accounts' own
	AdminReauth    time.Duration  // how long an admin's password entry lasts for money actions; 0: it is not asked for
}

// Server answers all requests of browsers. It is an http.Handler, safe for concurrent use.
type Server struct {
	accounts   *accounts.Service
	chat       *chat.Service
	clock      clock.Clock
	db         postgres.DB
	deals      *deals.Service
	images     *images.Service
	feedback   *feedback.Service
	hub        *realtime.Hub
	limiter    *limit.Limiter
	logger     *slog.Logger
	notices    *notifications.Service
	operations *operations.Service
	posts      *posts.Service
	presence   *realtime.Presence
	referrals  *referrals.Service
	reports    *reports.Service
	reviews    *reviews.Service
	waiter     *operations.Waiter
	wallet     *wallet.Service

	adminReauth   time.Duration
	browserCookie string
	cookie        string
	crossOrigin   *http.CrossOriginProtection
	offsets       Offsets
	durations     *prometheus.HistogramVec
	limits        config.Limits
	origins       []string
	policy        string
	proxies       proxies
	receivers     []Receiver
	secure        bool
	uploads       *uploads

	document []byte // OpenAPI
	docsPage []byte // the same for people
	handler  http.Handler
	huma     huma.API
	routes   chi.Router // below /api
}

// New returns a Server. It fails when a setting makes no sense.
func New(options Options) (*Server, error) {
	secure := options.PublicURL.Scheme == "https"
	s := &Server{
		accounts:   options.Accounts,
		chat:       options.Chat,
		clock:      options.Clock,
		db:         options.DB,
		deals:      options.Deals,
		images:     options.Images,
		feedback:   options.Feedback,
		hub:        options.Hub,
		limiter:    options.Limiter,
		logger:     options.Logger,
		notices:    options.Notices,
		operations: options.Operations,
		posts:      options.Posts,
		presence:   options.Presence,
		referrals:  options.Referrals,
		reports:    options.Reports,
		reviews:    options.Reviews,
		waiter:     options.Waiter,
		wallet:     options.Wallet,

		adminReauth:   options.AdminReauth,
		browserCookie: cookieName("amanat-browser", secure),
		cookie:        cookieName("amanat", secure),
		crossOrigin:   http.NewCrossOriginProtection(),
		offsets:       options.Offsets,
		durations:     newDurations(),
		limits:        options.Limits,
		policy:        contentPolicy(secure, options.PublicURL.Host),
		proxies:       options.TrustedProxies,
		receivers:     options.Receivers,
		secure:        secure,
		uploads:       newUploads(),
		routes:        chi.NewRouter(),
	}
	origin := options.PublicURL.Scheme + "://" + options.PublicURL.Host
	s.origins = append([]string{origin}, options.Origins...)
	if err := s.crossOrigin.AddTrustedOrigin(origin); err != nil {
		return nil, fmt.Errorf("public URL: %w", err)
	}
	if err := options.Metrics.Register(s.durations); err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	pages, err := newSPA(options.UI, s.cookie)
	if err != nil {
		return nil, fmt.Errorf("UI: %w", err)
	}
	if err := s.route(); err != nil {
		return nil, err
	}
	root := chi.NewRouter()
	root.Use(s.identify, s.record, s.harden, s.rescue)
	root.MethodNotAllowed(s.refuseMethod)
	root.Mount("/api", s.routes)
	root.Handle(spaRoute, pages)
	s.handler = root
	return s, nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// OpenAPI returns the OpenAPI 3.1 document, for the UI's generated client. It needs no server beside it.
func OpenAPI() ([]byte, error) {
	s, err := New(Options{Metrics: prometheus.NewRegistry(), PublicURL: &url.URL{Scheme: "http", Host: "localhost"}, UI: embed.FS{}})
	if err != nil {
		return nil, err
	}
	return s.document, nil
}

// route registers everything below /api.
func (s *Server) route() error {
	configureHuma()
	s.routes.Use(private, s.refuseCrossOrigin)
	s.routes.NotFound(func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, fault.New(fault.NotFound, "There is nothing at this address."))
	})
	s.routes.MethodNotAllowed(s.refuseMethod)
	s.huma = humachi.New(s.routes, humaConfig(s.cookie))
	s.registerAuth()
	s.registerProfiles()
	s.registerPasswords()
	s.registerSettings()
	s.registerFeedback()
	s.registerOperations()
	s.registerDeals()
	s.registerDealLists()
	s.registerCancellations()
	s.registerSupport()
	s.registerReferrals()
	s.registerWallet()
	s.registerWalletHistory()
	s.registerMessages()
	s.registerNotifications()
	s.registerAdmin()
	s.registerAdminDeals()
	s.registerAdminUsers()
	s.registerAdminReports()
	s.registerAdminAudit()
	s.registerPosts()
	s.registerReviews()
	s.registerDashboard()
	s.registerPublic()
	s.registerSocket()
	s.routes.Get("/images/{id}", s.image)
	document, err := encodeDocument(s.huma.OpenAPI())
	if err != nil {
		return fmt.Errorf("OpenAPI document: %w", err)
	}
	s.document = document
	if s.docsPage, err = renderDocs(s.huma.OpenAPI()); err != nil {
		return fmt.Errorf("API docs: %w", err)
	}
	s.routes.Get("/docs", s.docs)
	s.routes.Get(unsubscribePath, s.toUnsubscribePage)
	s.routes.Get("/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", jsonType)
		_, _ = w.Write(s.document) // the client may be gone
	})
	return nil
}

// methods are those that endpoints may have.
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
	s.refuse(w, r, fault.New(methodNotAllowed, "This address does not take this kind of request."))
}

func newDurations() *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "amanat_http_request_duration_seconds",
		Help:    "Time to answer a request.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"method", "route", "status"})
}

// Package ui serves River UI, the page on which operators look at jobs, behind a token. It
// only shows unless changes are allowed, which then go through package repair and are in the audit
// log. What jobs say about people is hidden.
package ui

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"riverqueue.com/riverui"

	"amanat/internal/lib/clock"
	"amanat/queue/jobs"
	"amanat/queue/repair"
)

// Prefix is the path below which the page is served.
const Prefix = "/river/"

// Options configures a Handler. All are required.
type Options struct {
	DB      *pgxpool.Pool // with the worker's role
	Clock   clock.Clock
	Log     *slog.Logger
	Token   string // the password
	Changes bool   // whether jobs may be retried and cancelled, and queues paused
}

// Handler serves the page. Start must be called first.
type Handler struct {
	page    *riverui.Handler
	guarded http.Handler
	repair  *repair.Service
	token   [sha256.Size]byte
	changes bool
	log     *slog.Logger
}

// New returns a Handler.
func New(o Options) (*Handler, error) {
	client, err := jobs.NewInserter(o.DB, o.Log)
	if err != nil {
		return nil, fmt.Errorf("river ui: %w", err)
	}
	page, err := riverui.NewHandler(&riverui.HandlerOpts{
		Endpoints: riverui.NewEndpoints(client, nil), JobListHideArgsByDefault: true, Logger: o.Log, Prefix: strings.TrimSuffix(Prefix, "/"),
	})
	if err != nil {
		return nil, fmt.Errorf("river ui: %w", err)
	}
	repairs, err := repair.New(o.DB, o.Clock)
	if err != nil {
		return nil, err
	}
	h := &Handler{page: page, repair: repairs, token: sha256.Sum256([]byte(o.Token)), changes: o.Changes, log: o.Log}
	h.guarded = http.NewCrossOriginProtection().Handler(http.HandlerFunc(h.serve))
	return h, nil
}

// Start starts the counting of jobs, which ends with ctx.
func (h *Handler) Start(ctx context.Context) error { return h.page.Start(ctx) }

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	if !h.admits(r) {
		header.Set("WWW-Authenticate", `Basic realm="River UI", charset="UTF-8"`)
		refuse(w, http.StatusUnauthorized, "RIVER_UI_TOKEN is the password, with any name.")
		return
	}
	h.guarded.ServeHTTP(w, r)
}

// admits compares the token in constant time. Browsers send it as a password, scripts as a bearer
// token.
func (h *Handler) admits(r *http.Request) bool {
	_, given, ok := r.BasicAuth()
	if !ok {
		given, ok = strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	}
	sum := sha256.Sum256([]byte(given))
	return ok && subtle.ConstantTimeCompare(sum[:], h.token[:]) == 1
}

func (h *Handler) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.change(w, r)
	case r.URL.Path == Prefix+"api/jobs" || strings.HasPrefix(r.URL.Path, Prefix+"api/jobs/"):
		h.serveRedacted(w, r)
	default:
		h.page.ServeHTTP(w, r)
	}
}

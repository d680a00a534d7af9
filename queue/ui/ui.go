// Package ui serves River UI, the page on which operators look at jobs, behind a token. It
// only shows: jobs are changed with the commands of amanat, which write the audit log. What jobs
// say about people is hidden.
package ui

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"riverqueue.com/riverui"

	"amanat/queue/jobs"
)

// Prefix is the path below which the page is served.
const Prefix = "/river/"

// Handler serves the page. Start must be called first.
type Handler struct {
	page  *riverui.Handler
	token [sha256.Size]byte
	log   *slog.Logger
}

// New returns a Handler. db has the worker's role, and token is the password.
func New(db *pgxpool.Pool, log *slog.Logger, token string) (*Handler, error) {
	client, err := jobs.NewInserter(db, log)
	if err != nil {
		return nil, fmt.Errorf("river ui: %w", err)
	}
	page, err := riverui.NewHandler(&riverui.HandlerOpts{
		Endpoints: riverui.NewEndpoints(client, nil), JobListHideArgsByDefault: true, Logger: log, Prefix: strings.TrimSuffix(Prefix, "/"),
	})
	if err != nil {
		return nil, fmt.Errorf("river ui: %w", err)
	}
	return &Handler{page: page, token: sha256.Sum256([]byte(token)), log: log}, nil
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
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		refuse(w, http.StatusForbidden, "River UI only shows jobs here. Use amanat jobs and amanat queues.")
	case r.URL.Path == Prefix+"api/jobs" || strings.HasPrefix(r.URL.Path, Prefix+"api/jobs/"):
		h.serveRedacted(w, r)
	default:
		h.page.ServeHTTP(w, r)
	}
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

// refuse answers with an error in the form that the page shows.
func refuse(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, map[string]string{"message": message})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // fails only if the client is gone
}

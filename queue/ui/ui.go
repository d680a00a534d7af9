// Package ui serves River UI, the page on which operators look at jobs, behind a token. It
// only shows: jobs are changed with the commands of amanat, which write the audit log. What jobs
// say about people is hidden.
package ui

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"strings"

	"github.com/google/uuid"
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

const hidden = "(hidden)"

// serveRedacted serves jobs without what they say about people. An answer that cannot be read is
// not passed on.
func (h *Handler) serveRedacted(w http.ResponseWriter, r *http.Request) {
	answer := &buffer{header: http.Header{}}
	h.page.ServeHTTP(answer, r)
	if answer.status != http.StatusOK {
		maps.Copy(w.Header(), answer.header)
		w.WriteHeader(answer.status)
		_, _ = w.Write(answer.body.Bytes()) // fails only if the client is gone
		return
	}
	redacted, err := redact(answer.body.Bytes())
	if err != nil {
		h.log.ErrorContext(r.Context(), "River UI: answer not understood", "error", err)
		refuse(w, http.StatusInternalServerError, "The answer of River UI was not understood.")
		return
	}
	writeJSON(w, http.StatusOK, redacted)
}

// buffer is a response in memory. A list has at most 1,000 jobs.
type buffer struct {
	header http.Header
	body   bytes.Buffer
	status int
}

// Header implements http.ResponseWriter.
func (b *buffer) Header() http.Header { return b.header }

// Write implements http.ResponseWriter.
func (b *buffer) Write(p []byte) (int, error) {
	if b.status == 0 {
		b.status = http.StatusOK
	}
	return b.body.Write(p)
}

// WriteHeader implements http.ResponseWriter.
func (b *buffer) WriteHeader(status int) { b.status = status }

// redact hides personal data in a job, or in a list of jobs below data.
func redact(body []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber() // ids do not fit into a float
	var answer map[string]any
	if err := decoder.Decode(&answer); err != nil {
		return nil, err
	}
	list, isList := answer["data"].([]any)
	if !isList {
		return answer, redactJob(answer)
	}
	for _, item := range list {
		job, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("a job is a %T", item)
		}
		if err := redactJob(job); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// redactJob hides the arguments that are no ids or names of ours, and addresses in errors. The
// arguments are JSON in a string.
func redactJob(job map[string]any) error {
	if text, ok := job["args"].(string); ok {
		var args any
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&args); err != nil {
			return err
		}
		shown, err := json.Marshal(shownValue("", args))
		if err != nil {
			return err
		}
		job["args"] = string(shown)
	}
	if metadata, ok := job["metadata"].(map[string]any); ok {
		job["metadata"] = shownMetadata(metadata)
	}
	failures, _ := job["errors"].([]any)
	for _, item := range failures {
		if failure, ok := item.(map[string]any); ok {
			failure["error"] = withoutAddresses(failure["error"])
			failure["trace"] = withoutAddresses(failure["trace"])
		}
	}
	return nil
}

// shownArguments are the arguments whose strings are names of ours.
var shownArguments = map[string]bool{"mail_kind": true, "notice_kind": true}

func shownValue(name string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			v[key] = shownValue(key, inner)
		}
	case []any:
		for i, inner := range v {
			v[i] = shownValue(name, inner)
		}
	case string:
		if _, err := uuid.Parse(v); err != nil && !shownArguments[name] && v != "" {
			return hidden
		}
	case json.Number:
		return hidden // may be an amount or a phone number
	}
	return value
}

// shownMetadata keeps what finds the call, its trace and River's own marks.
func shownMetadata(metadata map[string]any) map[string]any {
	shown := map[string]any{}
	for key, value := range metadata {
		switch {
		case key == "request_id", key == "traceparent", key == "periodic", strings.HasPrefix(key, "river:"), key == "cancel_attempted_at":
			shown[key] = value
		default:
			shown[key] = hidden
		}
	}
	return shown
}

// personal matches addresses of mail and telephone numbers.
var personal = regexp.MustCompile(`[^\s<>"'()]+@[^\s<>"'()]+|\+?\d{10,}`)

func withoutAddresses(text any) any {
	if s, ok := text.(string); ok {
		return personal.ReplaceAllString(s, hidden)
	}
	return text
}

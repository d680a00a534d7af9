package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"amanat/queue/ui"
)

const (
	bkashPath  = "/dev/bkash"
	maxDevBody = 4 << 10
	maxAdvance = 10 * 365 * 24 * time.Hour
)

// devRoutes adds this command's own routes in front of the site. pass moves the clock forward.
func devRoutes(
	site, riverUI, phone, bkash http.Handler, s *servers, clock *businessClock, pass func(ctx context.Context, step time.Duration) error,
) http.Handler {
	dev := http.NewServeMux()
	if s.mail != nil {
		dev.Handle("/dev/mail", s.mail)
	} else {
		dev.HandleFunc("/dev/mail", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "Mail goes to the server that SMTP_URL names.", http.StatusNotFound)
		})
	}
	dev.HandleFunc("GET /dev/clock", func(w http.ResponseWriter, _ *http.Request) { writeClock(w, clock) })
	dev.HandleFunc("POST /dev/clock", func(w http.ResponseWriter, r *http.Request) { advanceClock(w, r, clock, pass) })

	dev.Handle("GET /dev/phone", phone)
	dev.Handle("POST /dev/phone", phone)
	dev.Handle(bkashPath+"/", http.StripPrefix(bkashPath, bkash))
	dev.Handle(ui.Prefix, riverUI)

	guarded := http.NewCrossOriginProtection().Handler(localOnly(dev))
	// A shared mux would clean the site's paths, which no deployment does.
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/dev/") || strings.HasPrefix(r.URL.Path, ui.Prefix) {
			guarded.ServeHTTP(w, r)
			return
		}
		site.ServeHTTP(w, r)
	})
}

// localOnly refuses requests for hosts other than this machine, as another site's page could send
// by DNS rebinding.
func localOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
			http.Error(w, http.StatusText(http.StatusForbidden), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// clockAnswer is the response body of both clock routes.
type clockAnswer struct {
	Now    time.Time `json:"now"`
	Offset string    `json:"offset"` // ahead of the machine's clock
}

func writeClock(w http.ResponseWriter, clock *businessClock) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	// Fails only if the caller is gone.
	_ = json.NewEncoder(w).Encode(clockAnswer{Now: clock.Now(), Offset: clock.Advance(0).String()})
}

func advanceClock(
	w http.ResponseWriter, r *http.Request, clock *businessClock, pass func(ctx context.Context, step time.Duration) error,
) {
	step, err := readAdvance(http.MaxBytesReader(w, r.Body, maxDevBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := pass(r.Context(), step); err != nil {
		slog.ErrorContext(r.Context(), "clock not moved", "error", err)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	writeClock(w, clock)
}

func readAdvance(body io.Reader) (time.Duration, error) {
	var in struct {
		Advance string `json:"advance"`
	}
	if err := json.NewDecoder(body).Decode(&in); err != nil {
		return 0, errors.New(`body must be JSON, as in {"advance": "72h"}`)
	}
	step, err := time.ParseDuration(in.Advance)
	if err != nil || step < 0 || step > maxAdvance {
		return 0, errors.New(`advance must be a duration from "0s" to ten years, as in "72h" or "90m"`)
	}
	return step, nil
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/config"
	"amanat/internal/lib/postgres"
)

// running is a stack that a test has started.
type running struct {
	t    *testing.T
	url  string
	stop func()
}

// startLocal runs the command with the data folder until the test ends or calls stop.
func startLocal(t *testing.T, dir string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	reader, writer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, config.Local{DataDir: dir}, writer)
		_ = writer.Close()
	}()
	var address string
	for lines := bufio.NewScanner(reader); address == ""; {
		if !lines.Scan() {
			require.FailNow(t, "Amanat ended", "%v", <-ended)
		}
		_, address, _ = strings.Cut(lines.Text(), "running at ")
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	stopped := false
	r := &running{t: t, url: address, stop: func() {
		if !stopped {
			stopped = true
			cancel()
			require.NoError(t, <-ended)
		}
	}}
	t.Cleanup(r.stop)
	return r
}

func (r *running) get(path string, into any) {
	r.t.Helper()
	r.decode(r.send(http.MethodGet, path, "", http.StatusOK), into)
}

func (r *running) send(method, path, body string, status int) []byte {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, strings.NewReader(body))
	require.NoError(r.t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(r.t, err)
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	require.NoError(r.t, err)
	require.Equal(r.t, status, response.StatusCode, string(answer))
	return answer
}

func (r *running) decode(answer []byte, into any) {
	r.t.Helper()
	require.NoError(r.t, json.Unmarshal(answer, into))
}

func (r *running) as(username string) *person {
	r.t.Helper()
	p, err := signIn(r.t.Context(), r.url, username, demoPassword)
	require.NoError(r.t, err)
	return p
}

type summary struct {
	Wallet, InEscrow, PendingWithdrawal float64
}

func (r *running) wallet(p *person) summary {
	r.t.Helper()
	var s summary
	require.NoError(r.t, p.call(r.t.Context(), http.MethodGet, "/wallet", nil, &s))
	return s
}

// The first start, a restart, and the data that must survive it.
func TestLocal(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	r := startLocal(t, dir)
	demoIsAlive(t, r)
	clockMoves(t, r)

	before := r.wallet(r.as("buyer"))
	r.stop()
	require.NoFileExists(t, filepath.Join(dir, seedingFile))

	began := time.Now()
	r = startLocal(t, dir)
	require.Less(t, time.Since(began), 30*time.Second)
	require.Equal(t, before, r.wallet(r.as("buyer")), "the demo is told once")
	var now clockAnswer
	r.get("/dev/clock", &now)
	require.Equal(t, "72h0m0s", now.Offset, "business time does not run backwards")
	r.stop()

	// If the process was killed while creating the demo data, it starts over.
	require.NoError(t, os.WriteFile(filepath.Join(dir, seedingFile), nil, 0o600))
	r = startLocal(t, dir)
	require.Equal(t, summary{Wallet: 500, InEscrow: 265}, r.wallet(r.as("buyer")))
	require.NoFileExists(t, filepath.Join(dir, seedingFile))
}

// Until the first release migrations are edited in place, so the data may be of another chain.
func TestLocal_other_migrations(t *testing.T) {
	t.Parallel()
	env := config.Local{DataDir: dataDir(t)}
	s := &stack{env: env, out: io.Discard}
	require.NoError(t, s.servers.startDatabase(t.Context(), env))
	conn, err := pgx.Connect(t.Context(), s.servers.ownerURL)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `
		create table schema_migrations (version int primary key, name text not null, checksum text not null, applied_at timestamptz not null);
		insert into schema_migrations values (1, 'accounts', 'of another text', now())`)
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
	require.NoError(t, s.servers.stop())

	err = run(t.Context(), env, io.Discard)
	require.ErrorIs(t, err, postgres.ErrOtherMigrations)
	require.ErrorContains(t, err, "`make reset` deletes the data in "+env.DataDir)
}

// dataDir returns a temporary folder. It also deletes the folder that a link in it may point to.
func dataDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() {
		if target, err := filepath.EvalSymlinks(filepath.Join(dir, "postgres")); err == nil {
			require.NoError(t, os.RemoveAll(target))
		}
	})
	return dir
}

// offerIsAlive requires that one deal proposed by a buyer waits for the seller, and that all others
// are accepted.
func offerIsAlive(t *testing.T, r *running) {
	t.Helper()
	var deals []struct {
		Status     string
		AcceptedAt *time.Time
	}
	require.NoError(t, r.as("seller").call(t.Context(), http.MethodGet, "/deals/my-deals", nil, &deals))
	for i, deal := range deals {
		require.Equal(t, i > 0, deal.AcceptedAt != nil, "only the newest one waits")
	}
	require.Equal(t, "Pending", deals[0].Status)
}

func demoIsAlive(t *testing.T, r *running) {
	t.Helper()
	buyer := r.as("buyer")
	require.Equal(t, summary{Wallet: 500, InEscrow: 265}, r.wallet(buyer))
	var deals []struct{ Status string }
	require.NoError(t, buyer.call(t.Context(), http.MethodGet, "/deals/my-deals", nil, &deals))
	var statuses []string
	for _, deal := range deals {
		statuses = append(statuses, deal.Status)
	}
	require.Equal(t, []string{
		"Pending", "Active", "Delivered", "Cancelled by Seller",
		"Completed", "Completed", "Completed", "Completed",
		"Late", "Cancelled by Buyer", "Cancelled", "Completed",
	}, statuses, "newest first")
	offerIsAlive(t, r)

	marketIsAlive(t, buyer)

	var inbox []struct {
		LastMessage string
		Unread      bool
	}
	require.NoError(t, buyer.call(t.Context(), http.MethodGet, "/messages/conversations", nil, &inbox))
	require.Len(t, inbox, 3)
	require.True(t, inbox[0].Unread)
	require.Contains(t, inbox[0].LastMessage, "to your mail")

	var deposits struct {
		Deposits []struct {
			Amount     float64
			Status     string
			ReasonCode string
			CreatedAt  time.Time
		}
	}
	require.NoError(t, buyer.call(t.Context(), http.MethodGet, "/auth/deposit/history", nil, &deposits))
	require.Len(t, deposits.Deposits, 4)
	require.Equal(t, "pending", deposits.Deposits[0].Status)
	require.Equal(t, "other_amount", deposits.Deposits[1].ReasonCode)
	require.InDelta(t, 500, deposits.Deposits[3].Amount, 0)
	require.Equal(t, "completed", deposits.Deposits[3].Status)
	require.Greater(t, time.Since(deposits.Deposits[3].CreatedAt), seedSpan-day, "the story began a while ago")

	var admin struct{ IsAdmin bool }
	require.NoError(t, r.as("admin").call(t.Context(), http.MethodGet, "/auth/check", nil, &admin))
	require.True(t, admin.IsAdmin)
	var requests []struct{ ClosedAt *time.Time }
	require.NoError(t, r.as("admin").call(t.Context(), http.MethodGet, "/admin/support-request", nil, &requests))
	require.Len(t, requests, 1)
	require.Nil(t, requests[0].ClosedAt)
	queuesAreBusy(t, r.as("admin"))
	require.InDelta(t, 76.64, r.wallet(r.as("seller")).Wallet, 0)

	require.Eventually(t, func() bool {
		var mails []struct{ To, Subject string }
		r.get("/dev/mail?format=json", &mails)
		return len(mails) > 0 && strings.HasSuffix(mails[0].To, "@amanat.example") && mails[0].Subject != ""
	}, 10*time.Second, 50*time.Millisecond)
}

func clockMoves(t *testing.T, r *running) {
	t.Helper()
	var before, after clockAnswer
	r.get("/dev/clock", &before)
	require.Equal(t, "0s", before.Offset, "the story has caught up with the present")
	require.WithinDuration(t, time.Now(), before.Now, 5*time.Second)
	buyer, seller := r.as("buyer"), r.as("seller")
	earned := r.wallet(seller).Wallet
	r.decode(r.send(http.MethodPost, "/dev/clock", `{"advance": "72h"}`, http.StatusOK), &after)
	require.Equal(t, "72h0m0s", after.Offset)
	require.WithinDuration(t, before.Now.Add(72*time.Hour), after.Now, 5*time.Second)
	require.Positive(t, r.wallet(buyer).Wallet, "nobody is signed out")
	require.Eventually(t, func() bool { return r.wallet(seller).Wallet > earned }, 15*time.Second, 50*time.Millisecond,
		"the deal whose time to check is over pays by itself, well before the clock's next minute")
	for _, body := range []string{`{"advance": "-1h"}`, `{"advance": "soon"}`, `{}`, ``, `{"advance": "900000h"}`} {
		r.send(http.MethodPost, "/dev/clock", body, http.StatusBadRequest)
	}
}

func TestDevRoutes(t *testing.T) {
	t.Parallel()
	clock, err := openClock(t.TempDir(), 0)
	require.NoError(t, err)
	site := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	pass := func(context.Context, time.Duration) error { return nil }
	none := http.NotFoundHandler()
	handler := devRoutes(site, none, none, none, &servers{}, clock, pass)
	for _, c := range []struct {
		host, path, origin string
		status             int
	}{
		{"localhost:8080", "/dev/clock", "", http.StatusOK},
		{"127.0.0.1", "/dev/clock", "", http.StatusOK},
		{"[::1]:8080", "/dev/clock", "http://[::1]:8080", http.StatusOK},
		{"localhost:8080", "/dev/clock", "https://evil.example", http.StatusForbidden},
		{"evil.example:8080", "/dev/clock", "", http.StatusForbidden},
		{"10.0.0.1", "/dev/clock", "", http.StatusForbidden},
		{"localhost:8080", "/dev/mail", "", http.StatusNotFound},
		{"localhost:8080", "/dev/other", "", http.StatusNotFound},
		{"amanat.example", "/deal/1", "https://amanat.example", http.StatusTeapot},
		{"amanat.example", "//api/../x", "", http.StatusTeapot},
	} {
		t.Run(c.host+c.path+" "+c.origin, func(t *testing.T) {
			t.Parallel()
			request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+c.host+c.path,
				strings.NewReader(`{"advance":"1s"}`))
			if c.origin != "" {
				request.Header.Set("Origin", c.origin)
			}
			recorder := httptest.NewRecorder()
			handler.ServeHTTP(recorder, request)
			require.Equal(t, c.status, recorder.Code)
		})
	}
}

func TestOpenClock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clock, err := openClock(dir, 0)
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, clock.advance(36*time.Hour))
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	again, err := openClock(dir, 12*time.Hour)
	require.NoError(t, err)
	require.Equal(t, 96*time.Hour, again.Advance(0))

	require.NoError(t, os.WriteFile(filepath.Join(dir, clockFile), []byte("?"), 0o600))
	_, err = openClock(dir, 0)
	require.ErrorContains(t, err, clockFile)
}

// marketIsAlive requires posts in every category, more than a page of them and most with a picture,
// and a seller with reviews.
func marketIsAlive(t *testing.T, p *person) {
	t.Helper()
	pictures := 0
	for category, count := range map[string]int{"Freelance Service": 3, "Physical Product": 5, "Online Asset": 6} {
		var listing struct {
			Posts []struct{ Image string }
		}
		require.NoError(t, p.call(t.Context(), http.MethodGet, "/posts/public?category="+url.QueryEscape(category), nil, &listing))
		require.Len(t, listing.Posts, count, category)
		for _, post := range listing.Posts {
			if post.Image != "" {
				pictures++
			}
		}
	}
	require.Equal(t, 12, pictures)

	var profile struct {
		ReviewCount  int
		SuccessScore *int
	}
	require.NoError(t, p.call(t.Context(), http.MethodGet, "/auth/profile/seller", nil, &profile))
	require.Positive(t, profile.ReviewCount)
	require.Equal(t, 63, *profile.SuccessScore, "five of eight")
}

// The keys stay the same over restarts, since browsers' subscriptions end with them.
func TestSetPushKeys(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var api, later config.API
	var worker, laterWorker config.Worker
	require.NoError(t, setPushKeys(folder, &api, &worker))
	require.NoError(t, worker.PushKeys().Check())
	require.Equal(t, api.VAPIDPublicKey, worker.VAPIDPublicKey)
	require.NoError(t, setPushKeys(folder, &later, &laterWorker))
	require.Equal(t, worker, laterWorker)

	given := config.API{Shared: config.Shared{VAPIDPublicKey: "given"}}
	var none config.Worker
	require.NoError(t, setPushKeys(t.TempDir(), &given, &none))
	require.Equal(t, "given", given.VAPIDPublicKey)
	require.Empty(t, none.VAPIDPrivateKey)

	require.NoError(t, os.WriteFile(filepath.Join(folder, pushKeysFile), []byte(`{"Public": "x", "Private": "y"}`), 0o600))
	require.ErrorContains(t, setPushKeys(folder, new(config.API), new(config.Worker)), pushKeysFile)
}

// queuesAreBusy requires that each of the admin's pages has something to do.
func queuesAreBusy(t *testing.T, admin *person) {
	t.Helper()
	total := func(path string) int {
		var answer struct{ Total int }
		require.NoError(t, admin.call(t.Context(), http.MethodGet, path, nil, &answer))
		return answer.Total
	}
	require.Equal(t, 4, total("/admin/deposits?status=pending"))
	require.Equal(t, 2, total("/admin/deposits?status=Failed"))
	require.Equal(t, 2, total("/admin/withdrawals?status=pending"))
	require.Equal(t, 1, total("/admin/withdrawals?status=held"))
	require.Equal(t, 1, total("/admin/reports?status=open"))
	require.Equal(t, 1, total("/admin/disputes?status=open"))
	for _, path := range []string{"/admin/bug-reports", "/admin/contact-messages"} {
		var rows []resource
		require.NoError(t, admin.call(t.Context(), http.MethodGet, path, nil, &rows))
		require.Len(t, rows, 1, path)
	}
}

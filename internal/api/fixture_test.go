package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/lib/tracing"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
	"amanat/queue/trace"
	"amanat/queue/workers"
)

// fixture runs the product without Redis and mail: an HTTP server with the api's database role and,
// after work, workers with theirs.
type fixture struct {
	t         testing.TB
	url       string
	config    config.API
	clock     *clock.Offset
	owner     *pgxpool.Pool // to set up and inspect rows
	accounts  *accounts.Service
	waiter    *operations.Waiter
	hub       *realtime.Hub
	apiDB     *pgxpool.Pool
	workerDB  *pgxpool.Pool
	log       *logBuffer
	met       *meetings
	popUps    *popUps
	worklists *worklists
	metrics   *prometheus.Registry
	smtpURL   string // of the workers; by default nothing listens there
}

// cheapHash halves the CPU time of these tests, which sign up and log in often.
var cheapHash = accounts.HashCost{MemoryKiB: 64, Time: 1}

// newFixture returns a fixture without workers; configure may change its settings.
func newFixture(tb testing.TB, configure ...func(*config.API)) *fixture {
	tb.Helper()
	db := dbtest.New(tb)
	f := &fixture{
		t: tb, clock: clock.NewOffset(0), owner: db.Owner(), apiDB: db.API(), workerDB: db.Worker(),
		waiter: operations.NewWaiter(db.API(), 2*time.Second), log: &logBuffer{}, met: &meetings{}, popUps: &popUps{},
		worklists: &worklists{}, metrics: prometheus.NewRegistry(), smtpURL: "smtp://127.0.0.1:1",
	}
	f.accounts = accounts.New(accounts.Options{DB: db.API(), Clock: f.clock, HashCost: cheapHash})
	server := httptest.NewUnstartedServer(nil)
	f.url = "http://" + server.Listener.Addr().String()
	f.config = config.API{
		Receivers: config.Receivers{
			{Method: "Bkash", Number: "01700000001", Day: config.NoCap, Month: config.NoCap},
			{Method: "Nagad", Number: "01800000002", Day: config.NoCap, Month: config.NoCap},
		},
		PublicUserOffset: 12499, PublicUSDOffset: 45499,
		AdminReauth: 15 * time.Minute,
		Shared: config.Shared{PublicURL: f.url, WithdrawalHold: 24 * time.Hour, MinWithdrawal: 1_00, Limits: config.Limits{
			MaxPendingWithdrawals: 5, Sockets: 10, SocketFrameBytes: 4 << 10, SocketFramesLimit: ratelimit.Rate{Count: 20, Per: 2 * time.Second},
		}},
	}
	for _, change := range configure {
		change(&f.config)
	}
	log := slog.New(slog.NewJSONHandler(f.log, nil))
	inserter, err := jobs.NewInserter(db.API(), quiet(), trace.Insert())
	require.NoError(tb, err)
	handler, err := api.Assemble(api.Dependencies{
		Config: f.config, Clock: f.clock, DB: db.API(), Jobs: inserter, Limiter: ratelimit.New(ratelimit.Options{Clock: f.clock}),
		Link: realtime.NewLink(noRedis(), quiet()), Logger: log, Messages: messenger{f.waiter, f.met, f.popUps, f.worklists},
		Metrics: f.metrics, Redis: noRedis(), UI: builtUI(), Waiter: f.waiter, HashCost: cheapHash,
	})
	require.NoError(tb, err)
	f.hub = handler.Hub()
	server.Config.Handler = handler
	server.Start()
	tb.Cleanup(server.Close)
	return f
}

// noRedis returns a client of an address where no server listens.
func noRedis() *redis.Client { return redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"}) }

// serveSockets runs the hub. Without Redis it reads events from the log, within two seconds.
func (f *fixture) serveSockets() {
	f.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); f.hub.Run(ctx) }()
	f.t.Cleanup(func() { stop(); <-ended })
}

func builtUI() fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	document := func(language, body string) *fstest.MapFile {
		return file(`<!doctype html>
<html lang="` + language + `"><head>
    <title>` + body + ` &amp; more</title>
    <meta name="description" content="About ` + body + `" />
  </head><body>` + body + `</body></html>`)
	}
	card, err := os.ReadFile("../../ui/public/share.jpg")
	must(err)
	return fstest.MapFS{
		"share.jpg":                file(string(card)),
		"index.html":               file("<!doctype html>"),
		"visitor/index.html":       document("en", "no session"),
		"visitor/en/index.html":    document("en", "landing in English"),
		"visitor/bn/index.html":    document("bn", "landing in Bangla"),
		"visitor/en/terms.html":    document("en", "terms in English"),
		"visitor/bn/terms.html":    document("bn", "terms in Bangla"),
		"member/deal/$dealId.html": document("en", "a deal"),
		"member/posts/create.html": document("en", "a new post"),
		"mark.svg":                 file("a mark"),
		"manifest.webmanifest":     file("{}"),
		"service-worker.js":        file("a worker"),
		"assets/index-abc.js":      file("plain"),
		"assets/index-abc.js.br":   file("brotli"),
		"assets/index-abc.js.gz":   file("gzip"),
		".vite/manifest.json":      file("{}"),
		"assets/font-abc.woff2":    file("font"),
		"assets/style-abc.css":     file("css"),
		"assets/style-abc.css.gz":  file("gzip"),
	}
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// messenger passes settled operations from the workers to the api within the process.
type messenger struct {
	waiter *operations.Waiter
	met    *meetings
	popUps *popUps
	admins *worklists
}

func (m messenger) PublishFrame(userID uuid.UUID, frame realtime.Frame) { m.popUps.note(userID, frame) }
func (m messenger) PublishAdmins(frame realtime.Frame)                  { m.admins.note(frame) }
func (messenger) Online(context.Context, []uuid.UUID) (map[uuid.UUID]struct{}, error) {
	return map[uuid.UUID]struct{}{}, nil
}
func (messenger) SessionEnded(uuid.UUID)                {}
func (messenger) SessionsEnded(uuid.UUID, *uuid.UUID)   {}
func (m messenger) OperationSettled(id uuid.UUID)       { m.waiter.Settled(id) }
func (m messenger) Publish(channel string, payload any) { m.met.note(channel, payload) }

// work starts workers for the money and notify queues and those in more. stop stops them before
// the end of the test.
func (f *fixture) work(more ...string) (stop func()) {
	f.t.Helper()
	process, err := workers.Assemble(workers.Dependencies{
		Config: config.Worker{
			SMTPURL: f.smtpURL, MailFrom: "Amanat <no-reply@example.com>", SupportEmail: "support@example.com",
			SoftStop: 5 * time.Second, ReferralShare: 100, Shared: f.config.Shared,
		},
		Clock: f.clock, DB: f.workerDB, QueueDB: f.workerDB,
		Logger:   slog.New(tracing.LogHandler(slog.NewJSONHandler(f.log, nil))),
		Messages: messenger{f.waiter, f.met, f.popUps, f.worklists}, Queues: append(more, jobs.QueueMoney, jobs.QueueNotify),
	})
	require.NoError(f.t, err)
	require.NoError(f.t, process.Start(f.t.Context()))
	stop = sync.OnceFunc(func() {
		// The test's context has ended.
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = process.Stop(ctx)
		<-process.Stopped()
	})
	f.t.Cleanup(stop)
	return stop
}

// logBuffer holds the output of the server's log.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// browser is one browser: it keeps cookies.
type browser struct {
	t       testing.TB
	fixture *fixture
	http    *http.Client
	user    api.User // once signed in
}

func (f *fixture) visitor() *browser {
	f.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(f.t, err)
	return &browser{t: f.t, fixture: f, http: &http.Client{Jar: jar, Transport: throughPrism{}}}
}

const password = "river-stone-42"

// member returns the browser of a new user who has signed up.
func (f *fixture) member(username string) *browser {
	f.t.Helper()
	b := f.visitor()
	b.post("/auth/signup", fields{"username": username, "email": username + "@example.com", "password": password, "referredBy": nil}).
		want(http.StatusCreated).into(&b.user)
	return b
}

// admin returns the browser of a new user with the admin role.
func (f *fixture) admin(username string) *browser {
	f.t.Helper()
	b := f.member(username)
	_, err := accounts.New(accounts.Options{DB: f.owner, Clock: f.clock}).GrantAdmin(f.t.Context(), username, "")
	require.NoError(f.t, err)
	return b
}

type fields map[string]any

func (b *browser) get(path string) reply { b.t.Helper(); return b.do(http.MethodGet, path, nil) }

func (b *browser) post(path string, body any, headers ...string) reply {
	b.t.Helper()
	return b.do(http.MethodPost, path, body, headers...)
}

// do sends a request below /api. A string body is sent as it is, any other value as JSON; headers
// alternates names and values.
func (b *browser) do(method, path string, body any, headers ...string) reply {
	b.t.Helper()
	var reader io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(body)
	default:
		encoded, err := json.Marshal(body)
		require.NoError(b.t, err)
		reader = bytes.NewReader(encoded)
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.fixture.url+"/api"+path, reader)
	require.NoError(b.t, err)
	if reader != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := b.http.Do(r)
	require.NoError(b.t, err)
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	answer := reply{b.t, response.StatusCode, response.Header, content}
	theContract().requireDocumented(b.t, method, path, answer)
	return answer
}

type reply struct {
	t      testing.TB
	status int
	header http.Header
	body   []byte
}

func (r reply) want(status int) reply {
	r.t.Helper()
	require.Equal(r.t, status, r.status, string(r.body))
	return r
}

func (r reply) into(value any) {
	r.t.Helper()
	require.NoError(r.t, json.Unmarshal(r.body, value), string(r.body))
}

// refused requires an error response with the given status, code and message.
func (r reply) refused(status int, code, message string) failure {
	r.t.Helper()
	r.want(status)
	var f failure
	r.into(&f)
	require.Equal(r.t, code, f.Code)
	require.Equal(r.t, message, f.Message)
	return f
}

type failure struct {
	Message   string
	Code      string
	Reason    string
	Fields    map[string]string
	Shortfall *json.Number
}

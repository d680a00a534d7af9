package system

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/clock"
	"amanat/internal/testing/dbtest"
)

const (
	softStop     = 5 * time.Second  // of workers
	drainBound   = 10 * time.Second // of apis, which first become unready for a while
	allQueues    = "money,mail,notify,maintenance"
	settleBound  = 60 * time.Second // after any single crash (docs/rules.md#money-calls)
	operatorWait = time.Minute      // for a command of cmd/amanat
)

// system is an Amanat installation with its own servers and the processes that a test starts.
type system struct {
	t     *testing.T
	build *build
	db    *dbtest.DB
	redis *dbtest.RedisServer
	mails *localstack.MailCatcher

	mu   sync.Mutex
	apis []*process // requests go to these in turn
	turn int
	runs map[string]int // number of processes started, by program
}

// newSystem starts the servers, but no process.
func newSystem(t *testing.T, b *build) *system {
	t.Helper()
	mails, err := localstack.StartMail(context.WithoutCancel(t.Context()), clock.System{}.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = mails.Stop() })
	s := &system{t: t, build: b, db: dbtest.New(t), redis: dbtest.Redis(t), mails: mails, runs: map[string]int{}}
	// Open the pool first: cleanups run in reverse order, so it is closed after the processes have
	// ended.
	s.db.Owner()
	return s
}

// startAPI starts an api. The given settings override the defaults.
func (s *system) startAPI(settings ...string) *process {
	s.t.Helper()
	return launch(s.t, s.name("api"), spec{program: s.build.program(s.t, "api"), env: append([]string{
		"DATABASE_URL=" + s.db.APIURL, "DATABASE_MAX_CONNS=8", "REDIS_URL=" + s.redis.URL,
		"RECEIVERS=Bkash:01711000000:merchant,Nagad:01811000000:merchant", passwordAdmins,
	}, append(unlimited(), settings...)...)})
}

// largeCredits lets a single admin approve the deposits that the load users start with.
const largeCredits = "CREDIT_SECOND_ADMIN=0"

// passwordAdmins lets the tests' admins act without a second factor.
const passwordAdmins = "ADMIN_SECOND_FACTOR=false"

// unlimited turns off the limits of an api: the load comes from a few new users at one address.
func unlimited() []string {
	return []string{
		largeCredits, "TRUST_LIMITS=off",
		"LIMITS=max-pending-deposits=1000000,max-posts=1000000,max-posts-new=1000000,signup=off,mailbox=off,mail-domain=off,posts=off," +
			"posts-day=off,post-edits=off,messages=off,conversations=off,conversations-day=off,deals=off,deals-day=off,deposit=off," +
			"withdrawals=off,reviews=off,support=off,profile=off,pictures=off",
	}
}

// startWorker starts a worker for the given queues. The given settings override the defaults.
func (s *system) startWorker(queues string, settings ...string) *process {
	s.t.Helper()
	return launch(s.t, s.name("worker"), spec{program: s.build.program(s.t, "worker"), env: append([]string{
		"QUEUES=" + queues,
		"DATABASE_URL=" + s.db.WorkerURL, "DATABASE_MAX_CONNS=12", "REDIS_URL=" + s.redis.URL,
		"SMTP_URL=" + s.mails.URL(), "MAIL_FROM=Amanat <no-reply@amanat.test>", "SOFT_STOP=" + softStop.String(),
		"SUPPORT_EMAIL=support@amanat.test", largeCredits,
	}, settings...)})
}

func (s *system) name(program string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs[program]++
	return fmt.Sprintf("%s-%d", program, s.runs[program])
}

// serve makes requests go to these apis in turn from now on.
func (s *system) serve(apis ...*process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.apis = slices.Clone(apis)
}

// next returns the URL of the next api.
func (s *system) next() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn++
	return s.apis[s.turn%len(s.apis)].site
}

// amanat runs a command of cmd/amanat with the given database URL and returns its output. It must
// succeed.
func (s *system) amanat(databaseURL string, args ...string) string {
	s.t.Helper()
	out, err := s.tryAmanat(databaseURL, args...)
	require.NoError(s.t, err, "amanat %v: %s", args, out)
	return out
}

func (s *system) tryAmanat(databaseURL string, args ...string) (string, error) {
	s.t.Helper()
	program := s.build.program(s.t, "amanat") // which may be built first
	ctx, cancel := context.WithTimeout(s.t.Context(), operatorWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = []string{"DATABASE_URL=" + databaseURL}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// requireBooksInOrder runs `amanat reconcile`, which must succeed.
func (s *system) requireBooksInOrder() {
	s.t.Helper()
	s.amanat(s.db.WorkerURL, "reconcile")
}

// count returns the number that a query selects.
func (s *system) count(sql string, args ...any) int {
	s.t.Helper()
	var n int
	require.NoError(s.t, s.db.Owner().QueryRow(s.t.Context(), sql, args...).Scan(&n))
	return n
}

// tally counts something by kind.
type tally map[string]int

func (s *system) tally(sql string) tally {
	s.t.Helper()
	rows, err := s.db.Owner().Query(s.t.Context(), sql)
	require.NoError(s.t, err)
	defer rows.Close()
	counts := tally{}
	for rows.Next() {
		var kind string
		var n int
		require.NoError(s.t, rows.Scan(&kind, &n))
		counts[kind] = n
	}
	require.NoError(s.t, rows.Err())
	return counts
}

func (t tally) plus(other tally) tally {
	sum := maps.Clone(t)
	for kind, n := range other {
		sum[kind] += n
	}
	return sum
}

// transfers counts the posted ledger transfers by kind.
func (s *system) transfers() tally {
	s.t.Helper()
	return s.tally(`select kind, count(*) from ledger.transfers group by kind`)
}

// operations counts the operations by kind, and requires that all are done.
func (s *system) operations() tally {
	s.t.Helper()
	require.Equal(s.t, tally{}, s.tally(`select kind || ' ' || status, count(*) from operations where status <> 'done' group by 1`))
	return s.tally(`select kind, count(*) from operations group by kind`)
}

// slowest returns the longest time from the request of an operation to its settlement.
func (s *system) slowest() time.Duration {
	s.t.Helper()
	var seconds float64
	require.NoError(s.t, s.db.Owner().QueryRow(s.t.Context(),
		`select coalesce(max(extract(epoch from finished_at - created_at)), 0) from operations`).Scan(&seconds))
	return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond)
}

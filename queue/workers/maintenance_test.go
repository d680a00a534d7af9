package workers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/config"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
)

// work inserts a job, waits until it is finalized and returns it.
func (f *fixture) work(args river.JobArgs) *rivertype.JobRow {
	f.t.Helper()
	inserted, err := f.client.Insert(f.t.Context(), args, nil)
	require.NoError(f.t, err)
	var job *rivertype.JobRow
	require.Eventually(f.t, func() bool {
		job, err = f.client.JobGet(f.t.Context(), inserted.Job.ID)
		return err == nil && job.FinalizedAt != nil
	}, 10*time.Second, 10*time.Millisecond)
	return job
}

func TestCleanup_failing_part(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user := f.user("nusrat")
	_, err := f.db.Owner().Exec(t.Context(), `
		with old as (select sha256('old') as hash, now() - interval '1 year' as at)
		, tokens as (
		  insert into mailed_tokens (token_hash, user_id, purpose, created_at, expires_at) select hash, $1, 'verify_email', at, at from old)
		, browsers as (
		  insert into known_browsers (token_hash, user_id, created_at, last_login_at) select hash, $1, at, at from old)
		insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, password_confirmed_at)
		select gen_random_uuid(), $1, hash, at, at, at, at from old`, user)
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(t.Context(), `alter table login_challenges rename to elsewhere`)
	require.NoError(t, err)
	f.start()

	job := f.work(jobs.Cleanup)
	require.Equal(t, rivertype.JobStateCancelled, job.State, "a failed run needs no person: there will be another")
	require.Contains(t, job.Errors[0].Error, "accounts.delete_expired_challenges: ", "the statement that failed")
	require.Contains(t, job.Errors[0].Error, "login_challenges")
	require.Zero(t, f.count(`
		select (select count(*) from mailed_tokens) + (select count(*) from known_browsers) + (select count(*) from sessions)`))
	require.Zero(t, f.count(`select count(*) from river.river_job where state = 'discarded'`))

	_, err = f.db.Owner().Exec(t.Context(), `alter table elsewhere rename to login_challenges`)
	require.NoError(t, err)
	require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.Cleanup).State)
}

const sqlOldRows = `
with owner as (select id from users where username = 'nusrat')
, old as (select n, now() - interval '8 days' as at from generate_series(1, $1) n)
, events as (insert into user_events (id, user_id, seq, type, payload, at)
  select gen_random_uuid(), id, n, 'walletUpdated', '{}', at from owner, old)
, notices as (insert into notifications (id, user_id, audience, kind, params, is_read, created_at)
  select gen_random_uuid(), id, 'user', 'deal_late', '{}', true, at - interval '180 days' from owner, old)
insert into idempotency_keys (user_id, key, request_hash, resource_id, created_at)
select id, 'old ' || n, sha256('old'), gen_random_uuid(), at from owner, old`

func TestEventsPrune(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.user("nusrat")
	left := func() int {
		return f.count(`
			select (select count(*) from user_events) + (select count(*) from idempotency_keys) + (select count(*) from notifications)`)
	}
	_, err := f.db.Owner().Exec(t.Context(), sqlOldRows, 10)
	require.NoError(t, err)
	services := Services{
		DB: f.db.Worker(), Clock: f.clock, Log: slog.New(slog.DiscardHandler), Events: &realtime.Log{Clock: f.clock},
		Notifications: &notifications.Service{DB: f.db.Worker(), Clock: f.clock},
	}
	require.NoError(t, services.pruneWithin(t.Context(), 0), "a run whose time is used up has not failed")
	require.Equal(t, 30, left())

	f.start()
	require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.EventsPrune).State)
	require.Zero(t, left())

	_, err = f.db.Owner().Exec(t.Context(), `alter table idempotency_keys rename to elsewhere`)
	require.NoError(t, err)
	require.Contains(t, f.work(jobs.EventsPrune).Errors[0].Error, "idempotency.forget_keys: ")
}

func TestHandlePanic_cancels_periodic_jobs(t *testing.T) {
	t.Parallel()
	h := &errorHandler{log: slog.New(slog.DiscardHandler)}
	for job, cancelled := range map[struct{ kind, queue string }]bool{
		{jobs.Cleanup.Kind(), jobs.QueueMaintenance}:  true,
		{jobs.MailSweep.Kind(), jobs.QueueMail}:       true,
		{jobs.PushSweep.Kind(), jobs.QueueNotify}:     true,
		{jobs.KindDealPay, jobs.QueueMoney}:           false,
		{jobs.Mail{}.Kind(), jobs.QueueMail}:          false,
		{jobs.AdminNotice{}.Kind(), jobs.QueueNotify}: false,
	} {
		t.Run(job.kind, func(t *testing.T) {
			t.Parallel()
			job := &rivertype.JobRow{Kind: job.kind, Queue: job.queue, Attempt: 1, MaxAttempts: 1}
			require.Equal(t, cancelled, h.HandlePanic(t.Context(), job, "oh", "").SetCancelled)
		})
	}
}

// In a rolling deployment, the new api inserts jobs of kinds that older workers do not know.
func TestAssemble_leaves_unknown_kinds(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.db.Owner().Exec(t.Context(), `
		insert into river.river_job (args, kind, queue, state, max_attempts, priority, scheduled_at)
		values ('{}', 'of_the_next_release', $1, 'available', 25, 1, now() - interval '1 hour')`, jobs.QueueMaintenance)
	require.NoError(t, err)
	f.start()
	f.work(jobs.Cleanup) // of the same queue, and due later
	require.Equal(t, 1, f.count(`
		select count(*) from river.river_job where kind = 'of_the_next_release' and state = 'available' and attempt = 0`))
}

// Jobs of every other second are inserted only while something is due.
func TestPeriodic_idle(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	services := newServices(f.dependencies(), f.jobs, nil, nil)
	inserted := func() (kinds []string) {
		for _, p := range periodicWork(services) {
			if args, _ := p.insert(); p.every == sweepEvery && args != nil {
				kinds = append(kinds, args.Kind())
			}
		}
		return kinds
	}
	require.Empty(t, inserted())
	f.deal(f.user("nusrat"), f.user("tanvir"), 1_00) // the buyer is mailed
	require.Equal(t, []string{jobs.MailSweep.Kind()}, inserted())
}

// River reindexes the indexes that Migrate leaves, and all that River has otherwise.
func TestReindexed(t *testing.T) {
	t.Parallel()
	present, err := postgres.Query[struct{ Indexname string }]("test.indexes",
		`select indexname::text from pg_indexes where schemaname = @schema and tablename = 'river_job'`).Many(t.Context(), dbtest.New(t).Owner(),
		postgres.Args{"schema": postgres.RiverSchema})
	require.NoError(t, err)
	names := make([]string, len(present))
	for i, index := range present {
		names[i] = index.Indexname
	}
	require.Subset(t, names, reindexed())
	require.Len(t, reindexed(), len(river.ReindexerIndexNamesDefault())-len(postgres.UnusedRiverIndexes()))
	for _, unused := range postgres.UnusedRiverIndexes() {
		require.Contains(t, river.ReindexerIndexNamesDefault(), unused)
		require.NotContains(t, names, unused)
	}
}

// The log of a failed job identifies the job and the cause: the error of an SQL statement begins
// with the statement's name.
func TestHandleError(t *testing.T) {
	t.Parallel()
	cause := fmt.Errorf("deals.save: %w", errors.New("deadlock"))
	for _, c := range []struct {
		name           string
		job            rivertype.JobRow
		level, message string
	}{
		{
			"another attempt follows",
			rivertype.JobRow{Queue: jobs.QueueMoney, Attempt: 1, MaxAttempts: 2},
			"WARN",
			"job failed, will be tried again",
		},
		{
			"the last attempt",
			rivertype.JobRow{Queue: jobs.QueueMoney, Attempt: 2, MaxAttempts: 2},
			"ERROR",
			"job discarded",
		},
		{
			"a periodic job",
			rivertype.JobRow{Queue: jobs.QueueMaintenance, Attempt: 1, MaxAttempts: 1},
			"WARN",
			"periodic job failed, the next run makes up for it",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			h := &errorHandler{log: slog.New(slog.NewJSONHandler(&out, nil))}
			c.job.ID, c.job.Kind = 7, jobs.KindDealPay
			h.HandleError(t.Context(), &c.job, cause)
			require.Equal(t, map[string]any{
				"level": c.level, "msg": c.message, "kind": "deal_pay", "job": 7.0, "attempt": float64(c.job.Attempt),
				"error": "deals.save: deadlock",
			}, logged(t, &out))
		})
	}
}

func TestHandlePanic(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	h := &errorHandler{log: slog.New(slog.NewJSONHandler(&out, nil))}
	h.HandlePanic(t.Context(), &rivertype.JobRow{ID: 7, Kind: jobs.KindDealPay, Attempt: 1}, "oh", "at deals.go")
	require.Equal(t, map[string]any{
		"level": "ERROR", "msg": "job panicked", "kind": "deal_pay", "job": 7.0, "attempt": 1.0, "panic": "oh", "trace": "at deals.go",
	}, logged(t, &out))
}

func logged(t *testing.T, out *bytes.Buffer) map[string]any {
	t.Helper()
	var line map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &line))
	delete(line, "time")
	return line
}

func TestQueueConfigs(t *testing.T) {
	t.Parallel()
	configs, err := queueConfigs(jobs.Queues(), nil, 16, false)
	require.NoError(t, err)
	require.Len(t, configs, len(jobs.Queues()))
	require.Equal(t, moneyJobs, configs[jobs.QueueMoney].MaxWorkers)
	require.Equal(t, otherWorkers, configs[jobs.QueueNotify].MaxWorkers)
	require.Equal(t, mailWorkers, configs[jobs.QueueMail].MaxWorkers)
	require.Equal(t, mailWorkers, mailConnections(config.Worker{Shared: config.Shared{DatabaseMaxConns: 16}}))
	require.Equal(t, 8, mailConnections(config.Worker{Shared: config.Shared{DatabaseMaxConns: 2}}), "they share a small pool")
	require.Equal(t, maintenanceWorkers, configs[jobs.QueueMaintenance].MaxWorkers)
	require.Equal(t, moneyWorkers, moneyWorkersOf(nil, 16))
	require.Equal(t, 3, moneyWorkersOf(nil, 4), "a connection stays free")

	counts := config.Queues{jobs.QueueMoney: 16, jobs.QueueMail: 64}
	configs, err = queueConfigs([]string{jobs.QueueMoney, jobs.QueueMail}, counts, 16, false)
	require.NoError(t, err)
	require.Len(t, configs, 2)
	require.Equal(t, 64, configs[jobs.QueueMail].MaxWorkers)
	require.Equal(t, 64, mailConnections(config.Worker{Queues: counts}))
	require.Equal(t, moneyJobs, configs[jobs.QueueMoney].MaxWorkers, "members of groups need no connection of their own")
	require.Equal(t, 16, moneyWorkersOf(counts, 16))

	for name, tc := range map[string]struct {
		names   []string
		counts  config.Queues
		message string
	}{
		"none":             {nil, nil, "no queue to serve"},
		"unknown":          {[]string{"monye"}, nil, `unknown queue "monye"`},
		"unknown count":    {[]string{jobs.QueueMail}, config.Queues{"mial": 3}, `unknown queue "mial"`},
		"too many of mail": {[]string{jobs.QueueMail}, config.Queues{jobs.QueueMail: 65}, "with 16, at most 64"},
		"too much money":   {[]string{jobs.QueueMoney}, config.Queues{jobs.QueueMoney: 17}, "with 16, at most 16"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := queueConfigs(tc.names, tc.counts, 16, false)
			require.ErrorContains(t, err, tc.message)
		})
	}
}

// queueRecorder records the frames that are published to admins about their queues.
type queueRecorder struct {
	t testing.TB

	mu      sync.Mutex
	changes []realtime.WorklistChanged
}

func (r *queueRecorder) add(frame realtime.Frame) {
	var change realtime.WorklistChanged
	if err := json.Unmarshal(frame.Data, &change); err != nil || frame.Type != "queueChanged" || frame.Seq != 0 {
		r.t.Errorf("frame to admins: %+v %v", frame, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes = append(r.changes, change)
}

// require takes n changes and requires all of them to be of one row of the queue. Workers publish
// after their commit, so a change may follow its visible effect.
func (r *queueRecorder) require(n int, queue realtime.Worklist, id uuid.UUID) {
	r.t.Helper()
	for _, change := range r.take(n) {
		require.Equal(r.t, realtime.WorklistChanged{Queue: queue, ID: id}, change)
	}
}

// take waits for exactly n changes and returns them.
func (r *queueRecorder) take(n int) []realtime.WorklistChanged {
	r.t.Helper()
	var taken []realtime.WorklistChanged
	require.Eventually(r.t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		taken = r.changes
		return len(taken) >= n
	}, 10*time.Second, time.Millisecond)
	require.Len(r.t, taken, n)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes = r.changes[n:]
	return taken
}

func TestQueueChanged_deposits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, admin, other := f.user("nusrat"), f.admin("admin"), f.admin("other")

	d := f.report(user, 80_00)
	f.queues.require(1, realtime.WorklistDeposits, d.ID)
	_, err := f.wallet.ClaimDeposit(ctx, other, d.ID)
	require.NoError(t, err)
	f.queues.require(1, realtime.WorklistDeposits, d.ID)
	_, err = f.wallet.ClaimDeposit(ctx, admin, d.ID)
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))
	f.queues.require(0, realtime.WorklistDeposits, d.ID)
	f.settled(f.approve(other, d, 80_00, ""))
	f.queues.require(2, realtime.WorklistDeposits, d.ID) // claimed, approved

	d = f.report(user, 20_00)
	_, err = f.wallet.RejectDeposit(ctx, admin, d.ID, wallet.Rejection{Reason: "Nothing came."})
	require.NoError(t, err)
	f.queues.require(2, realtime.WorklistDeposits, d.ID)
}

func TestQueueChanged_withdrawals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, admin := f.user("tanvir"), f.admin("admin")
	f.fund(user, admin, 100_00)
	f.queues.take(3) // reported, claimed, approved
	withdrawal := func() uuid.UUID {
		op := f.settled(f.wallet.RequestWithdraw(ctx, user, wallet.Order{Amount: 50_00, PhoneNumber: "01712345678", Method: wallet.Nagad}, nil))
		id, err := op.SubjectID()
		require.NoError(t, err)
		f.queues.require(1, realtime.WorklistWithdrawals, id)
		return id
	}
	id := withdrawal()
	f.confirm(user, id)
	f.queues.require(1, realtime.WorklistWithdrawals, id)
	_, err := f.wallet.ClaimWithdrawal(ctx, admin, id)
	require.NoError(t, err)
	f.queues.require(1, realtime.WorklistWithdrawals, id)
	f.settled(f.wallet.RequestSend(ctx, admin, id, wallet.Payout{Amount: 50_00}, nil))
	f.queues.require(2, realtime.WorklistWithdrawals, id)
	id = withdrawal()
	f.settled(f.wallet.RequestReject(ctx, admin, id, "", nil))
	f.queues.require(2, realtime.WorklistWithdrawals, id)
	id = withdrawal()
	f.settled(f.wallet.RequestCancel(ctx, user, id, nil))
	f.queues.require(1, realtime.WorklistWithdrawals, id)
}

// Two payouts are requested with the same transaction ID while no worker runs. The later one is
// refused, and its row is free again.
func TestQueueChanged_refused_payout(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	user, admin := f.user("tanvir"), f.admin("admin")
	f.start()
	f.fund(user, admin, 100_00)
	var ids []uuid.UUID
	for range 2 {
		op := f.settled(f.wallet.RequestWithdraw(ctx, user, wallet.Order{Amount: 50_00, PhoneNumber: "01712345678", Method: wallet.Nagad}, nil))
		id, err := op.SubjectID()
		require.NoError(t, err)
		f.confirm(user, id)
		ids = append(ids, id)
	}
	resume := f.pause()
	payout := wallet.Payout{Amount: 50_00, TransactionID: "PAYOUT01"}
	first, err := f.wallet.RequestSend(ctx, admin, ids[0], payout, nil)
	require.NoError(t, err)
	second, err := f.wallet.RequestSend(ctx, admin, ids[1], payout, nil)
	require.NoError(t, err)
	f.queues.take(9) // three of the deposit; of both withdrawals: requested, confirmed, claimed
	resume()
	pending := map[realtime.WorklistChanged]int{}
	rejected := 0
	for i, op := range []operations.Operation{first, second} {
		op, err := f.waiter.Wait(ctx, op)
		require.NoError(t, err)
		if op.Status == operations.Rejected {
			rejected++
		}
		pending[realtime.WorklistChanged{Queue: realtime.WorklistWithdrawals, ID: ids[i]}]++
	}
	require.Equal(t, 1, rejected)
	for _, change := range f.queues.take(2) {
		pending[change]--
	}
	require.Equal(t, map[realtime.WorklistChanged]int{
		{Queue: realtime.WorklistWithdrawals, ID: ids[0]}: 0, {Queue: realtime.WorklistWithdrawals, ID: ids[1]}: 0,
	}, pending)
}

func TestQueueChanged_support_and_deals(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	f.queues.take(3) // the buyer's deposit
	require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "The channel is not mine yet.", nil))
	requests, _, err := f.deals.ListSupport(ctx, deals.SupportQuery{}, postgres.Page{Limit: 1})
	require.NoError(t, err)
	f.queues.require(1, realtime.WorklistSupport, requests[0].ID)
	require.NoError(t, f.deals.CloseSupport(ctx, f.admin, requests[0].ID, answer))
	f.queues.require(1, realtime.WorklistSupport, requests[0].ID)

	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	f.do(f.deals.ResetDelivery(ctx, f.buyer, f.id, "Please change the colours."))
	f.queues.require(0, realtime.WorklistDeals, f.id)
	f.after(7*day + time.Minute)
	f.queues.require(1, realtime.WorklistDeals, f.id) // the deal enters the queue
	f.settled(f.deals.RequestForceCancel(ctx, f.admin, f.id, nil))
	f.queues.require(1, realtime.WorklistDeals, f.id) // and leaves it
}

// Two admins claim the same row. The second waits for the first one's transaction and gets an error
// that names the first.
func TestClaim_concurrent(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("tanvir"), f.admin("first"), f.admin("second")
	f.fund(user, first, 100_00)
	op := f.settled(f.wallet.RequestWithdraw(ctx, user, wallet.Order{Amount: 50_00, PhoneNumber: "01712345678", Method: wallet.Nagad}, nil))
	withdrawal, err := op.SubjectID()
	require.NoError(t, err)
	deposit := f.report(user, 20_00).ID
	for table, claim := range map[string]func() error{
		"deposits":    func() error { _, err := f.wallet.ClaimDeposit(ctx, second, deposit); return err },
		"withdrawals": func() error { _, err := f.wallet.ClaimWithdrawal(ctx, second, withdrawal); return err },
	} {
		tx, err := f.db.Owner().Begin(ctx)
		require.NoError(t, err)
		_, err = tx.Exec(ctx, `update `+table+` set claimed_by = $1, claimed_until = $2 where status = 'pending'`,
			first, f.clock.Now().Add(time.Hour))
		require.NoError(t, err)
		claimed := make(chan error, 1)
		go func() { claimed <- claim() }()
		require.Eventually(t, func() bool {
			return f.count(`
				select count(*) from pg_stat_activity
				 where datname = current_database() and usename = 'amanat_api' and wait_event_type = 'Lock'`) == 1
		}, 10*time.Second, 5*time.Millisecond)
		require.NoError(t, tx.Commit(ctx))
		err = <-claimed
		require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err), table)
		require.ErrorContains(t, err, "first is working on this request.")
	}
}

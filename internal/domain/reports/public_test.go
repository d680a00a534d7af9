package reports_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/accounts"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

// gate counts queries and blocks them until open is closed.
type gate struct {
	postgres.DB

	queries atomic.Int64
	open    chan struct{}
}

func (g *gate) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	g.queries.Add(1)
	<-g.open
	return g.DB.Query(ctx, sql, args...) //nolint:rowserrcheck // the caller reads them
}

// The counters are queried once in 30 seconds, however many callers there are.
func TestPublicStats_cached(t *testing.T) {
	t.Parallel()
	db, c := dbtest.New(t), clock.NewStopped()
	g := &gate{DB: db.API(), open: make(chan struct{})}
	service := &reports.Service{DB: g, Clock: c}
	people := accounts.New(accounts.Options{DB: db.API(), Clock: c})
	signUp := func(username string) {
		_, err := people.Create(t.Context(), accounts.SignupInput{
			Username: username, Email: username + "@example.com", Password: "river-stone",
		})
		require.NoError(t, err)
	}
	signUp("rahim")

	impatient, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := service.PublicStats(impatient)
		left <- err
	}()
	require.Eventually(t, func() bool { return g.queries.Load() == 1 }, 10*time.Second, time.Millisecond)
	var visitors sync.WaitGroup
	for range 50 {
		visitors.Go(func() {
			stats, err := service.PublicStats(t.Context())
			if err != nil || stats.Users != 1 {
				t.Errorf("%v, %v", stats, err)
			}
		})
	}
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
	close(g.open) // the first caller has gone; the others get the result of its query
	visitors.Wait()
	require.EqualValues(t, 1, g.queries.Load())

	signUp("karim")
	c.Advance(29 * time.Second)
	stats, err := service.PublicStats(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, stats.Users, "still cached")
	c.Advance(2 * time.Second)
	stats, err = service.PublicStats(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, stats.Users)
	require.EqualValues(t, 2, g.queries.Load())
}

// A failure is not cached: the next call queries again.
func TestPublicStats_failure_not_cached(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	broken := &failing{DB: db.API()}
	service := &reports.Service{DB: broken, Clock: clock.System{}}
	_, err := service.PublicStats(t.Context())
	require.ErrorIs(t, err, errDown)
	broken.recovered.Store(true)
	_, err = service.PublicStats(t.Context())
	require.NoError(t, err)
}

var errDown = errors.New("down")

// failing is a database that fails until recovered is set.
type failing struct {
	postgres.DB

	recovered atomic.Bool
}

type failedRows struct{ pgx.Rows }

func (failedRows) Close()     {}
func (failedRows) Next() bool { return false }
func (failedRows) Err() error { return errDown }

func (f *failing) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if f.recovered.Load() {
		return f.DB.Query(ctx, sql, args...) //nolint:rowserrcheck // the caller reads them
	}
	return failedRows{}, errDown
}

// paceFixture is a seller with partners who buy from them and write to them.
type paceFixture struct {
	t       *testing.T
	db      *dbtest.DB
	service *reports.Service
	now     time.Time
	seller  uuid.UUID
}

func newPaceFixture(t *testing.T) *paceFixture {
	t.Helper()
	db, c := dbtest.New(t), clock.NewOffset(0)
	f := &paceFixture{t: t, db: db, service: &reports.Service{DB: db.API(), Clock: c}, now: c.Now()}
	f.seller = f.user()
	return f
}

func (f *paceFixture) exec(sql string, args ...any) {
	f.t.Helper()
	_, err := f.db.Owner().Exec(f.t.Context(), sql, args...)
	require.NoError(f.t, err)
}

func (f *paceFixture) user() uuid.UUID {
	f.t.Helper()
	id := uuid.New()
	f.exec(`insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		values ($1, 'u' || $2::text, $2::text || '@example.com', 'x', $2::text, $3, $3)`, id, id.String()[:8]+id.String()[24:], f.now)
	return id
}

// delivered inserts a completed deal that the seller delivered that long after it was paid; nil:
// never.
func (f *paceFixture) delivered(closed time.Time, after *time.Duration) {
	f.t.Helper()
	paid := closed.AddDate(0, 0, -30)
	var at *time.Time
	if after != nil {
		delivered := paid.Add(*after)
		at = &delivered
	}
	// Accepted together with the delivery, which does not make the delivery faster.
	f.exec(`insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at,
		accepted_at, activated_at, first_delivered_at, closed_at, close_reason)
		values ($1, $2, $3, $2, 100, 2, 'A logo', 7, 'Completed', $4, $4, $5, $4, $5, $6, 'completed')`,
		uuid.New(), f.user(), f.seller, paid, at, closed)
}

// line is a message, that long after the conversation began.
type line struct {
	own   bool
	after time.Duration
}

// talk inserts a conversation of the seller with somebody new.
func (f *paceFixture) talk(began time.Time, lines ...line) {
	f.t.Helper()
	id, other := uuid.New(), f.user()
	last, wrote := began, map[bool]bool{}
	for _, l := range lines {
		last, wrote[l.own] = began.Add(l.after), true
	}
	f.exec(`insert into conversations (id, user_a, user_b, started_by, last_seq, created_at, updated_at, answered)
		values ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), $3, $4, $5, $6, $7)`,
		id, f.seller, other, len(lines), began, last, len(wrote) == 2)
	for i, l := range lines {
		sender := other
		if l.own {
			sender = f.seller
		}
		f.exec(`insert into messages (id, conversation_id, seq, sender_id, text, created_at) values ($1, $2, $3, $4, 'Salam', $5)`,
			uuid.New(), id, i+1, sender, began.Add(l.after))
	}
}

func (f *paceFixture) pace() reports.Pace {
	f.t.Helper()
	pace, err := f.service.Pace(f.t.Context(), f.seller)
	require.NoError(f.t, err)
	return pace
}

func hours(n float64) *time.Duration {
	d := time.Duration(n * float64(time.Hour))
	return &d
}

// The median of the time from payment to first delivery, in whole hours rounded up, from three
// deals on.
func TestPace_delivery(t *testing.T) {
	t.Parallel()
	f := newPaceFixture(t)
	require.Equal(t, reports.Pace{}, f.pace())
	f.delivered(f.now, hours(2))
	f.delivered(f.now, hours(100))
	f.delivered(f.now, nil)
	require.Nil(t, f.pace().DeliveryHours, "two deliveries, and one deal completed without")
	f.delivered(f.now, hours(26.2))
	require.Equal(t, 27, *f.pace().DeliveryHours)
	f.delivered(f.now, hours(4))
	require.Equal(t, 16, *f.pace().DeliveryHours, "of an even number, the mean of the two in the middle: 15.1")
}

func TestPace_delivery_at_once(t *testing.T) {
	t.Parallel()
	f := newPaceFixture(t)
	for range 3 {
		f.delivered(f.now, hours(0))
	}
	require.Equal(t, 1, *f.pace().DeliveryHours)
}

// Older deals than the latest fifty do not count.
func TestPace_delivery_latest(t *testing.T) {
	t.Parallel()
	f := newPaceFixture(t)
	for range 60 {
		f.delivered(f.now.AddDate(-1, 0, 0), hours(100))
	}
	require.Equal(t, 100, *f.pace().DeliveryHours)
	for range 50 {
		f.delivered(f.now, hours(1))
	}
	require.Equal(t, 1, *f.pace().DeliveryHours)
}

// The median of the time from another's first message to the first reply, in whole minutes rounded
// up, from three conversations on.
func TestPace_answer(t *testing.T) {
	t.Parallel()
	f := newPaceFixture(t)
	day := f.now.AddDate(0, 0, -1)
	asked, again, reply := line{false, 0}, line{false, time.Minute}, line{true, 10 * time.Minute}
	f.talk(day, asked, again, reply)
	f.talk(day, asked, line{true, time.Hour}, line{false, 2 * time.Hour}, line{true, 20 * time.Hour})
	f.talk(day, asked, again)                                                     // never answered
	f.talk(f.now.AddDate(0, 0, -91), asked, reply)                                // too long ago
	f.talk(f.now.AddDate(0, 0, -91), asked, reply, line{false, 2184 * time.Hour}) // begun too long ago
	require.Nil(t, f.pace().AnswerMinutes)
	// The seller wrote first: what counts is the answer to what was then written to them.
	f.talk(day, line{true, 0}, line{false, 5 * time.Hour}, line{true, 5*time.Hour + 30*time.Second + 20*time.Minute})
	require.Equal(t, 21, *f.pace().AnswerMinutes)
	f.talk(day, asked, line{true, time.Second})
	f.talk(day, asked, line{true, time.Second})
	require.Equal(t, 10, *f.pace().AnswerMinutes)
	f.talk(day, line{true, 0}, again) // the other's first message is not answered yet
	require.Equal(t, 10, *f.pace().AnswerMinutes)
}

// 4,000 delivered deals, 4,000 conversations with four messages each, between 201 users.
const sqlBusy = `
with people as (
  insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
  select gen_random_uuid(), 'user' || n, 'user' || n || '@example.com', 'x', 'code' || n, @at, @at from generate_series(0, 200) n
  returning id, substr(username, 5)::int as n
), traded as (
  insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at, accepted_at,
                     activated_at, first_delivered_at, closed_at)
  select gen_random_uuid(), b.id, s.id, s.id, 100, 2, 'A logo', 7, 'Completed', @at, @at, @at, @at, @at::timestamptz + interval '5 hours',
         @at::timestamptz + i * interval '1 minute'
    from people b, generate_series(1, 20) i, people s
   where s.n = (b.n + 1 + i % 20) % 201
), talks as (
  insert into conversations (id, user_a, user_b, started_by, last_seq, created_at, updated_at, answered)
  select gen_random_uuid(), least(a.id, b.id), greatest(a.id, b.id), a.id, 4, @at, @at::timestamptz + i * interval '1 minute', true
    from people a, generate_series(1, 20) i, people b
   where b.n = (a.n + i) % 201
  returning id, user_a, user_b
)
insert into messages (id, conversation_id, seq, sender_id, text, created_at)
select gen_random_uuid(), t.id, i, case i % 2 when 1 then t.user_a else t.user_b end, 'Salam',
       @at::timestamptz + i * interval '10 minutes'
  from talks t, generate_series(1, 4) i`

// However many deals, conversations and messages there are, only the latest of the user are read.
func TestPace_plan_uses_indexes(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	at := time.Now().AddDate(0, 0, -10)
	_, err := db.Owner().Exec(t.Context(), sqlBusy, postgres.Args{"at": at})
	require.NoError(t, err)
	db.Grow(50, "users", "deals", "conversations", "messages")
	var user uuid.UUID
	require.NoError(t, db.Owner().QueryRow(t.Context(), `select id from users where username = 'user7'`).Scan(&user))
	plans := dbtest.Explain(t, db, func(pool *pgxpool.Pool) {
		service := &reports.Service{DB: pool, Clock: clock.System{}}
		for range 10 { // after five executions PostgreSQL may choose a generic plan
			pace, err := service.Pace(t.Context(), user)
			require.NoError(t, err)
			require.Equal(t, 5, *pace.DeliveryHours)
			require.Equal(t, 10, *pace.AnswerMinutes)
		}
	})
	require.Contains(t, plans, "deals_counted_delivered")
	require.Contains(t, plans, "conversations_inbox_a")
	require.Contains(t, plans, "conversations_inbox_b")
	require.Contains(t, plans, "messages_pkey")
	require.NotContains(t, plans, "Seq Scan")
}

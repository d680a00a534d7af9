package reports_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
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

package realtime_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/lib/redisclient"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

// kind is a Redis of one kind, with what a process uses it for.
type kind struct {
	*fixture
	client    *redis.Client
	publisher *realtime.Redis
	api       *process
	pages     []*client
	watched   *watchedReceiver
}

// newKind connects pages of some users to an api process with the Redis.
func newKind(t *testing.T, address, caFile string) *kind {
	t.Helper()
	f := &fixture{t: t, db: dbtest.New(t), ended: map[uuid.UUID]bool{}}
	f.users = newUsers(t, f.db, 3)
	k := &kind{fixture: f, watched: &watchedReceiver{settled: make(chan uuid.UUID, 1000)}}
	var err error
	k.client, err = redisclient.New(address, caFile)
	require.NoError(t, err)
	t.Cleanup(func() { _ = k.client.Close() })
	k.publisher = realtime.NewRedis(k.client, discardLogger())
	f.background(k.publisher.Run)
	k.api = f.processOn(k.client)
	k.api.requireHealthy()
	for _, user := range f.users {
		page := k.api.connect(user, "")
		page.hello()
		k.pages = append(k.pages, page)
	}
	return k
}

// watchedReceiver receives what a second process is told.
type watchedReceiver struct{ settled chan uuid.UUID }

// deliver requires that frames reach every page, which Redis alone can do, since they are in no
// log, and that an outcome reaches another process.
func (k *kind) deliver() {
	k.t.Helper()
	for _, page := range k.pages {
		k.publisher.PublishFrame(page.user, realtime.Frame{Type: "typing"})
	}
	for _, page := range k.pages {
		require.Equal(k.t, "typing", page.next().Type)
	}
	link := realtime.NewLink(k.client, discardLogger())
	link.HandleSettled(func(id uuid.UUID) { k.watched.settled <- id })
	stop := k.background(func(ctx context.Context) { link.Run(ctx, noReceiver{}) })
	defer stop()
	require.Eventually(k.t, link.Healthy, waitTimeout, 5*time.Millisecond)
	id := uuid.New()
	k.publisher.OperationSettled(id)
	select {
	case got := <-k.watched.settled:
		require.Equal(k.t, id, got)
	case <-time.After(waitTimeout):
		require.FailNow(k.t, "no outcome")
	}
}

// count requires that presence and limits work.
func (k *kind) count() {
	k.t.Helper()
	presence := realtime.NewPresence(realtime.PresenceOptions{
		Node: uuid.NewString(), Client: k.client, Publish: func(string, any) {}, Channels: anyChannels{},
		Partners: func(context.Context, []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error) { return nil, nil }, Logger: discardLogger(),
	})
	presence.SpeedUp()
	k.background(func(ctx context.Context) { presence.Run(ctx, k.api.hub) })
	presence.Joined(realtime.Identity{UserID: k.users[0]})
	require.Eventually(k.t, func() bool {
		online, err := k.publisher.Online(k.t.Context(), k.users)
		_, is := online[k.users[0]]
		return err == nil && is
	}, waitTimeout, 5*time.Millisecond)

	limit := ratelimit.Limit{Name: "kinds", Rate: ratelimit.Rate{Count: 1, Per: time.Hour}}.For("nusrat")
	for _, allowed := range []bool{true, false} { // counted in Redis: each limiter has a process's memory of its own
		limiter := ratelimit.New(ratelimit.Options{Clock: clock.System{}, Redis: k.client, Logger: discardLogger()})
		require.Equal(k.t, allowed, limiter.Allow(k.t.Context(), limit).Allowed)
	}
}

type anyChannels struct{}

func (anyChannels) Handle(string, func([]byte)) {}
func (anyChannels) Healthy() bool               { return true }

func TestSentinel_failover(t *testing.T) {
	t.Parallel()
	address, killPrimary := dbtest.RedisSentinel(t)
	k := newKind(t, address, "")
	k.deliver()
	killPrimary()
	require.Eventually(t, func() bool { return !k.api.link.Healthy() }, waitTimeout, time.Millisecond, "the loss is noticed")
	k.api.requireHealthy()
	require.Eventually(t, func() bool { return k.client.Ping(t.Context()).Err() == nil }, waitTimeout, 5*time.Millisecond)
	k.deliver()
	k.count()
}

// redisRights are the rights that Amanat's user of Redis needs (docs/configuration.md#redis).
const redisRights = "~* &rt:* -@all +ping +select +subscribe +unsubscribe +publish +expire +exists +del +sadd +srem " +
	"+smembers +smismember +multi +exec +eval +evalsha +get +set"

func TestTLS_least_rights(t *testing.T) {
	t.Parallel()
	address, caFile := dbtest.RedisTLS(t, redisRights)
	k := newKind(t, address, caFile)
	k.deliver()
	k.count()
	require.ErrorContains(t, k.client.FlushAll(t.Context()).Err(), "NOPERM")

	unknown, err := redisclient.New(address, "")
	require.NoError(t, err)
	t.Cleanup(func() { _ = unknown.Close() })
	require.ErrorContains(t, unknown.Ping(t.Context()).Err(), "certificate", "the system does not know who signed it")
}

package realtime_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/redisclient"
	"amanat/internal/realtime"
)

// Whoever has a page open on any living node is online. Without Redis, or without a node that has
// announced itself, it is unknown who is.
func TestOnline(t *testing.T) {
	t.Parallel()
	f := newPresenceFixture(t)
	client, err := redisclient.New(f.redis.URL, "")
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	worker := realtime.NewRedis(client, slog.New(slog.DiscardHandler))
	nusrat, rakib, sadia := uuid.New(), uuid.New(), uuid.New()
	everybody := []uuid.UUID{nusrat, rakib, sadia}
	_, err = worker.Online(t.Context(), everybody)
	require.Error(t, err, "nothing is known yet")

	east, west := f.node("east"), f.node("west")
	online := func(want ...uuid.UUID) {
		t.Helper()
		require.Eventually(t, func() bool {
			found, err := worker.Online(t.Context(), everybody)
			if err != nil || len(found) != len(want) {
				return false
			}
			for _, user := range want {
				if _, is := found[user]; !is {
					return false
				}
			}
			return true
		}, 20*time.Second, 5*time.Millisecond)
	}
	east.connect(nusrat)
	west.connect(rakib)
	east.connect(rakib)
	online(nusrat, rakib)
	east.disconnect(rakib)
	online(nusrat, rakib)
	west.disconnect(rakib)
	online(nusrat)

	east.stop() // without an announcement
	online()
	f.redis.Stop()
	require.Eventually(t, func() bool {
		_, err := worker.Online(t.Context(), everybody)
		return err != nil
	}, 20*time.Second, 5*time.Millisecond)
	west.connect(sadia)
	f.redis.Start()
	online(sadia)
}

package workers

import (
	"bytes"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRiverLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var written bytes.Buffer
		log := riverLog(slog.New(slog.NewTextHandler(&written, nil))).With("client", "c1")
		lines := func() int { return bytes.Count(written.Bytes(), []byte("\n")) }
		log.Info("counts")
		require.Zero(t, lines())
		log.Warn("slow")
		require.Equal(t, 1, lines())
		for range 150 {
			log.Error("no fetch", "queue", "money")
			log.Error("no leader")
			time.Sleep(50 * time.Millisecond)
		}
		require.Equal(t, 3, lines(), "each error once")
		time.Sleep(repeatAfter)
		log.Error("no fetch", "queue", "money")
		require.Equal(t, 4, lines())
		require.Contains(t, written.String(), "queue=money omitted=149\n")
	})
}

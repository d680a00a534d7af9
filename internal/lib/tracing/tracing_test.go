package tracing_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/tracing"
)

func TestReference(t *testing.T) {
	t.Parallel()
	const id = "019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"
	reference := tracing.Reference(id)
	require.Regexp(t, `^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$`, reference)
	require.NotEqual(t, reference, tracing.Reference(id[:35]+"0"), "the time alone would be the same")
	require.Empty(t, tracing.Reference(""))

	want, err := tracing.ParseReference(reference)
	require.NoError(t, err)
	require.Len(t, want, 5)
	for _, written := range []string{"7f3k9q2m", " 7F3K 9Q2M", "7f3k-9q2m"} {
		got, err := tracing.ParseReference(written)
		require.NoError(t, err)
		same, err := tracing.ParseReference("7F3K-9Q2M")
		require.NoError(t, err)
		require.Equal(t, same, got)
	}
	zero, err := tracing.ParseReference("OOOO-IL11")
	require.NoError(t, err)
	digits, err := tracing.ParseReference("0000-1111")
	require.NoError(t, err)
	require.Equal(t, digits, zero)
	for _, wrong := range []string{"", "7F3K", "7F3K-9Q2MX", "7F3K-9Q2U", "7F3K_9Q2M"} {
		_, err := tracing.ParseReference(wrong)
		require.Error(t, err, wrong)
	}
}

func TestLogHandler(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(tracing.LogHandler(slog.NewJSONHandler(&out, nil))).With("a", 1)
	ctx := tracing.WithRequestID(t.Context(), "r-1")
	log.InfoContext(ctx, "one")
	log.InfoContext(ctx, "two", "request_id", "given")
	log.Info("three")
	require.Equal(t, 1, bytes.Count(out.Bytes(), []byte(`"request_id":"r-1"`)))
	require.Equal(t, 1, bytes.Count(out.Bytes(), []byte(`"request_id":"given"`)))
}

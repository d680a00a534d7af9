package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/webpush"
)

// The printed lines are an environment with a pair of keys, which is new each time.
func TestVAPIDKeys(t *testing.T) {
	t.Parallel()
	keys := func() webpush.Keys {
		out, err := amanat(t, "vapid-keys")
		require.NoError(t, err)
		values := map[string]string{}
		for line := range strings.Lines(out.stdout.String()) {
			name, value, found := strings.Cut(strings.TrimSpace(line), "=")
			require.True(t, found, line)
			values[name] = value
		}
		require.Len(t, values, 2)
		return webpush.Keys{Public: values["VAPID_PUBLIC_KEY"], Private: values["VAPID_PRIVATE_KEY"]}
	}
	one := keys()
	require.NoError(t, one.Check())
	require.NotEqual(t, one, keys())
}

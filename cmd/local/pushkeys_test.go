package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/app/config"
)

// The keys stay the same over restarts, since browsers' subscriptions end with them.
func TestSetPushKeys(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var api, later config.API
	var worker, laterWorker config.Worker
	require.NoError(t, setPushKeys(folder, &api, &worker))
	require.NoError(t, worker.PushKeys().Check())
	require.Equal(t, api.VAPIDPublicKey, worker.VAPIDPublicKey)
	require.NoError(t, setPushKeys(folder, &later, &laterWorker))
	require.Equal(t, worker, laterWorker)

	given := config.API{VAPIDPublicKey: "given"}
	var none config.Worker
	require.NoError(t, setPushKeys(t.TempDir(), &given, &none))
	require.Equal(t, "given", given.VAPIDPublicKey)
	require.Empty(t, none.VAPIDPrivateKey)

	require.NoError(t, os.WriteFile(filepath.Join(folder, pushKeysFile), []byte(`{"Public": "x", "Private": "y"}`), 0o600))
	require.ErrorContains(t, setPushKeys(folder, new(config.API), new(config.Worker)), pushKeysFile)
}

package deploy

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/caarlos0/env/v11"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/config"
)

// The passwords in compose.yaml are public, so no process starts with them if the site uses https.
func TestCompose_example_passwords_with_https(t *testing.T) {
	t.Parallel()
	passwords := []string{"API_DB_PASSWORD", "WORKER_DB_PASSWORD", "POSTGRES_PASSWORD", "REDIS_PASSWORD"}
	own := map[string]string{"PUBLIC_URL": "https://amanat.example"}
	for _, name := range passwords {
		own[name] = "own" + strings.ToLower(strings.ReplaceAll(name, "_", ""))
	}
	with := func(variables map[string]string) types.Services {
		var lines strings.Builder
		for name, value := range variables {
			fmt.Fprintf(&lines, "%s=%s\n", name, value)
		}
		return compose(t, map[string]string{".env": lines.String()})
	}
	refused := func(variables map[string]string) bool {
		services := with(variables)
		return !errorless[config.API](t, services["api"]) || !errorless[config.Worker](t, services["worker"]) ||
			!errorless[config.Migrate](t, services["migrate"])
	}
	require.False(t, refused(own))
	require.Equal(t, own["REDIS_PASSWORD"], ownEnvironment(with(own)["redis"])["REDISCLI_AUTH"])
	require.Contains(t, with(own)["redis"].Command, own["REDIS_PASSWORD"])
	for _, name := range passwords {
		without := maps.Clone(own)
		delete(without, name)
		require.True(t, refused(without), name)
	}
}

func errorless[T validator](t *testing.T, s types.ServiceConfig) bool {
	t.Helper()
	parsed, err := env.ParseAsWithOptions[T](env.Options{Environment: environment(t, s)})
	require.NoError(t, err)
	return parsed.Validate() == nil
}

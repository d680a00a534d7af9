package config

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/ratelimit"
)

//nolint:paralleltest // sets the environment
func TestLoadAPI_limit_defaults(t *testing.T) {
	setAPI(t)
	c, err := LoadAPI()
	require.NoError(t, err)
	per := func(count int, period time.Duration) ratelimit.Rate { return ratelimit.Rate{Count: count, Per: period} }
	require.Equal(t, per(100, 15*time.Minute), c.LoginAddressLimit)
	require.Equal(t, per(60, time.Hour), c.ForgotAddressLimit)
	require.Equal(t, per(3, time.Hour), c.ForgotEmailLimit)
	require.Equal(t, per(200, time.Hour), c.SignupLimit)
	require.Equal(t, per(60, time.Hour), c.FeedbackLimit)
	require.Equal(t, per(6, 24*time.Hour), c.MailboxLimit)
	require.Equal(t, per(20, time.Hour), c.PostLimit)
	require.Equal(t, per(60, time.Minute), c.MessageLimit)
	require.Equal(t, 4, c.NewDivisor)
	require.Equal(t, []int{200, 20, 10}, []int{c.MaxPosts, c.MaxPostsNew, c.MaxPendingDeposits})
}

// The local stack allows ten times the rates, but not more posts or deposits.
func TestLocalAPI_relaxed_limits(t *testing.T) {
	t.Setenv("LIMIT_DEALS", "1/1h")
	c, err := LocalAPI(8081, "postgres://amanat_api@127.0.0.1/amanat", "redis://127.0.0.1:6379")
	require.NoError(t, err)
	require.Equal(t, ratelimit.Rate{Count: 200, Per: time.Hour}, c.PostLimit)
	require.Equal(t, ratelimit.Rate{Count: 600, Per: time.Minute}, c.MessageLimit)
	require.Equal(t, ratelimit.Rate{Count: 300, Per: 10 * time.Minute}, c.PictureLimit)
	require.Equal(t, ratelimit.Rate{Count: 1, Per: time.Hour}, c.DealLimit, "a variable that is set overrides the relaxed default")
	require.Zero(t, c.SignupLimit, "all local users share an address")
	require.Equal(t, []int{200, 20, 10}, []int{c.MaxPosts, c.MaxPostsNew, c.MaxPendingDeposits})
	require.Equal(t, ratelimit.Rate{Count: 3, Per: time.Hour}, c.ForgotEmailLimit)
	require.Equal(t, 4, c.NewDivisor)
}

// The public passwords of compose.yaml are rejected for a deployment on the internet.
func TestLoad_example_passwords(t *testing.T) {
	loads := map[string]struct {
		set  func(t *testing.T)
		load func() error
	}{
		"api":    {setAPI, func() error { _, err := LoadAPI(); return err }},
		"worker": {setWorker, func() error { _, err := LoadWorker(); return err }},
	}
	for name, process := range loads {
		for _, test := range []struct{ variable, value, message string }{
			{"DATABASE_URL", "postgres://amanat_api:api-demo@db:5432/amanat", "must not be the example's"},
			{"DATABASE_URL", "postgres://db:5432/amanat?user=amanat_worker&password=worker-demo", "must not be the example's"},
			{"REDIS_URL", "redis://:redis-demo@redis:6379/0", "must not be the example's"},
			{"REDIS_URL", "redis://redis:6379/0", "must hold a password"},
			{"REDIS_URL", "redis://127.0.0.1:6379/0", ""},
			{"REDIS_URL", "unix:///run/redis.sock", ""},
		} {
			t.Run(name+" "+test.value, func(t *testing.T) {
				process.set(t)
				t.Setenv(test.variable, test.value)
				require.NoError(t, process.load(), "without https")
				t.Setenv("PUBLIC_URL", "https://amanat.example")
				err := process.load()
				if test.message == "" {
					require.NoError(t, err)
					return
				}
				require.ErrorContains(t, err, test.variable+": "+test.message)
				require.NotContains(t, err.Error(), "demo")
			})
		}
	}
	t.Run("migrate", func(t *testing.T) {
		t.Setenv("DATABASE_URL", "postgres://amanat:owner-demo@db/amanat")
		t.Setenv("API_DB_PASSWORD", "api-demo")
		t.Setenv("WORKER_DB_PASSWORD", "worker-demo")
		_, err := LoadMigrate()
		require.NoError(t, err)
		t.Setenv("PUBLIC_URL", "https://amanat.example")
		_, err = LoadMigrate()
		for _, variable := range []string{"DATABASE_URL", "API_DB_PASSWORD", "WORKER_DB_PASSWORD"} {
			require.ErrorContains(t, err, variable+": must not be the example's")
		}
	})
}

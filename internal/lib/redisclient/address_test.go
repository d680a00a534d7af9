package redisclient

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	t.Parallel()
	secured := &tls.Config{MinVersion: tls.VersionTLS12}
	for value, want := range map[string]redis.UniversalOptions{
		"redis://:secret@redis:6379/2": {Password: "secret", Addrs: []string{"redis:6379"}, DB: 2},
		"redis://redis":                {Addrs: []string{"redis:6379"}},
		"redis://[::1]:6380":           {Addrs: []string{"[::1]:6380"}},
		"rediss://amanat:p%40ss%2F@redis.example": {
			Username: "amanat", Password: "p@ss/", Addrs: []string{"redis.example:6379"}, TLSConfig: secured,
		},
		"unix:///run/redis.sock?db=3": {Addrs: []string{"/run/redis.sock"}, DB: 3},
		"rediss+sentinel://amanat:secret@one,two:26380/amanat/1?sentinel_username=watch&sentinel_password=w": {
			Username: "amanat", Password: "secret", Addrs: []string{"one:26379", "two:26380"}, TLSConfig: secured, MasterName: "amanat", DB: 1,
			SentinelUsername: "watch", SentinelPassword: "w",
		},
	} {
		got, err := Parse(value)
		require.NoError(t, err, value)
		require.Equal(t, want, got, value)
	}
}

func TestParse_invalid(t *testing.T) {
	t.Parallel()
	for value, message := range map[string]string{
		"redis:6379":                           "must be a URL",
		"http://redis":                         "must be a URL",
		"redis://":                             "must be a URL",
		"redis://redis:port":                   "must be a URL",
		"redis://redis/1/2":                    "must be a URL",
		"redis://:p@ss/w#rd@redis:6379":        "%23 for #",
		"redis://:p@ss@redis:6379":             "%40 for @",
		"redis://one:6379,two:6379":            "must have one host",
		"redis://redis/first":                  "number of a database",
		"redis://redis/-1":                     "number of a database",
		"redis://redis?protocol=3":             "unknown parameter",
		"redis+sentinel://one,two":             "name of the primary",
		"redis+sentinel://one/amanat?master=x": "unknown parameter",
		"redis://amanat:1?w#rd@redis:6379":     "must be a URL",
		"redis://amanat:1?hidden@redis:6379":   "%3F",
		"redis://:pass?hidden@redis:6379":      "must be a URL",
		"redis+cluster://one,two":              "must be a URL",
		"redis+sentinel://one,,two/amanat":     "must be a URL",
		"unix://redis":                         "must be a URL",
	} {
		_, err := Parse(value)
		require.ErrorContains(t, err, message, value)
		require.NotContains(t, err.Error(), "w#rd", "passwords are not repeated")
		require.NotContains(t, err.Error(), "hidden", "passwords are not repeated")
	}
}

func TestLocal(t *testing.T) {
	t.Parallel()
	for value, local := range map[string]bool{
		"redis://localhost": true, "redis://127.0.0.1:6379": true, "redis://[::1]": true, "unix:///run/redis.sock": true,
		"redis://redis": false, "redis+sentinel://127.0.0.1/amanat": false,
	} {
		address, err := Parse(value)
		require.NoError(t, err, value)
		require.Equal(t, local, Local(address), value)
	}
}

func TestNew_authority(t *testing.T) {
	t.Parallel()
	text := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(text, []byte("no certificate"), 0o600))
	for caFile, message := range map[string]string{text: "has no certificate in PEM", text + ".missing": "no such file"} {
		_, err := New("rediss://redis", caFile)
		require.ErrorContains(t, err, "REDIS_CA_FILE: ")
		require.ErrorContains(t, err, message)
	}
	_, err := New("redis://redis", text)
	require.ErrorContains(t, err, "without TLS")
	_, err = New("nowhere", "")
	require.ErrorContains(t, err, "REDIS_URL: must be a URL")
}

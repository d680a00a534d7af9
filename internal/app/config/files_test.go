package config

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func secretFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// fromFile moves a variable of the environment to a file.
func fromFile(t *testing.T, name, ending string) {
	t.Helper()
	t.Setenv(name+fileSuffix, secretFile(t, os.Getenv(name)+ending))
	t.Setenv(name, "")
}

func TestLoad_secrets_in_files(t *testing.T) {
	setAPI(t)
	setWorker(t)
	t.Setenv("API_DB_PASSWORD", "one")
	t.Setenv("WORKER_DB_PASSWORD", "two")
	t.Setenv("RIVER_UI_TOKEN", "a-token-of-operators")
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20secret")
	api, err := LoadAPI()
	require.NoError(t, err)
	worker, err := LoadWorker()
	require.NoError(t, err)
	migrate, err := LoadMigrate()
	require.NoError(t, err)
	for i, name := range secretVariables {
		if os.Getenv(name) != "" {
			fromFile(t, name, []string{"", "\n", "\r\n"}[i%3])
		}
	}
	fromFiles, err := LoadAPI()
	require.NoError(t, err)
	require.Equal(t, api, fromFiles)
	workerFromFiles, err := LoadWorker()
	require.NoError(t, err)
	require.Equal(t, worker, workerFromFiles)
	migrateFromFiles, err := LoadMigrate()
	require.NoError(t, err)
	require.Equal(t, migrate, migrateFromFiles)
	url, err := DatabaseURL()
	require.NoError(t, err)
	require.Equal(t, worker.DatabaseURL, url)

	t.Setenv("VAPID_PRIVATE_KEY_FILE", secretFile(t, "not a key\n"))
	_, err = LoadWorker()
	require.ErrorContains(t, err, "VAPID_PRIVATE_KEY: ", "the content of the file is checked")
}

func TestLoad_secret_files_refused(t *testing.T) {
	for _, name := range secretVariables {
		t.Run(name, func(t *testing.T) {
			load := loaderOf(t, name)
			t.Setenv(name, "postgres://u:secret@db/amanat")
			t.Setenv(name+fileSuffix, secretFile(t, "postgres://u:other@db/amanat"))
			require.ErrorContains(t, load(), name+": is set, and so is "+name+"_FILE")
			require.NotContains(t, load().Error(), "secret@")

			t.Setenv(name, "")
			for content, message := range map[string]string{
				"\n": "is empty", "one\ntwo\n": "has more than one line", strings.Repeat("x", maxSecretBytes+1): "has more than 65536 bytes",
			} {
				t.Setenv(name+fileSuffix, secretFile(t, content))
				require.ErrorContains(t, load(), name+"_FILE: ")
				require.ErrorContains(t, load(), message)
			}
			t.Setenv(name+fileSuffix, filepath.Join(t.TempDir(), "missing"))
			require.ErrorContains(t, load(), "no such file")
		})
	}
}

// loaderOf returns a function that loads a process with the variable.
func loaderOf(t *testing.T, name string) func() error {
	t.Helper()
	switch name {
	case "API_DB_PASSWORD", "WORKER_DB_PASSWORD":
		return func() error { _, err := LoadMigrate(); return err }
	case "RIVER_UI_TOKEN", "SMTP_URL", "VAPID_PRIVATE_KEY":
		return func() error { _, err := LoadWorker(); return err }
	}
	return func() error { _, err := LoadAPI(); return err }
}

// A variable whose name says that it holds a secret has a variant with a file.
func TestSecretVariables_complete(t *testing.T) {
	t.Parallel()
	public := map[string]bool{"PUBLIC_URL": true, "VAPID_PUBLIC_KEY": true}
	found := map[string]bool{}
	for _, process := range []reflect.Type{
		reflect.TypeFor[API](), reflect.TypeFor[Worker](), reflect.TypeFor[Migrate](), reflect.TypeFor[Local](),
	} {
		for _, field := range reflect.VisibleFields(process) {
			name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
			if regexp.MustCompile(`(URL|KEY|TOKEN|SECRET|DB_PASSWORD|HEADERS)$`).MatchString(name) && !public[name] {
				require.Contains(t, secretVariables, name)
				found[name] = true
			}
		}
	}
	require.Len(t, found, len(secretVariables))
}

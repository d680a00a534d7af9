package config

import (
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/blobs"
	"amanat/internal/lib/ratelimit"
)

// Tests of this package set the environment of the process, so they do not run in parallel.

func setAPI(t *testing.T) {
	t.Helper()
	t.Setenv("DATABASE_URL", "postgres://amanat_api:secret@db:5432/amanat")
	t.Setenv("REDIS_URL", "redis://:secret@redis:6379")
	t.Setenv("RECEIVERS", "Bkash:01711000000,Nagad:01811000000")
}

func setWorker(t *testing.T) {
	t.Helper()
	t.Setenv("DATABASE_URL", "postgres://amanat_worker:secret@db:5432/amanat")
	t.Setenv("REDIS_URL", "redis://:secret@redis:6379")
	t.Setenv("SMTP_URL", "smtp://user:secret@mail:587")
	t.Setenv("MAIL_FROM", "Amanat <no-reply@amanat.example>")
	t.Setenv("SUPPORT_EMAIL", "support@amanat.example")
}

// A misspelt name has no effect, so a process does not start with one.
func TestLoad_misspelt(t *testing.T) {
	setAPI(t)
	t.Setenv("PUBLC_URL", "https://amanat.example")
	t.Setenv("WITHDRAWAL_HOL", "48h")
	t.Setenv("REDIS_HOST", "of something else")
	t.Setenv("OTEL_SERVICE_NAME", "of a library")
	_, err := LoadAPI()
	require.EqualError(t, err, "environment: PUBLC_URL: is no setting; PUBLIC_URL is\nWITHDRAWAL_HOL: is no setting; WITHDRAWAL_HOLD is")
}

func TestCheck(t *testing.T) {
	setWorker(t)
	t.Setenv("QUEUES", "money=3")
	t.Setenv("VAPID_PRIVATE_KEY", "")
	t.Setenv("DATABASE_URL", "postgres://amanat_worker@db:5432/amanat?password=secret")
	var out strings.Builder
	require.NoError(t, Check(CheckWorker).Print(&out))
	for _, line := range []string{
		"QUEUES=money=3", "SMTP_URL=smtp://user:xxxxx@mail:587", "# SOFT_STOP=20s", "# VAPID_PRIVATE_KEY=",
		"DATABASE_URL=postgres://amanat_worker@db:5432/amanat?password=xxxxx",
	} {
		require.Contains(t, out.String(), line+"\n")
	}
	require.NotContains(t, out.String(), "secret")

	t.Setenv("SOFT_STOP", "soon")
	t.Setenv("DATABASE_POOLED", "maybe")
	err := Check(CheckWorker).Print(&out)
	require.ErrorContains(t, err, "SOFT_STOP: must be a duration")
	require.ErrorContains(t, err, "DATABASE_POOLED: must be true or false")
}

// Apis and workers with the same rules have one fingerprint, whatever else differs.
func TestFingerprint(t *testing.T) {
	setWorker(t)
	setAPI(t)
	fingerprints := func() (api, worker string) {
		a, err := LoadAPI()
		require.NoError(t, err)
		w, err := LoadWorker()
		require.NoError(t, err)
		return a.Fingerprint(), w.Fingerprint()
	}
	api, worker := fingerprints()
	require.Equal(t, api, worker)
	for _, setting := range []string{"WITHDRAWAL_HOLD=48h", "LIMITS=posts=1/1h", "PUBLIC_URL=https://amanat.example", "MIN_WITHDRAWAL=2.00"} {
		name, value, _ := strings.Cut(setting, "=")
		t.Setenv(name, value)
		changed, same := fingerprints()
		require.NotEqual(t, api, changed, setting)
		require.Equal(t, changed, same)
		api = changed
	}
	t.Setenv("LOG_LEVEL", "debug")
	unchanged, _ := fingerprints()
	require.Equal(t, api, unchanged)
}

//nolint:paralleltest // sets the environment
func TestLoadAPI_defaults(t *testing.T) {
	setAPI(t)
	c, err := LoadAPI()
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:8080", c.Addr)
	require.Equal(t, "127.0.0.1:9090", c.OpsAddr)
	require.EqualValues(t, 16, c.DatabaseMaxConns)
	require.Equal(t, slog.LevelInfo, c.LogLevel)
	require.Empty(t, c.TrustedProxies)
	require.EqualValues(t, 12499, c.PublicUserOffset)
	require.EqualValues(t, 45499, c.PublicUSDOffset)
	require.Equal(t, 15*time.Minute, c.AdminReauth)
	require.True(t, c.AdminSecondFactor)
	require.Equal(t, Hours{From: 9 * time.Hour, To: 23 * time.Hour}, c.DepositHours)
	require.Equal(t, 2*time.Second, c.OperationWait)
	require.Equal(t, 24*time.Hour, c.WithdrawalHold)
	require.Equal(t, USD(1_00), c.MinWithdrawal)
	require.False(t, c.Bucket.Used())
	require.Equal(t, ratelimit.Rate{Count: 5, Per: 15 * time.Minute}, c.Limits.LoginAccountLimit)
	require.Equal(t, ratelimit.Rate{Count: 5, Per: 24 * time.Hour}, c.Limits.VerificationDayLimit)
	require.False(t, c.Secure())
}

func TestLoadAPI(t *testing.T) {
	setAPI(t)
	t.Setenv("PUBLIC_URL", "https://amanat.example")
	t.Setenv("TRUSTED_PROXIES", "10.0.0.0/8,fd00::/8")
	t.Setenv("LOG_LEVEL", "debug")
	t.Setenv("ADMIN_REAUTH", "0")
	t.Setenv("ADMIN_SECOND_FACTOR", "false")
	t.Setenv("LIMITS", "signup=off, reset-email=1/90s,posts=1/1h,posts=2/1h")
	c, err := LoadAPI()
	require.NoError(t, err)
	require.True(t, c.Secure())
	require.Equal(t, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}, c.TrustedProxies)
	require.Equal(t, slog.LevelDebug, c.LogLevel)
	require.Zero(t, c.AdminReauth)
	require.False(t, c.AdminSecondFactor)
	require.Zero(t, c.Limits.SignupLimit)
	require.Equal(t, ratelimit.Rate{Count: 1, Per: 90 * time.Second}, c.Limits.ForgotEmailLimit)
	require.Equal(t, ratelimit.Rate{Count: 2, Per: time.Hour}, c.Limits.PostLimit, "the last one counts")
	require.Equal(t, ratelimit.Rate{Count: 60, Per: time.Minute}, c.Limits.MessageLimit, "the default")
}

//nolint:paralleltest // sets the environment
func TestLoadAPI_empty_variables(t *testing.T) {
	setAPI(t)
	for _, name := range []string{"ADDR", "TRUSTED_PROXIES", "OPERATION_WAIT", "LOG_LEVEL"} {
		t.Setenv(name, "") // compose files pass unset variables as empty
	}
	c, err := LoadAPI()
	require.NoError(t, err)
	require.Empty(t, c.TrustedProxies)
	require.Equal(t, "127.0.0.1:8080", c.Addr)
}

func TestWarningWords(t *testing.T) {
	for name, tc := range map[string]struct {
		value string
		words []string
	}{
		"defaults":    {"", defaultWarningWords},
		"only commas": {" , ,", defaultWarningWords},
		"none":        {"off", []string{}},
		"a list":      {"send money, বিকাশ করেন ,", []string{"send money", "বিকাশ করেন"}},
	} {
		t.Run(name, func(t *testing.T) {
			setAPI(t)
			t.Setenv("CHAT_WARNING_WORDS", tc.value)
			c, err := LoadAPI()
			require.NoError(t, err)
			require.Equal(t, tc.words, c.WarningWords())
		})
	}
}

func TestLoadAPI_reports_all_errors(t *testing.T) {
	_, err := LoadAPI()
	for _, name := range []string{"DATABASE_URL", "REDIS_URL", "RECEIVERS"} {
		require.ErrorContains(t, err, name+": is required")
	}

	setAPI(t)
	t.Setenv("DATABASE_MAX_CONNS", "many")
	t.Setenv("ADMIN_REAUTH", "soon")
	t.Setenv("TRUSTED_PROXIES", "10.0.0.0/8,nowhere")
	t.Setenv("LOG_LEVEL", "loud")
	t.Setenv("LIMITS", "login-account=five")
	_, err = LoadAPI()
	for _, name := range []string{"DATABASE_MAX_CONNS", "ADMIN_REAUTH", "TRUSTED_PROXIES", "LOG_LEVEL", "LIMITS: login-account"} {
		require.ErrorContains(t, err, name+": ")
	}
}

func TestLoadAPI_invalid(t *testing.T) {
	for name, values := range map[string][]string{
		"ADDR":               {"8080", "localhost:http"},
		"DATABASE_URL":       {"db:5432", "mysql://u:secret@db/amanat"},
		"DATABASE_MAX_CONNS": {"1", "-5"},
		"REDIS_URL":          {"redis:6379", "http://redis"},
		"PUBLIC_URL": {
			"amanat.example", "https://amanat.example/", "https://amanat.example/app", "ftp://amanat.example", "https://:8443",
			"https://Amanat.example", "https://amanat.example:443", "http://amanat.example:80", "https://amanat.example:",
		},
		"OPERATOR":            {"Amanat Ltd\nDhaka", strings.Repeat("x", 201)},
		"PUBLIC_USER_OFFSET":  {"-1"},
		"CHAT_WARNING_WORDS":  {"x", "send money,x", strings.Repeat("x", 61), strings.Repeat("xx,", 201)},
		"OPERATION_WAIT":      {"-1s", "11s"},
		"ADMIN_REAUTH":        {"-1m"},
		"LIMITS":              {"posts", "5/1h"},
		"CREDIT_SECOND_ADMIN": {"-1", "1000001"},
		"DEPOSIT_HOURS": {
			"always", "09:00", "9:00-23:00", "09:00-9pm", "09:60-23:00", "09:00-25:00", "09:00-09:00", "24:00-08:00", "09:00 - 23:00", "-", "09:00-",
		},
		"OTEL_EXPORTER_OTLP_ENDPOINT":        {"collector:4318", "grpc://collector:4317"},
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": {"/v1/traces"},
		"OTEL_EXPORTER_OTLP_HEADERS":         {"secret", "a b=secret", "authorization=secret%", "authorization=secret%0A", "=secret"},
		"MIN_WITHDRAWAL":                     {"0", "-1.00", "one dollar", "1.001"},
		"WITHDRAWAL_HOLD":                    {"-1h"},
		"TRUST_LIMITS": {
			"on", "new=1/2/3", "new=1/2/3,basic=1/2/3,established=1/2/3,trusted=1/2", "new=1/2/3,basic=1/2/3,established=1/2/3,trusted=1/2/x",
			"new=1/2/3,basic=1/2/3,established=1/2/3,new=1/2/3", "new=1/2/3,basic=1/2/3,established=1/2/3,trusted=1/2/-3",
			"new=1/2/3,basic=1/1/3,established=1/2/3,trusted=0/0/0", "new=0/2/3,basic=1/2/3,established=1/2/3,trusted=0/0/0",
		},
	} {
		for _, value := range values {
			t.Run(name+"="+value, func(t *testing.T) {
				setAPI(t)
				t.Setenv(name, value)
				_, err := LoadAPI()
				require.ErrorContains(t, err, name+": must be")
				require.NotContains(t, err.Error(), "secret")
			})
		}
	}
}

// PUBLIC_URL must be in the form in which browsers send their Origin; the error contains that form.
func TestLoadAPI_public_url(t *testing.T) {
	setAPI(t)
	for _, valid := range []string{
		"https://amanat.example", "https://amanat.example:8443", "https://amanat.example:80", "http://[::1]:9000", "http://[::1]",
	} {
		t.Run(valid, func(t *testing.T) {
			t.Setenv("PUBLIC_URL", valid)
			_, err := LoadAPI()
			require.NoError(t, err)
		})
	}
	t.Setenv("PUBLIC_URL", "https://Amanat.Example:443")
	_, err := LoadAPI()
	require.ErrorContains(t, err, "as browsers send it: https://amanat.example;")
}

func TestLoadWorker(t *testing.T) {
	setWorker(t)
	c, err := LoadWorker()
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:9091", c.OpsAddr)
	require.Equal(t, 20*time.Second, c.SoftStop)
	require.Equal(t, 50, c.ReferralShare)
	require.Equal(t, 24*time.Hour, c.WithdrawalHold)
	require.Equal(t, USD(1_00), c.MinWithdrawal)
	require.False(t, c.Bucket.Used())

	for name, value := range map[string]string{
		"SMTP_URL": "mail:587", "MAIL_FROM": "no-reply", "SOFT_STOP": "0", "PUBLIC_URL": "/", "SUPPORT_EMAIL": "Support <s@amanat.example>",
		"WITHDRAWAL_HOLD": "-1s", "MIN_WITHDRAWAL": "0.00", "REFERRAL_SHARE": "101", "DEPOSIT_CLAIM_TTL": "1m",
		"OTEL_EXPORTER_OTLP_ENDPOINT": "collector", "RIVER_UI_TOKEN": "fifteen-letters",
	} {
		t.Run(name, func(t *testing.T) {
			setWorker(t)
			t.Setenv(name, value)
			_, err := LoadWorker()
			require.ErrorContains(t, err, name+": must be")
		})
	}
}

func TestLoadMigrate(t *testing.T) {
	t.Setenv("DATABASE_URL", "postgres://owner:secret@db/amanat")
	t.Setenv("API_DB_PASSWORD", "a")
	_, err := LoadMigrate()
	require.ErrorContains(t, err, "WORKER_DB_PASSWORD: is required")
	t.Setenv("WORKER_DB_PASSWORD", "a")
	_, err = LoadMigrate()
	require.ErrorContains(t, err, "must differ")
	t.Setenv("WORKER_DB_PASSWORD", "b")
	c, err := LoadMigrate()
	require.NoError(t, err)
	require.Equal(t, "a", c.APIDBPassword)

	url, err := DatabaseURL()
	require.NoError(t, err)
	require.Equal(t, c.DatabaseURL, url)
}

func TestLoadLocal(t *testing.T) {
	for _, name := range []string{"PORT", "DATABASE_URL", "REDIS_URL", "SMTP_URL"} {
		t.Setenv(name, "")
	}
	c, err := LoadLocal()
	require.NoError(t, err)
	require.Equal(t, Local{Port: 8080, DataDir: ".local"}, c)

	// LocalAPI must ignore the owner's login: the api has its own.
	t.Setenv("DATABASE_URL", "postgres://owner@db/amanat")
	t.Setenv("OPERATION_WAIT", "1s")
	api, err := LocalAPI(8081, "postgres://amanat_api@127.0.0.1/amanat", "redis://127.0.0.1:6379")
	require.NoError(t, err)
	require.Equal(t, "postgres://amanat_api@127.0.0.1/amanat", api.DatabaseURL)
	require.Equal(t, "http://localhost:8081", api.PublicURL)
	require.Zero(t, api.AdminReauth)
	require.False(t, api.AdminSecondFactor)
	require.Equal(t, time.Second, api.OperationWait, "other variables of the environment apply")
	require.EqualValues(t, 12499, api.PublicUserOffset)

	api, err = LocalAPI(80, "postgres://amanat_api@127.0.0.1/amanat", "redis://127.0.0.1:6379")
	require.NoError(t, err)
	require.Equal(t, "http://localhost", api.PublicURL)

	worker, err := LocalWorker(8081, "postgres://amanat_worker@127.0.0.1/amanat", "redis://127.0.0.1:6379", "smtp://127.0.0.1:1025")
	require.NoError(t, err)
	require.Equal(t, "smtp://127.0.0.1:1025", worker.SMTPURL)

	t.Setenv("PORT", "99999")
	t.Setenv("REDIS_URL", "nowhere")
	_, err = LoadLocal()
	require.ErrorContains(t, err, "PORT: must be")
	require.ErrorContains(t, err, "REDIS_URL: must be")
}

func TestLoadAPI_unescaped_password(t *testing.T) {
	for name, value := range map[string]string{
		"slash":         "postgres://amanat_api:p@ss/w#rd@127.0.0.1:5432/amanat",
		"number sign":   "postgres://amanat_api:pass#word@127.0.0.1:5432/amanat",
		"question mark": "postgres://amanat_api:pass?word@127.0.0.1:5432/amanat",
		"percent":       "postgres://amanat_api:pass%word@127.0.0.1:5432/amanat",
	} {
		t.Run(name, func(t *testing.T) {
			setAPI(t)
			t.Setenv("DATABASE_URL", value)
			_, err := LoadAPI()
			require.ErrorContains(t, err, "%23 for #")
			require.NotContains(t, err.Error(), "pass#")
			require.NotContains(t, err.Error(), "w#rd")
			require.NotContains(t, err.Error(), "127.0.0.1")
		})
	}
	t.Run("escaped", func(t *testing.T) {
		setAPI(t)
		t.Setenv("DATABASE_URL", "postgres://amanat_api:p%40ss%2Fw%23r%3Fd%25@127.0.0.1:5432/amanat?sslmode=disable")
		_, err := LoadAPI()
		require.NoError(t, err)
	})
}

func TestLoadBucket(t *testing.T) {
	none, err := LoadBucket()
	require.NoError(t, err)
	require.False(t, none.Used())
	require.False(t, none.Written())
	setWorker(t)
	t.Setenv("BLOBS_URL", "https://key:s%2Fecret@s3.example.com:9000/amanat/pictures/small/?region=eu-central-1")
	worker, err := LoadWorker()
	require.NoError(t, err)
	require.Equal(t, blobs.Options{
		Endpoint: "https://s3.example.com:9000", Bucket: "amanat", Region: "eu-central-1", AccessKey: "key", SecretKey: "s/ecret",
		Prefix: "pictures/small/", PathStyle: true,
	}, worker.Bucket.Options)
	require.True(t, worker.Bucket.Written())
	t.Setenv("BLOBS_URL", "http://key:secret@minio/amanat?path_style=false&read_only=true")
	bucket, err := LoadBucket()
	require.NoError(t, err)
	require.Equal(t, Bucket{ReadOnly: true, Options: blobs.Options{
		Endpoint: "http://minio", Bucket: "amanat", AccessKey: "key", SecretKey: "secret",
	}}, bucket)
	require.Equal(t, []bool{true, false}, []bool{bucket.Used(), bucket.Written()}, "the files that it has are still read")
	for _, wrong := range []string{
		"s3.example.com", "s3://key:hunter2@s3.example.com/amanat", "https://s3.example.com/amanat", "https://key@s3.example.com/amanat",
		"https://key:hunter2@s3.example.com", "https://key:hunter2@s3.example.com/", "https://key:hun/ter2@s3.example.com/amanat",
		"https://key:hunter2@s3.example.com/amanat?read_only=maybe", "https://key:hunter2@s3.example.com/amanat?regoin=x",
	} {
		t.Setenv("BLOBS_URL", wrong)
		_, err := LoadBucket()
		require.ErrorContains(t, err, "BLOBS_URL: must ", wrong)
		require.NotContains(t, err.Error(), "hun", wrong)
	}
}

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
	t.Setenv("PHONE_KEYS", "shop=a-key-of-16-letters,spare=another-key-of-it")
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
	case "BKASH_CHECKOUT", "PHONE_KEYS", "RIVER_UI_TOKEN", "SMTP_URL", "VAPID_PRIVATE_KEY":
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
			if regexp.MustCompile(`(URL|KEYS?|CHECKOUT|TOKEN|SECRET|DB_PASSWORD|HEADERS)$`).MatchString(name) && !public[name] {
				require.Contains(t, secretVariables, name)
				found[name] = true
			}
		}
	}
	require.Len(t, found, len(secretVariables))
}

func TestHours(t *testing.T) {
	t.Parallel()
	for text, tc := range map[string]struct {
		from, to time.Duration // bounds
	}{
		"09:00-23:00": {9 * time.Hour, 23 * time.Hour},
		"18:30-02:15": {18*time.Hour + 30*time.Minute, 26*time.Hour + 15*time.Minute},
		"18:00-00:00": {18 * time.Hour, 24 * time.Hour},
		"18:00-24:00": {18 * time.Hour, 24 * time.Hour},
		"00:00-24:00": {0, 24 * time.Hour},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			var h Hours
			require.NoError(t, h.UnmarshalText([]byte(text)))
			from, to := h.Bounds()
			require.Equal(t, []time.Duration{tc.from, tc.to}, []time.Duration{from, to})
			require.Equal(t, text, h.String())
		})
	}
	from, to := Hours{}.Bounds()
	require.Equal(t, 24*time.Hour, to-from)
	require.Equal(t, "00:00-24:00", Hours{}.String())
}

//nolint:paralleltest // sets the environment
func TestLoadAPI_limit_defaults(t *testing.T) {
	setAPI(t)
	c, err := LoadAPI()
	require.NoError(t, err)
	per := func(count int, period time.Duration) ratelimit.Rate { return ratelimit.Rate{Count: count, Per: period} }
	require.Equal(t, per(100, 15*time.Minute), c.Limits.LoginAddressLimit)
	require.Equal(t, per(60, time.Hour), c.Limits.ForgotAddressLimit)
	require.Equal(t, per(3, time.Hour), c.Limits.ForgotEmailLimit)
	require.Equal(t, per(200, time.Hour), c.Limits.SignupLimit)
	require.Equal(t, per(60, time.Hour), c.Limits.FeedbackLimit)
	require.Equal(t, per(6, 24*time.Hour), c.Limits.MailboxLimit)
	require.Equal(t, per(20, time.Hour), c.Limits.PostLimit)
	require.Equal(t, per(60, time.Minute), c.Limits.MessageLimit)
	require.Equal(t, 4, c.Limits.NewDivisor)
	require.Equal(t, []int{200, 20, 10, 5},
		[]int{c.Limits.MaxPosts, c.Limits.MaxPostsNew, c.Limits.MaxPendingDeposits, c.Limits.MaxPendingWithdrawals})
}

// Each mistake is named as the operator wrote it, and a wrong name with the nearest one.
func TestLimits_invalid(t *testing.T) {
	for value, want := range map[string]string{
		"posts":                   `must be name=limit, as in posts=10/1h, and not "posts"`,
		"posts=10":                "posts: must be",
		"post=5/1h":               `must not have "post"; the nearest name is "posts"`,
		"login_addr=5/1h":         `the nearest name is "login-address"`,
		"LIMIT_CONVERSATIONS=off": `must not have "LIMIT_CONVERSATIONS"`,
		"new-divisor=0":           "new-divisor: must be",
		"max-posts=0":             "max-posts: must be",
		"max-posts-new=0":         "max-posts-new: must be",
		"max-pending-deposits=0":  "max-pending-deposits: must be",
		"sockets=-1":              "sockets: must be",
		"socket-frame-bytes=0":    "socket-frame-bytes: must be",
	} {
		t.Run(value, func(t *testing.T) {
			setAPI(t)
			t.Setenv("LIMITS", value)
			_, err := LoadAPI()
			require.ErrorContains(t, err, "LIMITS: ")
			require.ErrorContains(t, err, want)
		})
	}
}

// The local stack allows ten times the rates, but not more posts or deposits.
func TestLocalAPI_relaxed_limits(t *testing.T) {
	t.Setenv("LIMITS", "deals=1/1h")
	c, err := LocalAPI(8081, "postgres://amanat_api@127.0.0.1/amanat", "redis://127.0.0.1:6379")
	require.NoError(t, err)
	require.Equal(t, ratelimit.Rate{Count: 200, Per: time.Hour}, c.Limits.PostLimit)
	require.Equal(t, ratelimit.Rate{Count: 600, Per: time.Minute}, c.Limits.MessageLimit)
	require.Equal(t, ratelimit.Rate{Count: 300, Per: 10 * time.Minute}, c.Limits.PictureLimit)
	require.Equal(t, ratelimit.Rate{Count: 1, Per: time.Hour}, c.Limits.DealLimit, "a variable that is set overrides the relaxed default")
	require.Zero(t, c.Limits.SignupLimit, "all local users share an address")
	require.Equal(t, []int{200, 20, 10, 5},
		[]int{c.Limits.MaxPosts, c.Limits.MaxPostsNew, c.Limits.MaxPendingDeposits, c.Limits.MaxPendingWithdrawals})
	require.Equal(t, ratelimit.Rate{Count: 3, Per: time.Hour}, c.Limits.ForgotEmailLimit)
	require.Equal(t, 4, c.Limits.NewDivisor)
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

func TestQueues(t *testing.T) {
	setWorker(t)
	c, err := LoadWorker()
	require.NoError(t, err)
	require.Empty(t, c.Queues, "all of them")
	t.Setenv("QUEUES", "money, mail=20")
	c, err = LoadWorker()
	require.NoError(t, err)
	require.Equal(t, Queues{"money": 0, "mail": 20}, c.Queues)
	for value, message := range map[string]string{
		"money,":       "must be names of queues",
		"money,money":  "must be names of queues",
		"money=":       "must be names of queues",
		"money=many":   "must be names of queues",
		"=3":           "must be names of queues",
		"money=0":      "must be 1 to 1000 workers; money has 0",
		"money=100000": "must be 1 to 1000 workers",
	} {
		t.Setenv("QUEUES", value)
		_, err = LoadWorker()
		require.ErrorContains(t, err, "QUEUES: "+message, value)
	}
}

func TestTracing(t *testing.T) {
	for name, tc := range map[string]struct {
		environment map[string]string
		enabled     bool
		headers     map[string]string
	}{
		"off":         {nil, false, nil},
		"a collector": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, true, nil},
		"traces alone, with a token": {map[string]string{
			"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://collector/v1/traces",
			"OTEL_EXPORTER_OTLP_HEADERS":         "authorization=Bearer%20a=b+c, tenant = one",
		}, true, map[string]string{"authorization": "Bearer a=b+c", "tenant": "one"}},
		"disabled": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", "OTEL_SDK_DISABLED": "true"}, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			setAPI(t)
			for variable, value := range tc.environment {
				t.Setenv(variable, value)
			}
			c, err := LoadAPI()
			require.NoError(t, err)
			require.Equal(t, tc.enabled, c.TracingEnabled())
			require.Equal(t, tc.headers, c.TracingHeaders())
		})
	}
}

func TestTrustLimits(t *testing.T) {
	setAPI(t)
	c, err := LoadAPI()
	require.NoError(t, err)
	require.Equal(t, TrustLimits{
		New: TrustLimit{1000_00, 2000_00, 500_00}, Basic: TrustLimit{5000_00, 15_000_00, 5000_00},
		Established: TrustLimit{25_000_00, 50_000_00, 25_000_00},
	}, c.TrustLimits)
	for value, limits := range map[string]TrustLimits{
		"off": {},
		"trusted=0/0/0, established=0/9/0,new=0.50/1/2.25,basic=1/2/3": {
			New: TrustLimit{50, 1_00, 2_25}, Basic: TrustLimit{1_00, 2_00, 3_00}, Established: TrustLimit{0, 9_00, 0},
		},
	} {
		t.Run(value, func(t *testing.T) {
			t.Setenv("TRUST_LIMITS", value)
			c, err := LoadAPI()
			require.NoError(t, err)
			require.Equal(t, limits, c.TrustLimits)
		})
	}
}

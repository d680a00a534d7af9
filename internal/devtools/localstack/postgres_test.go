package localstack

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/smtp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/mailer"
	"amanat/internal/testing/program"
)

// serveEnv makes the test binary serve the folder in its value, so that a test can kill the process
// that started a server.
const serveEnv = "LOCALSTACK_TEST_SERVE"

func TestMain(m *testing.M) {
	dir, serve := os.LookupEnv(serveEnv)
	if !serve {
		os.Exit(m.Run())
	}
	server, err := StartPostgres(context.Background(), PostgresOptions{Dir: dir})
	if err != nil {
		fmt.Fprintln(os.Stdout, "error:", err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stdout, server.URL(maintenanceDB))
	if dir == "" {
		fmt.Fprintln(os.Stdout, server.cluster.remove)
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func start(t *testing.T, opts PostgresOptions) *Postgres {
	t.Helper()
	server, err := StartPostgres(t.Context(), opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	return server
}

func query[T any](t *testing.T, url, sql string, args ...any) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	rows, err := conn.Query(t.Context(), sql, args...)
	require.NoError(t, err)
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	require.NoError(t, err)
	return value
}

func exec1(t *testing.T, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	_, err = conn.Exec(t.Context(), sql)
	require.NoError(t, err)
}

func TestStartPostgres_restart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data", "postgres")
	t.Cleanup(func() { removeData(t, dir) })
	server, err := StartPostgres(t.Context(), PostgresOptions{Dir: dir})
	require.NoError(t, err)
	url, err := server.EnsureDatabase(t.Context(), "amanat")
	require.NoError(t, err)
	exec1(t, url, "create table kept (id int); insert into kept values (7)")
	require.Equal(t, "on", query[string](t, url, "show fsync"))
	require.Equal(t, "on", query[string](t, url, "show synchronous_commit"))
	require.Equal(t, "on", query[string](t, url, "show data_checksums"))
	require.NoError(t, server.Stop())

	server = start(t, PostgresOptions{Dir: dir})
	url, err = server.EnsureDatabase(t.Context(), "amanat")
	require.NoError(t, err)
	require.EqualValues(t, 7, query[int64](t, url, "select id from kept"))
	require.Equal(t, "127.0.0.1", query[string](t, url, "show listen_addresses"))

	wrong := strings.Replace(url, server.password, "guess", 1)
	_, err = pgx.Connect(t.Context(), wrong)
	require.ErrorContains(t, err, "password authentication failed")

	_, err = StartPostgres(t.Context(), PostgresOptions{Dir: dir})
	require.ErrorContains(t, err, "in use", "one server serves a folder")
}

// removeData deletes the folder that dir may link to, see placeData. t.TempDir deletes the rest.
func removeData(t *testing.T, dir string) {
	t.Helper()
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		require.NoError(t, os.RemoveAll(target))
	}
}

func TestStartPostgres_bangla(t *testing.T) {
	t.Parallel()
	url := start(t, PostgresOptions{NoSync: true}).URL(maintenanceDB)
	exec1(t, url, "create extension pg_trgm")
	require.Equal(t, "UTF8", query[string](t, url, "show server_encoding"))
	require.True(t, query[bool](t, url,
		"select to_tsvector('simple', $1) @@ plainto_tsquery('simple', $2)", "ফেসবুক পেজ বিক্রি করছি", "বিক্রি"))
	require.Greater(t, query[float64](t, url, "select similarity($1, $2)::float8", "আমানত", "আমানতদার"), 0.3)
	require.Equal(t, "àbç", query[string](t, url, "select lower('ÀBÇ')"))
	require.Less(t, query[string](t, url, "select min(x) from unnest(array['a', 'B']) x"), "a", "order by code point")
}

func TestStop_deletes_temporary_data(t *testing.T) {
	t.Parallel()
	server, err := StartPostgres(t.Context(), PostgresOptions{NoSync: true, MaxConnections: 37})
	require.NoError(t, err)
	require.Equal(t, "37", query[string](t, server.URL(maintenanceDB), "show max_connections"))
	require.Equal(t, "off", query[string](t, server.URL(maintenanceDB), "show fsync"))
	dir := server.cluster.remove
	require.DirExists(t, dir)
	require.NoError(t, server.Stop())
	require.NoDirExists(t, dir)
	<-server.Done()
	require.NoError(t, server.Stop(), "a second stop does nothing")
}

// served is a process that runs a server.
type served struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

func serve(t *testing.T, dir string) *served {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), serveEnv+"="+dir)
	cmd.Stderr = os.Stderr
	_, err = cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	s := &served{cmd: cmd, lines: bufio.NewScanner(out)}
	t.Cleanup(s.kill)
	return s
}

func (s *served) line(t *testing.T) string {
	t.Helper()
	require.True(t, s.lines.Scan())
	require.NotContains(t, s.lines.Text(), "error")
	return s.lines.Text()
}

func (s *served) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

func TestStartPostgres_after_kill(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	t.Cleanup(func() { removeData(t, dir) })
	for round := range 3 {
		process := serve(t, dir)
		url := process.line(t)
		exec1(t, url, "create table if not exists rounds (round int)")
		exec1(t, url, fmt.Sprintf("insert into rounds values (%d)", round))
		process.kill()
	}
	server := start(t, PostgresOptions{Dir: dir})
	require.EqualValues(t, 3, query[int64](t, server.URL(maintenanceDB), "select count(*) from rounds"))
}

func TestStartPostgres_stale_pid_file(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	t.Cleanup(func() { removeData(t, dir) })
	server, err := StartPostgres(t.Context(), PostgresOptions{Dir: dir})
	require.NoError(t, err)
	pidFile := filepath.Join(server.cluster.dir, "postmaster.pid")
	text, err := os.ReadFile(pidFile)
	require.NoError(t, err)
	require.NoError(t, server.Stop())
	// The pid now belongs to a running program of the same user. The test's own parent would not
	// do.
	_, rest, _ := strings.Cut(string(text), "\n")
	sleeper := server.cluster.as.command(t.Context(), "/", "sleep", "60")
	t.Cleanup(func() { _ = sleeper.Process.Kill(); _ = sleeper.Wait() })
	require.NoError(t, sleeper.Start())
	require.NoError(t, os.WriteFile(pidFile, fmt.Appendf(nil, "%d\n%s", sleeper.Process.Pid, rest), 0o600))
	require.NoError(t, server.cluster.as.own(pidFile))
	start(t, PostgresOptions{Dir: dir})
}

func TestStartPostgres_killed_process_deletes_data(t *testing.T) {
	t.Parallel()
	process := serve(t, "")
	url, dir := process.line(t), process.line(t)
	require.DirExists(t, dir)
	process.kill()
	require.Eventually(t, func() bool {
		_, err := os.Stat(dir)
		return os.IsNotExist(err)
	}, 20*time.Second, 50*time.Millisecond)
	_, err := pgx.Connect(t.Context(), url)
	require.Error(t, err)
}

func TestLinkLibraries_concurrent(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	native := filepath.Join(root, "native")
	require.NoError(t, os.MkdirAll(filepath.Join(native, "lib"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(native, "lib", "libx.so.1.2"), []byte("x"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(native, linksFile),
		[]byte(`[{"source":"native/lib/libx.so.1.2","target":"native/lib/libx.so.1"}]`), 0o644))
	results := make(chan error)
	for range 8 {
		go func() { results <- linkLibraries(native) }()
	}
	for range 8 {
		require.NoError(t, <-results)
	}
	target, err := os.Readlink(filepath.Join(native, "lib", "libx.so.1"))
	require.NoError(t, err)
	require.Equal(t, "libx.so.1.2", target, "relative, so that the folder may move")
	entries, err := os.ReadDir(filepath.Join(native, "lib"))
	require.NoError(t, err)
	require.Len(t, entries, 2)
}

type redisUnderTest interface {
	URL() string
	Interrupt()
	Resume(ctx context.Context) error
	Stop()
}

func TestRedis(t *testing.T) {
	t.Parallel()
	server, err := StartRedis()
	require.NoError(t, err)
	testRedis(t, server)
}

func TestRedisServer(t *testing.T) {
	t.Parallel()
	server, err := StartRedisServer(t.Context(), program.Path(t, "redis-server"), t.TempDir())
	require.NoError(t, err)
	testRedis(t, server)
}

func testRedis(t *testing.T, server redisUnderTest) {
	t.Helper()
	t.Cleanup(server.Stop)
	opts, err := redis.ParseURL(server.URL())
	require.NoError(t, err)
	opts.DialerRetries, opts.MaxRetries = 1, -1
	client := redis.NewClient(opts)
	t.Cleanup(func() { _ = client.Close() })
	exists := func(ctx context.Context, key string) bool { return client.Exists(ctx, key).Val() == 1 }

	require.NoError(t, client.Set(t.Context(), "short", "1", 300*time.Millisecond).Err())
	require.NoError(t, client.Set(t.Context(), "long", "1", time.Minute).Err())
	require.Eventually(t, func() bool { return !exists(t.Context(), "short") }, 5*time.Second, 10*time.Millisecond)
	require.True(t, exists(t.Context(), "long"))

	server.Interrupt()
	require.Error(t, client.Ping(t.Context()).Err())
	require.NoError(t, server.Resume(t.Context()))
	require.Eventually(t, func() bool { return client.Ping(t.Context()).Err() == nil }, 5*time.Second, 10*time.Millisecond)
	require.False(t, exists(t.Context(), "long"))
}

var mailTime = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func startMail(t *testing.T) *MailCatcher {
	t.Helper()
	c, err := StartMail(t.Context(), func() time.Time { return mailTime })
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Stop()) })
	return c
}

func TestMails(t *testing.T) {
	t.Parallel()
	c := startMail(t)
	sender, err := mailer.NewSMTP(c.URL(), "Amanat <no-reply@amanat.example>", 4)
	require.NoError(t, err)
	long := strings.Repeat("টাকা আপনার ওয়ালেটে পৌঁছেছে। ", 40)
	for _, subject := range []string{"First", "আপনার ই-মেইল নিশ্চিত করুন"} {
		require.NoError(t, sender.Send(t.Context(), mailer.Message{
			To:      "buyer@example.com",
			Subject: subject,
			Text:    long + "\nhttps://amanat.example/verify-email?token=a=b",
			HTML:    "<p>আমানত &amp; co</p>",
		}))
	}
	mails := c.Mails()
	require.Len(t, mails, 2)
	require.Equal(t, "আপনার ই-মেইল নিশ্চিত করুন", mails[0].Subject, "newest first")
	require.Equal(t, "First", mails[1].Subject)
	require.Contains(t, mails[0].From, "no-reply@amanat.example")
	require.Equal(t, "buyer@example.com", mails[0].To)
	require.Contains(t, mails[0].Text, strings.TrimSpace(long))
	require.Contains(t, mails[0].Text, "https://amanat.example/verify-email?token=a=b")
	require.Contains(t, mails[0].HTML, "<p>আমানত &amp; co</p>")
	require.Equal(t, mailTime, mails[0].At)
}

func TestMails_other_formats(t *testing.T) {
	t.Parallel()
	c := startMail(t)
	send := func(raw string) error {
		return smtp.SendMail(strings.TrimPrefix(c.URL(), "smtp://"), nil, "bounces@example.com",
			[]string{"a@example.com", "b@example.com"}, []byte(strings.ReplaceAll(raw, "\n", "\r\n")))
	}
	require.NoError(t, send("Subject: plain\n\nNo content type at all.\n"))
	require.NoError(t, send("Subject: base64\nContent-Type: text/plain; charset=utf-8\n"+
		"Content-Transfer-Encoding: base64\n\n4KaG4Kau4Ka+4Kao4KakCg==\n"))
	require.Error(t, send("this is no mail\n"))

	mails := c.Mails()
	require.Len(t, mails, 2)
	require.Equal(t, "আমানত\n", mails[0].Text)
	require.Equal(t, "No content type at all.", strings.TrimSpace(mails[1].Text))
	require.Equal(t, "a@example.com, b@example.com", mails[1].To)
}

func TestServeHTTP(t *testing.T) {
	t.Parallel()
	c := startMail(t)
	get := func(method, target string) *httptest.ResponseRecorder {
		recorder := httptest.NewRecorder()
		c.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), method, target, nil))
		return recorder
	}
	require.JSONEq(t, "[]", get(http.MethodGet, "/dev/mail?format=json").Body.String())
	require.Contains(t, get(http.MethodGet, "/dev/mail").Body.String(), "No mail yet")

	c.add(Mail{
		From: "a@example.com", To: "b@example.com", Subject: "<script>alert(1)</script>", Text: "t",
		HTML: `<a href="https://x.example/?a=1&amp;b=2">"go"</a>`, At: mailTime,
		Header: mail.Header{"Auto-Submitted": {"auto-generated"}},
	})
	var list []map[string]any
	require.NoError(t, json.Unmarshal(get(http.MethodGet, "/dev/mail?format=json").Body.Bytes(), &list))
	require.Len(t, list, 1)
	require.Equal(t, map[string]any{
		"from": "a@example.com", "to": "b@example.com", "subject": "<script>alert(1)</script>", "text": "t",
		"html": `<a href="https://x.example/?a=1&amp;b=2">"go"</a>`, "at": "2026-03-04T05:06:07Z",
		"headers": map[string]any{"Auto-Submitted": []any{"auto-generated"}},
	}, list[0])

	page := get(http.MethodGet, "/dev/mail").Body.String()
	require.NotContains(t, page, "<script>")
	require.Contains(t, page,
		`srcdoc="&lt;base target=&#34;_blank&#34;&gt;&lt;a href=&#34;https://x.example/?a=1&amp;amp;b=2&#34;&gt;&#34;go&#34;&lt;/a&gt;"`,
		"the mail's markup, escaped once")
	require.Equal(t, http.StatusMethodNotAllowed, get(http.MethodPost, "/dev/mail").Code)
}

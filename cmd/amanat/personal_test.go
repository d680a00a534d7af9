package main

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/tracing"
	"amanat/internal/testing/dbtest"
)

// newUser inserts a user with a session and returns the ids of both.
func newUser(t *testing.T, db *dbtest.DB, username string) (user, session uuid.UUID) {
	t.Helper()
	user, session = uuid.New(), uuid.New()
	_, err := db.Owner().Exec(t.Context(), `
		insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		values ($1, $2, $2 || '@example.com', '', $2, now(), now())`, user, username)
	require.NoError(t, err)
	_, err = db.Owner().Exec(t.Context(), `
		insert into sessions (id, user_id, token_hash, user_agent, address, created_at, last_seen_at, expires_at, password_confirmed_at)
		values ($1::uuid, $2, sha256(convert_to($1::uuid::text, 'UTF8')), 'Firefox on Linux', '203.0.113.7', now(), now(),
		        now() + interval '1 day', now())`, session, user)
	require.NoError(t, err)
	return user, session
}

// requireSessionsCanBeEnded lists and ends sessions, and hears what open pages are told.
func requireSessionsCanBeEnded(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.APIURL)
	user, session := newUser(t, db, "nusrat")
	redis := miniredis.RunT(t)
	subscriber := redis.NewSubscriber()
	subscriber.Subscribe("rt:ctl")
	told := make(chan string, 10) // the subscriber has no buffer
	go func() {
		for message := range subscriber.Messages() {
			told <- message.Message
		}
	}()
	t.Cleanup(subscriber.Close)
	t.Setenv("REDIS_URL", "redis://"+redis.Addr())

	out, err := amanat(t, "sessions", "list", "Nusrat")
	require.NoError(t, err)
	for _, part := range []string{session.String(), "203.0.113.7", "Firefox on Linux"} {
		require.Contains(t, out.stdout.String(), part)
	}
	requireFields(t, "id createdAt lastSeenAt address browser", document(t, "sessions", "list", "nusrat"))
	_, err = amanat(t, "sessions", "end", "nusrat", uuid.NewString())
	require.ErrorContains(t, err, "Session not found")
	out, err = amanat(t, "sessions", "end", "nusrat", session.String())
	require.NoError(t, err)
	require.Equal(t, "nusrat is signed out of that browser.\n", out.stdout.String())
	require.JSONEq(t, `{"session": "`+session.String()+`"}`, <-told)
	out, err = amanat(t, "sessions", "end", "nusrat", "all")
	require.NoError(t, err)
	require.Equal(t, "nusrat is signed out everywhere.\n", out.stdout.String())
	require.JSONEq(t, `{"user": "`+user.String()+`"}`, <-told)
	out, err = amanat(t, "sessions", "list", "nusrat")
	require.NoError(t, err)
	require.Equal(t, "nusrat is signed in nowhere.\n", out.stdout.String())

	for _, args := range [][]string{{"list", "nobody"}, {"end", "nobody", "all"}} {
		_, err = amanat(t, append([]string{"sessions"}, args...)...)
		require.ErrorContains(t, err, "User not found")
	}
	t.Setenv("REDIS_URL", "")
	_, err = amanat(t, "sessions", "end", "nusrat", "all")
	require.NoError(t, err, "without Redis, open pages end within a minute")
}

// requireExport exports the user of requireSessionsCanBeEnded with a picture.
func requireExport(t *testing.T, db *dbtest.DB) {
	t.Helper()
	picture := []byte("\x89PNG bytes of a picture")
	_, err := db.Owner().Exec(t.Context(), `
		with blob as (insert into image_blobs (hash, saved_at) values (sha256($1), now()) returning hash),
		     variant as (insert into image_variants (hash, width, height, content_type, data) select hash, 1, 1, 'image/png', $1 from blob)
		insert into images (id, blob_hash, owner_id, width, height, created_at)
		select gen_random_uuid(), blob.hash, u.id, 1, 1, now() from blob, users u where u.username = 'nusrat'`, picture)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "nusrat.zip")
	t.Setenv("DATABASE_URL", db.APIURL)
	_, err = amanat(t, "export-user", "nobody", path)
	require.ErrorContains(t, err, "User not found")
	require.NoFileExists(t, path, "nothing is left of an export that failed")
	out, err := amanat(t, "export-user", "Nusrat", path)
	require.NoError(t, err)
	require.Equal(t, "The archive of nusrat is in "+path+".\n", out.stdout.String())
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	archive, err := zip.OpenReader(path)
	require.NoError(t, err)
	defer func() { _ = archive.Close() }()
	files := map[string]string{}
	for _, entry := range archive.File {
		content, err := entry.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(content)
		require.NoError(t, err)
		files[entry.Name] = string(text)
		if strings.HasPrefix(entry.Name, "pictures/") {
			require.Equal(t, picture, text)
			files["picture"] = entry.Name
		}
	}
	require.Contains(t, files["profile.json"], `"username":"nusrat"`)
	require.Contains(t, files["README.txt"], "nusrat")
	require.Regexp(t, `\.png$`, files["picture"])
	_, err = amanat(t, "export-user", "nusrat", path)
	require.ErrorIs(t, err, os.ErrExist, "a file is never overwritten")
}

// requireErasure is refused for a user with money, and erases one who is suspended.
func requireErasure(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.APIURL)
	erase := func(typed string, args ...string) (string, error) {
		out, err := amanatReading(t, typed, append([]string{"erase-user"}, args...)...)
		return out.stdout.String(), err
	}
	for _, typed := range []string{"", "nusra\n", "yes\n"} {
		_, err := erase(typed, "nusrat")
		require.ErrorContains(t, err, "nothing was changed")
	}
	_, err := amanat(t, "erase-user", "rahim", "--yes")
	require.ErrorContains(t, err, "Withdraw your balance before", "as the user would be refused")
	_, err = amanat(t, "erase-user", "nobody", "--yes")
	require.ErrorContains(t, err, "User not found")

	user, _ := newUser(t, db, "shirin")
	_, err = db.Owner().Exec(t.Context(), `
		with decision as (
		  insert into moderation_cases (id, subject, subject_id, accused_id, username, title, text, category, first_reported_at)
		  values (gen_random_uuid(), 'user', $1, $1, '', '', '', '', now()) returning id)
		update users set disabled_at = now(), suspended_by = decision.id from decision where users.id = $1`, user)
	require.NoError(t, err)
	stranger, _ := newUser(t, db, "mallory")
	_, err = db.Owner().Exec(t.Context(), `
		insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at,
		                   next_action, next_action_at)
		values (gen_random_uuid(), $1, $2, $1, 10000, 200, 'A logo', 1, 'Pending', now(), now() + interval '1 day', 'expire',
		        now() + interval '1 day')`, stranger, user)
	require.NoError(t, err)
	said, err := erase(" Shirin\n", "shirin")
	require.NoError(t, err)
	require.Contains(t, said, "The account of shirin is closed")
	var name string
	var closed bool
	var jobs int
	require.NoError(t, db.Owner().QueryRow(t.Context(), `
		select username, closed_at is not null and disabled_at is not null and suspended_by is null,
		       (select count(*) from river.river_job where kind = 'erase_account' and args ->> 'user_id' = $1::text)
		  from users where id = $1::uuid`, user).Scan(&name, &closed, &jobs))
	require.Regexp(t, `^deleted-`, name)
	require.True(t, closed, "and the end of a suspension does not open it")
	require.Equal(t, 2, jobs)
	_, err = amanat(t, "erase-user", name, "--yes")
	require.ErrorContains(t, err, "closed already")
}

// requireTrail finds what a user did: in the database, and a refused payment in the log of an api.
func requireTrail(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.APIURL)
	user, session := newUser(t, db, "farida")
	_, err := db.Owner().Exec(t.Context(), `
		with deal as (
		  insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at,
		                     next_action, next_action_at)
		  select gen_random_uuid(), $1, id, id, 700, 14, 'A logo', 1, 'Pending', now(), now() + interval '1 day', 'expire',
		         now() + interval '1 day' from users where username = 'salma' returning id)
		insert into operations (id, kind, subject, actor_id, params, status, error_code, error_reason, error_message, created_at, finished_at,
		                        request_id)
		select gen_random_uuid(), 'deal_pay', 'deal:' || deal.id, $1, '{}', 'rejected', 'conflict', 'x', 'Not enough money.', now(), now(),
		       '019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0a' from deal`, user)
	require.NoError(t, err)
	_, err = amanat(t, "verify-user", "farida")
	require.NoError(t, err)
	deal := uuid.NewString()
	line := func(user uuid.UUID, code, reference string) string {
		return `{"time":"` + time.Now().Format(time.RFC3339Nano) + `","level":"INFO","msg":"request","request_id":"` + reference +
			`","method":"POST","route":"/api/deals/pay/{id}","status":409,"user_id":"` + user.String() + `",` + code +
			`"path.id":"` + deal + `"}` + "\n"
	}
	const requestID = "019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0b"
	refusal := `"code":"conflict","reason":"deal_status",`
	log := "no JSON\napi-1  | " + line(user, refusal, requestID) + line(user, "", requestID) + line(uuid.New(), refusal, requestID)
	file := filepath.Join(t.TempDir(), "api.log")
	require.NoError(t, os.WriteFile(file, []byte(log), 0o600))

	stored, err := amanat(t, "trail", "Farida")
	require.NoError(t, err)
	for _, told := range []string{
		"session.open", session.String(), "Firefox on Linux", "203.0.113.7", "deal_pay", "rejected", " 7.00 ", "conflict: Not enough money.",
		tracing.Reference("019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0a"), "user.verify", "operator",
	} {
		require.Contains(t, stored.stdout.String(), told)
	}
	require.NotContains(t, stored.stdout.String(), deal)
	for _, from := range []string{file, "-"} {
		out, err := amanatReading(t, log, "trail", "farida", "--since", "1h", "--log", from)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(out.stdout.String(), deal), "the refused call of this user alone")
		require.Regexp(t, `POST /api/deals/pay/\{id\} +id:`+deal+` +409 +- +- +`+tracing.Reference(requestID)+` +conflict: deal_status`,
			out.stdout.String())
	}
	read := document(t, "trail", "farida", "--log", file)
	requireFields(t, "at event subject status amount actor reference detail", read)
	require.Len(t, document(t, "trail", "farida", "--log", file, "--limit", "2"), 2)
	require.Empty(t, document(t, "trail", "farida", "--log", file, "--since", "2999-01-01"))
	_, err = amanat(t, "trail", "farida", "--log", file+".1")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = amanat(t, "trail", "nobody")
	require.ErrorContains(t, err, "User not found")
}

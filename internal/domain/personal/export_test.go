package personal

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/images"
	"amanat/internal/domain/notifications"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
)

var testTime = time.Date(2026, 3, 26, 9, 30, 0, 0, time.UTC)

// silent replaces Redis.
type silent struct{}

func (silent) PublishFrame(uuid.UUID, realtime.Frame) {}
func (silent) PublishAdmins(realtime.Frame)           {}

type fixture struct {
	t        *testing.T
	db       *dbtest.DB
	clock    *clock.Offset
	service  *Service
	exporter *Exporter
	user     uuid.UUID
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t: t, db: dbtest.New(t), clock: clock.NewOffset(0), user: uuid.Must(uuid.NewV7())}
	f.exec(`insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		values (@user, 'rahim', 'rahim@example.com', '', 'code', now(), now())`, nil)
	log := slog.New(slog.DiscardHandler)
	inserter, err := jobs.NewInserter(f.db.API(), log)
	require.NoError(t, err)
	f.service = &Service{DB: f.db.API(), Clock: f.clock, Jobs: inserter}
	events := &realtime.Log{Clock: f.clock, Publish: silent{}}
	f.exporter = &Exporter{
		DB: f.db.Worker(), Clock: f.clock, Events: events, Jobs: inserter,
		Images:  images.New(images.Options{DB: f.db.Worker(), Clock: f.clock}),
		Notices: &notifications.Service{DB: f.db.Worker(), Clock: f.clock, Events: events},
	}
	return f
}

func (f *fixture) exec(sql string, args postgres.Args) {
	f.t.Helper()
	named := postgres.Args{"user": f.user}
	for name, value := range args {
		named[name] = value
	}
	_, err := f.db.Owner().Exec(f.t.Context(), sql, named)
	require.NoError(f.t, err)
}

func (f *fixture) count(sql string) (n int) {
	f.t.Helper()
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(), sql).Scan(&n))
	return n
}

// request requests an export and returns its ID.
func (f *fixture) request() uuid.UUID {
	f.t.Helper()
	e, err := f.service.Request(f.t.Context(), f.user)
	require.NoError(f.t, err)
	require.Equal(f.t, Pending, e.Status)
	return e.ID
}

// archive returns the files of an export.
func (f *fixture) archive(id uuid.UUID) map[string]string {
	f.t.Helper()
	e, err := f.service.Find(f.t.Context(), f.user, id)
	require.NoError(f.t, err)
	var whole bytes.Buffer
	for number, more := 0, true; more; number++ {
		var data []byte
		data, more, err = f.service.Part(f.t.Context(), id, number)
		require.NoError(f.t, err)
		require.LessOrEqual(f.t, len(data), partSize)
		whole.Write(data)
	}
	require.EqualValues(f.t, e.Size, whole.Len())
	reader, err := zip.NewReader(bytes.NewReader(whole.Bytes()), e.Size)
	require.NoError(f.t, err)
	files := map[string]string{}
	for _, file := range reader.File {
		content, err := file.Open()
		require.NoError(f.t, err)
		text, err := io.ReadAll(content)
		require.NoError(f.t, err)
		files[file.Name] = string(text)
	}
	return files
}

// pictures stores pictures of the user with random contents.
func (f *fixture) pictures(n, size int) {
	f.t.Helper()
	for i := range n {
		data := make([]byte, size)
		for j := range data {
			data[j] = byte(rand.Uint32()) // contents that cannot be compressed
		}
		hash := fmt.Appendf(nil, "%032d", i)
		f.exec(`insert into image_blobs (hash, saved_at) values (@hash, now())`, postgres.Args{"hash": hash})
		f.exec(`insert into image_variants (hash, width, height, content_type, data) values (@hash, 10, 10, 'image/png', @data)`,
			postgres.Args{"hash": hash, "data": data})
		f.exec(`insert into images (id, blob_hash, owner_id, width, height, created_at) values (gen_random_uuid(), @hash, @user, 10, 10, now())`,
			postgres.Args{"hash": hash})
	}
}

// An archive is stored in parts, also if an attempt before left some.
func TestMake_parts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.pictures(3, partSize-100)
	id := f.request()
	require.NoError(t, insertPart.Run(t.Context(), f.db.Worker(),
		postgres.Args{"id": id, "number": 0, "data": []byte("of an attempt before")}))
	require.NoError(t, f.exporter.Make(t.Context(), id))
	files := f.archive(id)
	require.Len(t, files, len(sources)+4)
	require.Contains(t, files["profile.json"], `"username":"rahim"`)
	require.Equal(t, "[]\n", files["posts.json"])
	require.NotContains(t, files["README.txt"], "left out")
	require.Greater(t, f.count(`select count(*) from data_export_parts`), 2)
	require.NoError(t, f.exporter.Make(t.Context(), id), "a repeated job has no effect")
	require.Equal(t, 1, f.count(`select count(*) from notifications`))
	require.Contains(t, f.archive(id)["profile.json"], "rahim")
}

func TestMake_too_many_pictures(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exporter.pictures = 100_000
	f.pictures(5, 60_000)
	id := f.request()
	require.NoError(t, f.exporter.Make(t.Context(), id))
	files := f.archive(id)
	require.Len(t, files, len(sources)+1+2)
	require.Contains(t, files["README.txt"], "The archive would be too large, so 3 pictures are left out.")
}

// Times are UTC, whatever the zone of the database, and all rows are of one moment.
func TestMake_snapshot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exec(`insert into account_events (id, user_id, kind, at, address, user_agent) values (gen_random_uuid(), @user, 'login', @at, '', '')`,
		postgres.Args{"at": testTime})
	id := f.request()
	require.NoError(t, f.exporter.Make(t.Context(), id))
	require.Contains(t, f.archive(id)["security_events.json"], `"at":"2026-03-26T09:30:00+00:00"`)
}

// A user is told once that an export has failed, and may request another.
func TestFail(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.request()
	require.NoError(t, f.exporter.Fail(t.Context(), id))
	require.NoError(t, f.exporter.Fail(t.Context(), id))
	require.NoError(t, f.exporter.Make(t.Context(), id), "it is not pending")
	last, err := f.service.Latest(t.Context(), f.user)
	require.NoError(t, err)
	require.Equal(t, Failed, last.Status)
	require.Equal(t, 1, f.count(`select count(*) from notifications where kind = 'data_export_failed'`))
	require.NotEqual(t, id, f.request())
}

// An export whose jobs were lost becomes failed after a day.
func TestRemoveExpired_abandoned(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.request()
	_, err := f.exporter.RemoveExpired(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, f.count(`select count(*) from data_exports where status = 'pending'`))
	f.clock.Advance(abandonedAfter)
	_, err = f.exporter.RemoveExpired(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, f.count(`select count(*) from data_exports where status = 'failed'`))
	f.clock.Advance(exportKept)
	removed, err := f.exporter.RemoveExpired(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, removed)
	require.Zero(t, f.count(`select count(*) from data_exports`))
}

// A part that cannot be stored fails the export, which stays pending for the next attempt.
func TestMake_part_fails(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.request()
	f.exporter.DB = failing{f.exporter.DB}
	require.ErrorIs(t, f.exporter.Make(t.Context(), id), errFull)
	last, err := f.service.Latest(t.Context(), f.user)
	require.NoError(t, err)
	require.Equal(t, Pending, last.Status)
}

var errFull = errors.New("the disk is full")

// failing fails to store parts.
type failing struct{ postgres.DB }

func (d failing) Exec(ctx context.Context, sql string, args ...any) (tag pgconn.CommandTag, err error) {
	if strings.Contains(sql, "insert into data_export_parts") {
		return tag, errFull
	}
	return d.DB.Exec(ctx, sql, args...)
}

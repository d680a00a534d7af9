package images_test

import (
	"context"
	"encoding/json"
	"errors"
	"image/color"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/images"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

func (f *blobFixture) mover(stored images.Blobs) *images.Mover {
	return &images.Mover{DB: f.db.Worker(), Clock: f.clock, Blobs: stored, Report: func(images.Moved, int64) {}}
}

// saveInRows saves pictures whose files are in the database.
func (f *blobFixture) saveInRows(t *testing.T, n int) (ids []uuid.UUID) {
	t.Helper()
	service := f.images
	f.images = f.inRows
	for i := range n {
		ids = append(ids, f.save(t, picture(t, color.RGBA{G: uint8(10 * i), A: 255})))
	}
	f.images = service
	return ids
}

func (f *blobFixture) inDatabase(t *testing.T) int {
	t.Helper()
	return count(t, f.db.Owner(), "select count(*) from image_variants where data is not null")
}

// Files that are moved stay what they were. A run that is ended is continued.
func TestMove(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	files := map[uuid.UUID][]byte{}
	for _, id := range f.saveInRows(t, 12) {
		_, files[id], _ = f.load(t, id, 0)
	}
	unchanged := func() {
		for id, data := range files {
			_, now, _ := f.load(t, id, 0)
			require.Equal(t, data, now)
		}
	}
	mover := f.mover(f.blobs)
	ctx, cancel := context.WithCancel(t.Context())
	mover.Report = func(images.Moved, int64) { cancel() }
	all := f.inDatabase(t)
	_, err := mover.Move(ctx)
	require.ErrorIs(t, err, context.Canceled)
	mover.Report = func(images.Moved, int64) {}
	left := f.inDatabase(t)
	require.Equal(t, all-8, left)
	unchanged()
	done, err := mover.Move(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, left, done.Files)
	require.Zero(t, f.inDatabase(t))
	unchanged()
	last, err := postgres.Value[[]byte](t.Context(), f.db.Owner(), "test.audit",
		"select details::text::bytea from audit_log order by id desc limit 1", nil)
	require.NoError(t, err)
	var details struct {
		State string
		Files int
	}
	require.NoError(t, json.Unmarshal(last, &details))
	require.Equal(t, "finished", details.State)
	require.Equal(t, left, details.Files)
}

// hooked calls a hook before it reads a picture.
type hooked struct {
	images.Blobs

	get func() error
}

func (h hooked) Get(ctx context.Context, key string, offset int64) (io.ReadCloser, error) {
	if key != "database.txt" {
		if err := h.get(); err != nil {
			return nil, err
		}
	}
	return h.Blobs.Get(ctx, key, offset)
}

// A storage that does not work, or does not return what it was given, ends the move, and the file
// stays in the database.
func TestMove_failing_storage(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	id := f.saveInRows(t, 1)[0]
	_, data, _ := f.load(t, id, 0)
	for _, get := range []func() error{
		func() error { return errors.New("refused") },
		func() error {
			for _, path := range f.server.Files() {
				require.NoError(t, os.WriteFile(path, []byte("another file"), 0o600))
			}
			return nil
		},
	} {
		done, err := f.mover(hooked{Blobs: f.blobs, get: get}).Move(t.Context())
		require.Equal(t, fault.Unavailable, fault.CodeOf(err))
		require.Zero(t, done.Files)
		require.Equal(t, 2, f.inDatabase(t))
		_, now, _ := f.load(t, id, 0)
		require.Equal(t, data, now)
	}
	_, err := f.mover(f.blobs).Move(t.Context())
	require.NoError(t, err)
	_, now, _ := f.load(t, id, 0)
	require.Equal(t, data, now)
}

// A picture is deleted while its files are moved. Their objects are removed, too.
func TestMove_deleted_meanwhile(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	id := f.saveInRows(t, 1)[0]
	deleted := sync.OnceFunc(func() {
		f.release(t, id)
		f.clock.Advance(25 * time.Hour)
		_, err := f.cleaner().Cleanup(t.Context())
		require.NoError(t, err)
	})
	done, err := f.mover(hooked{Blobs: f.blobs, get: func() error { deleted(); return nil }}).Move(t.Context())
	require.NoError(t, err)
	require.Zero(t, done.Files)
	f.clock.Advance(25 * time.Hour)
	_, err = f.cleaner().Sweep(t.Context())
	require.NoError(t, err)
	require.Empty(t, f.server.Files())
}

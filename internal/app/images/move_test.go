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
	"amanat/internal/lib/postgres"
)

// mover moves files that no failure is expected of.
func (f *blobFixture) mover(t *testing.T, stored images.Blobs) *images.Mover {
	t.Helper()
	return &images.Mover{
		DB: f.db.Worker(), Clock: f.clock, Blobs: stored,
		Report: func(images.Moved, int64) {}, Failed: func(err error) { require.NoError(t, err) },
	}
}

// Files move in both directions and stay what they were. A run that is ended is continued.
func TestMove(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	service := f.images
	f.images = f.inRows
	files := map[uuid.UUID][]byte{}
	for i := range 12 {
		id := f.save(t, picture(t, color.RGBA{G: uint8(10 * i), A: 255}))
		_, files[id], _ = f.load(t, id, 0)
	}
	f.images = service
	unchanged := func() {
		for id, data := range files {
			_, now, _ := f.load(t, id, 0)
			require.Equal(t, data, now)
		}
	}
	mover := f.mover(t, f.blobs)
	ctx, cancel := context.WithCancel(t.Context())
	mover.Report = func(images.Moved, int64) { cancel() }
	_, err := mover.Move(ctx, true)
	require.ErrorIs(t, err, context.Canceled)
	mover.Report = func(images.Moved, int64) {}
	left := count(t, f.db.Owner(), "select count(*) from image_variants where data is not null")
	require.Equal(t, count(t, f.db.Owner(), "select count(*) from image_variants")-8, left)
	unchanged()
	done, err := mover.Move(t.Context(), true)
	require.NoError(t, err)
	require.EqualValues(t, left, done.Files)
	require.Zero(t, count(t, f.db.Owner(), "select count(*) from image_variants where data is not null"))
	unchanged()

	_, err = mover.Move(t.Context(), false)
	require.NoError(t, err)
	require.Zero(t, count(t, f.db.Owner(), "select count(*) from image_variants where object is not null"))
	unchanged()
	f.clock.Advance(25 * time.Hour)
	_, err = f.cleaner().Sweep(t.Context())
	require.NoError(t, err)
	require.Empty(t, f.server.Files())
	last, err := postgres.Value[[]byte](t.Context(), f.db.Owner(), "test.audit",
		"select details::text::bytea from audit_log order by id desc limit 1", nil)
	require.NoError(t, err)
	var details struct{ To, State string }
	require.NoError(t, json.Unmarshal(last, &details))
	require.Equal(t, struct{ To, State string }{"postgres", "finished"}, details)
}

// Files that the object storage has lost or changed stay where they are, and the others are moved.
func TestMove_lost_files(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	kept := f.save(t, picture(t, blue))
	_, data, _ := f.load(t, kept, 0)
	whole := f.server.Files()
	f.save(t, picture(t, color.RGBA{G: 200, A: 255}))
	for i, path := range f.server.Files() {
		switch {
		case path == whole[0] || path == whole[1]:
		case i%2 == 0:
			require.NoError(t, os.Remove(path))
		default:
			require.NoError(t, os.WriteFile(path, []byte("another file"), 0o600))
		}
	}
	mover := f.mover(t, f.blobs)
	var failures []error
	mover.Failed = func(err error) { failures = append(failures, err) }
	done, err := mover.Move(t.Context(), false)
	require.ErrorIs(t, err, images.ErrNotMoved)
	require.EqualValues(t, 2, done.Files)
	require.EqualValues(t, 2, done.Failed)
	require.Len(t, failures, 2)
	require.Equal(t, 2, count(t, f.db.Owner(), "select count(*) from image_variants where object is not null"))
	_, now, _ := f.load(t, kept, 0)
	require.Equal(t, data, now)
	require.Equal(t, 1, count(t, f.db.Owner(),
		"select count(*) from audit_log where details ->> 'state' = 'finished' and details ->> 'failed' = '2'"))
}

// hooked calls hooks before it reads or removes an object.
type hooked struct {
	images.Blobs

	get, remove func() error
}

func (h hooked) Get(ctx context.Context, key string, offset int64) (io.ReadCloser, error) {
	if err := h.get(); err != nil {
		return nil, err
	}
	return h.Blobs.Get(ctx, key, offset)
}

func (h hooked) Delete(ctx context.Context, key string) error {
	if err := h.remove(); err != nil {
		return err
	}
	return h.Blobs.Delete(ctx, key)
}

// A storage that does not work ends the move.
func TestMove_down(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	for i := range 12 {
		f.save(t, picture(t, color.RGBA{G: uint8(10 * i), A: 255}))
	}
	failures := 0
	mover := f.mover(t, hooked{Blobs: f.blobs, get: func() error { return errors.New("refused") }})
	mover.Failed = func(error) { failures++ }
	done, err := mover.Move(t.Context(), false)
	require.ErrorIs(t, err, images.ErrNotMoved)
	require.ErrorContains(t, err, "20 in a row")
	require.EqualValues(t, 20, done.Failed)
	require.Equal(t, 20, failures)
}

// A picture is deleted while its files are read to be moved back. Its objects go on being removed.
func TestMove_deleted_meanwhile(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	id := f.save(t, picture(t, blue))
	down := errors.New("refused")
	cleaner := f.cleaner()
	cleaner.Blobs = hooked{Blobs: f.blobs, get: func() error { return nil }, remove: func() error { return down }}
	deleted := sync.OnceFunc(func() {
		f.release(t, id)
		f.clock.Advance(25 * time.Hour)
		_, err := cleaner.Cleanup(t.Context())
		require.NoError(t, err)
		_, err = cleaner.Sweep(t.Context())
		require.ErrorIs(t, err, down)
	})
	done, err := f.mover(t, hooked{Blobs: f.blobs, get: func() error { deleted(); return nil }}).Move(t.Context(), false)
	require.NoError(t, err)
	require.Zero(t, done.Files)
	require.Equal(t, 2, count(t, f.db.Owner(), "select count(*) from picture_objects where ending"))
	_, err = f.cleaner().Sweep(t.Context())
	require.NoError(t, err)
	require.Empty(t, f.server.Files())
}

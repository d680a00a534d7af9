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
	"amanat/internal/testing/dbtest"
)

// The objects of a deleted picture, and of an upload that was not saved, are removed.
func TestSweep(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	f.release(t, f.save(t, picture(t, blue)))
	kept := f.save(t, picture(t, color.RGBA{G: 1, A: 255}))
	f.upload(t, picture(t, color.RGBA{G: 200, A: 255}))
	removed, err := f.cleaner().Sweep(t.Context())
	require.NoError(t, err)
	require.Zero(t, removed, "an upload has a day")
	f.clock.Advance(25 * time.Hour)
	_, err = f.cleaner().Cleanup(t.Context())
	require.NoError(t, err)
	_, err = f.cleaner().Sweep(t.Context())
	require.NoError(t, err)
	require.Len(t, f.server.Files(), 2)
	f.load(t, kept, 0)
	require.Zero(t, count(t, f.db.Owner(), "select count(*) from picture_objects where due_at is not null"))
	require.Equal(t, 2, count(t, f.db.Owner(), "select count(*) from picture_objects"))
}

// A sweep never removes what an upload of the same picture is using: two hundred rounds, in each of
// which the objects are due as the upload begins.
func TestSweep_races_upload(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	url := picture(t, blue)
	_, err := f.cleaner().Sweep(t.Context())
	require.NoError(t, err)
	for range 200 {
		f.upload(t, url)
		f.clock.Advance(25 * time.Hour)
		var sweep sync.WaitGroup
		var swept error
		sweep.Go(func() { _, swept = f.cleaner().Sweep(context.WithoutCancel(t.Context())) })
		id := f.save(t, url)
		sweep.Wait()
		require.NoError(t, swept)
		f.load(t, id, 0)
		f.load(t, id, 96)
		f.release(t, id)
		f.clock.Advance(25 * time.Hour)
		_, err := f.cleaner().Cleanup(t.Context())
		require.NoError(t, err)
	}
}

// A picture is uploaded again while the cleanup deletes its former row: the objects are kept.
func TestSweep_between_upload_and_save(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	f.release(t, f.save(t, picture(t, blue)))
	f.clock.Advance(25 * time.Hour)
	again := f.upload(t, picture(t, blue))
	_, err := f.cleaner().Cleanup(t.Context())
	require.NoError(t, err)
	require.Zero(t, count(t, f.db.Owner(), "select count(*) from image_blobs"))
	removed, err := f.cleaner().Sweep(t.Context())
	require.NoError(t, err)
	require.Zero(t, removed)
	var id uuid.UUID
	require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		id, err = f.images.Save(t.Context(), tx, again, f.owner, nil)
		return err
	}))
	f.load(t, id, 0)
}

// A sweep with the address of another site's bucket removes nothing. An operator gives a bucket to
// another database by deleting the name in it.
func TestSweep_bucket_of_another_database(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	f.save(t, picture(t, blue))
	_, err := f.cleaner().Sweep(t.Context())
	require.NoError(t, err, "the first worker leaves the name")
	f.clock.Advance(25 * time.Hour)
	files := f.server.Files()

	other := &images.Cleaner{DB: dbtest.New(t).Worker(), Clock: f.clock, Blobs: f.blobs}
	_, err = other.Sweep(t.Context())
	require.ErrorIs(t, err, images.ErrForeign)
	mover := images.Mover{DB: other.DB, Clock: f.clock, Blobs: f.blobs}
	_, err = mover.Move(t.Context())
	require.ErrorIs(t, err, images.ErrForeign)
	require.Equal(t, files, f.server.Files())

	require.NoError(t, f.blobs.Delete(t.Context(), "database.txt"))
	_, err = other.Sweep(t.Context())
	require.NoError(t, err)
	_, err = f.cleaner().Sweep(t.Context())
	require.ErrorIs(t, err, images.ErrForeign)
	require.Len(t, f.server.Files(), len(files), "the other database knows none of the pictures")
}

// A worker without the settings of the object storage does not pass over the objects, which nobody
// would ever remove.
func TestSweep_not_configured(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	cleaner := &images.Cleaner{DB: f.db.Worker(), Clock: f.clock, Blobs: nil}
	_, err := cleaner.Sweep(t.Context())
	require.NoError(t, err)
	require.NoError(t, images.CheckBlobs(t.Context(), f.db.API(), false))
	f.save(t, picture(t, blue))
	_, err = cleaner.Sweep(t.Context())
	require.ErrorContains(t, err, "2 files are in an object storage, and none is configured")
	require.Error(t, images.CheckBlobs(t.Context(), f.db.API(), false), "the process does not start")
	require.NoError(t, images.CheckBlobs(t.Context(), f.db.API(), true))
}

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
	last, err := postgres.Query[[]byte]("test.audit",
		"select details::text::bytea from audit_log order by id desc limit 1").One(t.Context(), f.db.Owner(), nil)
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

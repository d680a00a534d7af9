package images_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image/color"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/platform/blobs"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/images"
	"amanat/internal/platform/postgres"
	"amanat/internal/testing/s3test"
)

type blobFixture struct {
	*fixture
	server *s3test.Server
	blobs  images.Blobs
	inRows *images.Service // stores new files in the database
}

// newBlobFixture stores pictures in an S3 server.
func newBlobFixture(t *testing.T) *blobFixture {
	t.Helper()
	f := &blobFixture{fixture: newFixture(t), server: s3test.Start(t)}
	var err error
	f.blobs, err = blobs.NewS3(f.server.Options, blobs.NewMetrics())
	require.NoError(t, err)
	f.inRows = images.New(images.Options{DB: f.db.API(), Clock: f.clock, Blobs: f.blobs})
	f.images = images.New(images.Options{DB: f.db.API(), Clock: f.clock, Blobs: f.blobs, InBlobs: true})
	return f
}

func (f *blobFixture) cleaner() *images.Cleaner {
	return &images.Cleaner{DB: f.db.Worker(), Clock: f.clock, Blobs: f.blobs}
}

// upload is the first half of save: the files are in the storage, and no row says so.
func (f *blobFixture) upload(t *testing.T, url string) *images.Picture {
	t.Helper()
	picture, err := f.images.Read(t.Context(), f.owner, url)
	require.NoError(t, err)
	return picture
}

func picture(t *testing.T, c color.RGBA) string {
	t.Helper()
	img := drawing(120, 60)
	for x := range 60 {
		img.SetRGBA(x, 50, c)
	}
	return dataURL("image/png", pngFile(t, img))
}

func TestBlobs(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	url := picture(t, blue)
	id := f.save(t, url)
	require.Equal(t, 2, count(t, f.db.Owner(), "select count(*) from image_variants where data is null and object is not null"))
	require.Len(t, f.server.Files(), 2)
	again := f.save(t, url)
	require.Len(t, f.server.Files(), 2, "equal pictures are stored once")
	found, data, _ := f.load(t, again, 0)

	file, err := f.images.Open(t.Context(), found)
	require.NoError(t, err)
	streamed, err := io.ReadAll(file)
	require.NoError(t, err)
	require.Equal(t, data, streamed)
	_, err = file.Seek(-7, io.SeekEnd)
	require.NoError(t, err)
	rest, err := io.ReadAll(file)
	require.NoError(t, err)
	require.Equal(t, data[len(data)-7:], rest)
	require.NoError(t, file.Close())

	// A file that was changed in the storage is not passed on to its end.
	for _, path := range f.server.Files() {
		stored, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("x"), len(stored)), 0o600))
	}
	_, err = f.images.Data(t.Context(), found)
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	_, err = f.images.Find(t.Context(), id, 0)
	require.NoError(t, err)
}

// While the storage is down, nothing is saved, and pictures in the database are shown. Afterwards
// the same upload succeeds.
func TestBlobs_down(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	url := picture(t, blue)
	stored := f.save(t, url)
	service := f.images
	f.images = f.inRows
	inRow := f.save(t, picture(t, color.RGBA{G: 200, A: 255}))
	f.images = service
	f.server.Stop()
	_, err := f.images.Read(t.Context(), f.owner, picture(t, color.RGBA{G: 99, A: 255}))
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	require.ErrorContains(t, err, "Nothing was changed")
	found, err := f.images.Find(t.Context(), stored, 0)
	require.NoError(t, err)
	_, err = f.images.Open(t.Context(), found)
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	f.load(t, inRow, 0)
	f.server.Run()
	f.load(t, stored, 0)
	f.load(t, f.save(t, picture(t, color.RGBA{G: 99, A: 255})), 0)
}

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

// An object that the database knows nothing of is removed by the whole sweep; other files in the
// bucket are not.
func TestSweepAll(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	kept := f.save(t, picture(t, blue))
	f.upload(t, picture(t, color.RGBA{G: 200, A: 255}))
	_, err := f.db.Owner().Exec(t.Context(), "delete from picture_objects o where not exists (select from image_variants v where v.object = o.id)")
	require.NoError(t, err)
	require.NoError(t, f.blobs.Put(t.Context(), "notes.txt", "text/plain", []byte("of somebody else")))
	done, err := f.cleaner().SweepAll(t.Context())
	require.NoError(t, err)
	require.Equal(t, images.Swept{Foreign: 1}, done, "younger than a day")
	f.clock.Advance(25 * time.Hour)
	done, err = f.cleaner().SweepAll(t.Context())
	require.NoError(t, err)
	require.Equal(t, images.Swept{Unknown: 2, Foreign: 1}, done)
	require.Len(t, f.server.Files(), 3)
	f.load(t, kept, 0)
	require.Equal(t, 4, count(t, f.db.Owner(), "select count(*) from audit_log where action = 'blobs.sweep'"))
}

// A sweep never removes what an upload of the same picture is using: two hundred rounds, in each of
// which the objects are due as the upload begins.
func TestSweep_races_upload(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	url := picture(t, blue)
	for range 200 {
		f.upload(t, url)
		f.clock.Advance(25 * time.Hour)
		var sweep sync.WaitGroup
		var swept error
		sweep.Go(func() { _, swept = f.cleaner().SweepAll(context.WithoutCancel(t.Context())) })
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
	mover := images.Mover{DB: f.db.Worker(), Clock: f.clock, Blobs: f.blobs}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := mover.Move(ctx, true, func(images.Moved, int64) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
	left := count(t, f.db.Owner(), "select count(*) from image_variants where data is not null")
	require.Equal(t, count(t, f.db.Owner(), "select count(*) from image_variants")-8, left)
	unchanged()
	done, err := mover.Move(t.Context(), true, func(images.Moved, int64) {})
	require.NoError(t, err)
	require.EqualValues(t, left, done.Files)
	require.Zero(t, count(t, f.db.Owner(), "select count(*) from image_variants where data is not null"))
	unchanged()

	_, err = mover.Move(t.Context(), false, func(images.Moved, int64) {})
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

package images_test

import (
	"bytes"
	"image/color"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/app/images"
	"amanat/internal/lib/blobs"
	"amanat/internal/lib/fault"
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

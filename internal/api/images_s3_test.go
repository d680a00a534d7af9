package api_test

import (
	"bytes"
	"context"
	"image/color"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/devtools/localstack"
	"amanat/internal/testing/s3test"
	"amanat/queue/jobs"
)

// newFixtureWithS3 is a fixture whose pictures are in an object storage.
func newFixtureWithS3(t *testing.T) (*fixture, *s3test.Server) {
	t.Helper()
	server := s3test.Start(t)
	o := server.Options
	return newFixture(t, func(c *config.API) {
		c.Blobs = config.Blobs{
			Store: config.BlobsInS3, S3Endpoint: o.Endpoint, S3Bucket: o.Bucket, S3Region: o.Region, S3AccessKey: o.AccessKey,
			S3SecretKey: o.SecretKey, S3Prefix: o.Prefix, S3PathStyle: o.PathStyle,
		}
	}), server
}

// portrait gives the user a picture and returns its path below /api.
func (b *browser) portrait(c color.Color) string {
	b.t.Helper()
	var user api.User
	b.do(http.MethodPut, "/auth/update-profile", fields{"profilePic": pictureURL(b.t, c, 700, 350)}).want(200).into(&user)
	return belowAPI(user.ProfilePic)
}

// Clients see no difference between pictures in the database and in an object storage.
func TestGetImage_s3(t *testing.T) {
	t.Parallel()
	f, server := newFixtureWithS3(t)
	rahim, karim := f.member("rahim"), f.member("karim")
	address := rahim.portrait(color.White)
	require.Len(t, server.Files(), 4)
	visitor := f.visitor()
	whole := visitor.get(address).want(200)
	require.Equal(t, 700, whole.width())
	require.Equal(t, "public, max-age=31536000, immutable", whole.header.Get("Cache-Control"))
	require.Equal(t, 320, visitor.get(address+"?w=200").want(200).width())
	visitor.do(http.MethodGet, address, nil, "If-None-Match", whole.header.Get("ETag")).want(304)
	end := visitor.do(http.MethodGet, address, nil, "Range", "bytes=-9").want(206)
	require.Equal(t, whole.body[len(whole.body)-9:], end.body)
	opened := rahim.opens(karim, fields{"image": pictureURL(t, color.Black, 20, 20)})
	visitor.get(belowAPI(opened.Message.Image)).refused(404, "not_found", "Not found.")
	karim.get(belowAPI(opened.Message.Image)).want(200)

	server.Stop()
	const text = "Pictures cannot be saved or shown at the moment. Nothing was changed; please try again in a few minutes."
	missing := visitor.get(address)
	missing.refused(503, "unavailable", text)
	require.Equal(t, "no-store", missing.header.Get("Cache-Control"))
	rahim.do(http.MethodPut, "/auth/update-profile", fields{"profilePic": pictureURL(t, color.Black, 9, 9)}).refused(503, "unavailable", text)
	visitor.do(http.MethodGet, address, nil, "If-None-Match", whole.header.Get("ETag")).want(304)
	require.Equal(t, address, belowAPI(rahim.me().ProfilePic))
	server.Run()
	require.Equal(t, whole.body, visitor.get(address).want(200).body)
}

// A file that the storage has changed does not arrive as a whole, and the log has why.
func TestGetImage_s3_changed(t *testing.T) {
	t.Parallel()
	f, server := newFixtureWithS3(t)
	address := f.member("rahim").portrait(color.White)
	for _, path := range server.Files() {
		stored, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("x"), len(stored)), 0o600))
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.url+"/api"+address, http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	if err == nil { // the headers have arrived
		_, err = io.ReadAll(response.Body)
		_ = response.Body.Close()
	}
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	var lines []map[string]string
	require.Eventually(t, func() bool { lines = failures(t, f.log.String()); return len(lines) > 0 }, 10*time.Second, 10*time.Millisecond)
	require.Equal(t, "/api/images/{id}", lines[0]["route"])
	require.Equal(t, "ERROR", lines[0]["level"])
	require.Contains(t, lines[0]["error"], "another file than was stored")
}

// The archive has the pictures from the object storage, and of a closed account none is left there.
func TestDataExport_s3(t *testing.T) {
	t.Parallel()
	f, server := newFixtureWithS3(t)
	mails, err := localstack.StartMail(context.WithoutCancel(t.Context()), f.clock.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = mails.Stop() })
	f.smtpURL = mails.URL()
	f.work(jobs.QueueMail, jobs.QueueData, jobs.QueueMaintenance)
	leaver, other := f.member("leaver"), f.member("other")
	kept := other.portrait(color.Black)
	others := server.Files()
	file := f.visitor().get(leaver.portrait(color.White)).want(200).body
	require.Len(t, server.Files(), 8)
	leaver.post("/auth/data-export", nil).want(http.StatusAccepted)
	archive := unzipped(t, leaver.get(exportFile(f.awaitExport(leaver, "ready"))).want(200).body)
	names := []string{}
	for name, content := range archive {
		if content == string(file) {
			names = append(names, name)
		}
	}
	require.Len(t, names, 1)
	require.Regexp(t, `^pictures/.*\.jpg$`, names[0])

	leaver.leaves().want(200)
	f.awaitErased(leaver)
	f.clock.Advance(25 * time.Hour)
	f.runs(jobs.Cleanup{})
	require.Equal(t, others, server.Files())
	f.visitor().get(kept).want(200)
}

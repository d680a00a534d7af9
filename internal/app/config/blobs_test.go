package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLoadBlobs(t *testing.T) {
	none, err := LoadBlobs()
	require.NoError(t, err)
	require.False(t, none.HasS3())
	setAPI(t)
	api, err := LoadAPI()
	require.NoError(t, err)
	require.Equal(t, []bool{false, false}, []bool{api.HasS3(), api.InS3()})
	t.Setenv("BLOBS_STORE", "s3")
	t.Setenv("BLOBS_S3_ENDPOINT", "https://user:hunter2@s3.example.com")
	t.Setenv("BLOBS_S3_SECRET_KEY", "hunter2")
	_, err = LoadAPI()
	require.ErrorContains(t, err, "BLOBS_S3_ENDPOINT: must be scheme and host alone")
	require.ErrorContains(t, err, "BLOBS_S3_BUCKET: is required")
	require.ErrorContains(t, err, "BLOBS_S3_ACCESS_KEY: is required")
	require.NotContains(t, err.Error(), "hunter2")
	t.Setenv("BLOBS_S3_ENDPOINT", "https://s3.example.com")
	t.Setenv("BLOBS_S3_BUCKET", "amanat")
	t.Setenv("BLOBS_S3_ACCESS_KEY", "key")
	setWorker(t)
	worker, err := LoadWorker()
	require.NoError(t, err)
	require.True(t, worker.InS3())
	require.True(t, worker.S3().PathStyle)
	t.Setenv("BLOBS_STORE", "ftp")
	_, err = LoadBlobs()
	require.ErrorContains(t, err, `BLOBS_STORE: must be postgres or s3; got "ftp"`)
	t.Setenv("BLOBS_STORE", "postgres")
	c, err := LoadBlobs()
	require.NoError(t, err)
	require.Equal(t, []bool{true, false}, []bool{c.HasS3(), c.InS3()}, "files of before are still read")
}

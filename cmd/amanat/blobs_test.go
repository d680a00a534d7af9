package main

import (
	"archive/zip"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/testing/dbtest"
	"amanat/internal/testing/s3test"
)

// requireBlobs moves the picture of requireExport to an object storage.
func requireBlobs(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.WorkerURL)
	_, err := amanat(t, "move-blobs")
	require.ErrorContains(t, err, "BLOBS_S3_ENDPOINT: is required")
	server := s3test.Start(t)
	for name, value := range map[string]string{
		"ENDPOINT": server.Options.Endpoint, "BUCKET": server.Options.Bucket, "REGION": server.Options.Region,
		"ACCESS_KEY": server.Options.AccessKey, "SECRET_KEY": server.Options.SecretKey, "PREFIX": server.Options.Prefix,
	} {
		t.Setenv("BLOBS_S3_"+name, value)
	}
	out, err := amanat(t, "move-blobs")
	require.NoError(t, err)
	require.Equal(t, "Moved: 1 files, 23 bytes.\n", out.stdout.String())
	require.Len(t, server.Files(), 1)

	path := filepath.Join(t.TempDir(), "nusrat.zip")
	_, err = amanat(t, "export-user", "nusrat", path)
	require.NoError(t, err)
	archive, err := zip.OpenReader(path)
	require.NoError(t, err)
	defer func() { _ = archive.Close() }()
	pictures := 0
	for _, entry := range archive.File {
		if strings.HasPrefix(entry.Name, "pictures/") {
			require.EqualValues(t, 23, entry.UncompressedSize64)
			pictures++
		}
	}
	require.Equal(t, 1, pictures)
}

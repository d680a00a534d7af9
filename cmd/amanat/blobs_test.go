package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/testing/dbtest"
	"amanat/internal/testing/s3test"
)

// requireBlobs moves the picture of requireExport to an object storage and back.
func requireBlobs(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.WorkerURL)
	_, err := amanat(t, "move-blobs", "--to", "s3")
	require.ErrorContains(t, err, "BLOBS_S3_ENDPOINT: is required")
	server := s3test.Start(t)
	for name, value := range map[string]string{
		"ENDPOINT": server.Options.Endpoint, "BUCKET": server.Options.Bucket, "REGION": server.Options.Region,
		"ACCESS_KEY": server.Options.AccessKey, "SECRET_KEY": server.Options.SecretKey, "PREFIX": server.Options.Prefix,
	} {
		t.Setenv("BLOBS_S3_"+name, value)
	}
	_, err = amanat(t, "sweep-blobs")
	require.ErrorContains(t, err, "nothing was removed")
	out, err := amanat(t, "move-blobs", "--to", "s3")
	require.NoError(t, err)
	require.Equal(t, "Moved to s3: 1 files, 23 bytes. Not moved: 0 files.\n", out.stdout.String())
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

	out, err = amanat(t, "sweep-blobs", "--dry-run")
	require.NoError(t, err)
	require.Equal(t, "Would be removed: 0 unused objects, 0 unknown to the database. Left alone: 0 that are no pictures.\n",
		out.stdout.String())
	_, err = amanat(t, "sweep-blobs")
	require.NoError(t, err)
	require.NoError(t, os.Rename(server.Files()[0], server.Files()[0]+".lost"))
	out, err = amanat(t, "move-blobs", "--to", "postgres")
	require.ErrorContains(t, err, "1 are where they were")
	require.Contains(t, out.stdout.String(), "Not moved: file ")
	require.NoError(t, os.Rename(server.Files()[0], strings.TrimSuffix(server.Files()[0], ".lost")))
	out, err = amanat(t, "move-blobs", "--to", "postgres")
	require.NoError(t, err)
	require.Contains(t, out.stdout.String(), "Moved to postgres: 1 files, 23 bytes.")
}

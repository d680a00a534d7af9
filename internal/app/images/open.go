package images

import (
	"context"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"amanat/internal/app/config"
	"amanat/internal/lib/blobs"
	"amanat/internal/lib/postgres"
)

// OpenBlobs returns the object storage of a process, nil if there is none, and registers its
// metrics. It does not connect.
func OpenBlobs(c config.Blobs, registry prometheus.Registerer) (Blobs, error) {
	metrics := blobs.NewMetrics()
	if registry != nil {
		if err := registry.Register(metrics.Collector()); err != nil {
			return nil, fmt.Errorf("metrics: %w", err)
		}
	}
	if !c.HasS3() {
		return nil, nil
	}
	return blobs.NewS3(c.S3(), metrics)
}

// CheckBlobs fails if files are in an object storage and the process has none: their pictures could
// not be shown, and those of erased users would never be removed.
func CheckBlobs(ctx context.Context, db postgres.DB, configured bool) error {
	if configured {
		return nil
	}
	n, err := countObjects(ctx, db)
	if err == nil && n > 0 {
		err = fmt.Errorf("images: %d files are in an object storage, and none is configured: set BLOBS_S3_ENDPOINT and the other BLOBS_S3_…", n)
	}
	return err
}

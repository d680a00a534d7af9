package images

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"amanat/internal/platform/blobs"
	"amanat/internal/platform/config"
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

package opsserver

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// chainDescs are the metrics of the chains of the ledger and the audit log.
type chainDescs struct {
	sealed   *prometheus.Desc
	unsealed *prometheus.Desc
	broken   *prometheus.Desc
	verified *prometheus.Desc
}

func newChainDescs() chainDescs {
	labels := []string{"chain"}
	return chainDescs{
		sealed: prometheus.NewDesc("amanat_chain_rows_sealed", "Rows that have been sealed.", labels, nil),
		unsealed: prometheus.NewDesc("amanat_chain_oldest_unsealed_seconds",
			"Age of the oldest row that no run has sealed; 0 if there is none.", labels, nil),
		broken: prometheus.NewDesc("amanat_chain_broken", "Findings of the latest verification, up to 20.", labels, nil),
		verified: prometheus.NewDesc("amanat_chain_verified_timestamp_seconds", "When the chain was verified last.",
			labels, nil),
	}
}

func (d chainDescs) describe(descs chan<- *prometheus.Desc) {
	descs <- d.sealed
	descs <- d.unsealed
	descs <- d.broken
	descs <- d.verified
}

// metrics has no result of a verification until the first one, which a worker runs when it starts.
func (d chainDescs) metrics(rows []chainRow, now time.Time) []prometheus.Metric {
	var metrics []prometheus.Metric
	for _, row := range rows {
		age := 0.0
		if row.Oldest != nil {
			age = max(0, now.Sub(*row.Oldest).Seconds())
		}
		metrics = append(metrics, gauge(d.sealed, float64(row.Sealed), row.Chain), gauge(d.unsealed, age, row.Chain))
		if row.CheckedAt != nil {
			metrics = append(metrics,
				gauge(d.broken, float64(row.Broken), row.Chain), gauge(d.verified, float64(row.CheckedAt.Unix()), row.Chain))
		}
	}
	return metrics
}

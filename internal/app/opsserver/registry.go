package opsserver

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// NewRegistry returns a registry with the metrics of every process: the Go runtime, the process
// (memory, files, CPU) and amanat_build_info.
func NewRegistry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "amanat_build_info",
		Help:        "Always 1; the label tells which build runs.",
		ConstLabels: prometheus.Labels{"version": Version()},
	})
	build.Set(1)
	registry.MustRegister(
		build,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return registry
}

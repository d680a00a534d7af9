package config

import "errors"

// Tracing says whether spans are sent to a collector. The OpenTelemetry SDK reads further OTEL_*
// variables by itself, such as OTEL_TRACES_SAMPLER and OTEL_EXPORTER_OTLP_HEADERS.
type Tracing struct {
	// OTLPEndpoint is the collector's address for OTLP over HTTP, such as http://collector:4318.
	OTLPEndpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	// OTLPTracesEndpoint is the same for traces alone, with the path.
	OTLPTracesEndpoint string `env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"`
	// OTELDisabled turns tracing off whatever the others say.
	OTELDisabled bool `env:"OTEL_SDK_DISABLED" envDefault:"false"`
}

// TracingEnabled reports whether spans are sent.
func (c Tracing) TracingEnabled() bool {
	return !c.OTELDisabled && (c.OTLPEndpoint != "" || c.OTLPTracesEndpoint != "")
}

func (c Tracing) checkTracing(p *problems) {
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": c.OTLPEndpoint, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": c.OTLPTracesEndpoint,
	} {
		if value != "" {
			p.check(name, anyURL(value, "as in http://collector:4318", "http", "https"))
		}
	}
}

// RiverUI is the page of the worker's ops port on which operators look at jobs.
type RiverUI struct {
	// RiverUIToken is the password of River UI; empty: there is none.
	RiverUIToken string `env:"RIVER_UI_TOKEN"`
	// RiverUIChanges is whether jobs can be changed there.
	RiverUIChanges bool `env:"RIVER_UI_CHANGES" envDefault:"false"`
}

// minRiverUIToken is the least length of a token, which is not slowed down by a limit.
const minRiverUIToken = 16

func (c RiverUI) checkRiverUI(p *problems) {
	if c.RiverUIToken != "" && len(c.RiverUIToken) < minRiverUIToken {
		p.check("RIVER_UI_TOKEN", errors.New("must have at least 16 characters"))
	}
}

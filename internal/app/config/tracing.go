package config

import (
	"errors"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// Tracing says whether spans are sent to a collector. The OpenTelemetry SDK reads further OTEL_*
// variables by itself, such as OTEL_TRACES_SAMPLER.
type Tracing struct {
	// OTLPEndpoint is the collector's address for OTLP over HTTP, such as http://collector:4318.
	OTLPEndpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	// OTLPTracesEndpoint is the same for traces alone, with the path.
	OTLPTracesEndpoint string `env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"`
	// OTLPHeaders are sent to the collector, as in authorization=Bearer%20token. Read them with
	// TracingHeaders.
	OTLPHeaders string `env:"OTEL_EXPORTER_OTLP_HEADERS"`
	// OTELDisabled turns tracing off whatever the others say.
	OTELDisabled bool `env:"OTEL_SDK_DISABLED" envDefault:"false"`
}

// TracingEnabled reports whether spans are sent.
func (c Tracing) TracingEnabled() bool {
	return !c.OTELDisabled && (c.OTLPEndpoint != "" || c.OTLPTracesEndpoint != "")
}

// TracingHeaders returns what is sent to the collector beside the spans.
func (c Tracing) TracingHeaders() map[string]string {
	headers, _ := otlpHeaders(c.OTLPHeaders) // checked by Validate
	return headers
}

// otlpHeaders reads names and values, which are encoded as in URLs. Its errors do not repeat them,
// since they may be secrets.
func otlpHeaders(text string) (map[string]string, error) {
	if text == "" {
		return nil, nil
	}
	headers := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		name, encoded, found := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		value, err := url.PathUnescape(strings.TrimSpace(encoded))
		if !found || err != nil || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, errors.New("must be names and values, as in authorization=Bearer%20token,tenant=one")
		}
		headers[name] = value
	}
	return headers, nil
}

func (c Tracing) checkTracing(p *problems) {
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": c.OTLPEndpoint, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": c.OTLPTracesEndpoint,
	} {
		if value != "" {
			p.check(name, anyURL(value, "as in http://collector:4318", "http", "https"))
		}
	}
	_, err := otlpHeaders(c.OTLPHeaders)
	p.check("OTEL_EXPORTER_OTLP_HEADERS", err)
}

// RiverUI is the page of the worker's ops port on which operators look at jobs.
type RiverUI struct {
	// RiverUIToken is the password of River UI; empty: there is none.
	RiverUIToken string `env:"RIVER_UI_TOKEN"`
}

// minRiverUIToken is the least length of a token, which is not slowed down by a limit.
const minRiverUIToken = 16

func (c RiverUI) checkRiverUI(p *problems) {
	if c.RiverUIToken != "" && len(c.RiverUIToken) < minRiverUIToken {
		p.check("RIVER_UI_TOKEN", errors.New("must be at least 16 characters long"))
	}
}

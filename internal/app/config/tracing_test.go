package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTracing(t *testing.T) {
	for name, tc := range map[string]struct {
		environment map[string]string
		enabled     bool
		headers     map[string]string
	}{
		"off":         {nil, false, nil},
		"a collector": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, true, nil},
		"traces alone, with a token": {map[string]string{
			"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://collector/v1/traces",
			"OTEL_EXPORTER_OTLP_HEADERS":         "authorization=Bearer%20a=b+c, tenant = one",
		}, true, map[string]string{"authorization": "Bearer a=b+c", "tenant": "one"}},
		"disabled": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", "OTEL_SDK_DISABLED": "true"}, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			setAPI(t)
			for variable, value := range tc.environment {
				t.Setenv(variable, value)
			}
			c, err := LoadAPI()
			require.NoError(t, err)
			require.Equal(t, tc.enabled, c.TracingEnabled())
			require.Equal(t, tc.headers, c.TracingHeaders())
		})
	}
}

package mailer_test

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/mailer"
)

func TestMetrics(t *testing.T) {
	t.Parallel()
	for outcome, answers := range map[string]map[string]string{
		"sent":          nil,
		"undeliverable": {"RCPT": "550 nobody"},
		"unavailable":   {"greeting": "421 go away"},
		"failed":        {"content": "452 full"},
	} {
		t.Run(outcome, func(t *testing.T) {
			t.Parallel()
			sender, err := mailer.NewSMTP("smtp://"+serve(t, answers).listener.Addr().String(), "Amanat <no-reply@amanat.test>", 4)
			require.NoError(t, err)
			_ = sender.Send(t.Context(), mailer.Message{To: "nusrat@example.com", Subject: "s", Text: "t", HTML: "h"})

			registry := prometheus.NewPedanticRegistry()
			registry.MustRegister(sender.Metrics())
			families, err := registry.Gather()
			require.NoError(t, err)
			require.Len(t, families, 1)
			require.Equal(t, "amanat_mail_attempts_total", families[0].GetName())
			require.Len(t, families[0].GetMetric(), 4, "an outcome that has not occurred is 0, so that the first one is an increase")
			for _, metric := range families[0].GetMetric() {
				want := 0.0
				if metric.GetLabel()[0].GetValue() == outcome {
					want = 1
				}
				require.InDelta(t, want, metric.GetCounter().GetValue(), 0, metric.String())
			}
		})
	}
}

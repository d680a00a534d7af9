package mailer

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// Outcomes of attempts to send an email, as labels of amanat_mail_attempts_total.
const (
	outcomeSent          = "sent"
	outcomeUndeliverable = "undeliverable" // ErrUndeliverable: not tried again
	outcomeUnavailable   = "unavailable"   // ErrUnavailable
	outcomeFailed        = "failed"        // the server refused this email, which is tried again
)

func newAttempts() *prometheus.CounterVec {
	attempts := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "amanat_mail_attempts_total",
		Help: "Attempts of this process to hand an email to the mail server, by outcome.",
	}, []string{"outcome"})
	for _, outcome := range []string{outcomeSent, outcomeUndeliverable, outcomeUnavailable, outcomeFailed} {
		attempts.WithLabelValues(outcome)
	}
	return attempts
}

// Metrics counts attempts to send an email by outcome.
func (s *SMTP) Metrics() prometheus.Collector { return s.attempts }

func outcomeOf(err error) string {
	switch {
	case err == nil:
		return outcomeSent
	case errors.Is(err, ErrUndeliverable):
		return outcomeUndeliverable
	case errors.Is(err, ErrUnavailable):
		return outcomeUnavailable
	default:
		return outcomeFailed
	}
}

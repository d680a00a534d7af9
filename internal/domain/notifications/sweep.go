package notifications

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
)

const (
	// A sweep begins no email after sweepTime. The last ones take as long as mailer.SMTP allows.
	sweepTime  = 15 * time.Second
	settleTime = 5 * time.Second
	// SweepTimeout is more than a sweep takes.
	SweepTimeout = 40 * time.Second
	// sweepLease is longer than a batch takes: sweepTime, the last emails and settleTime.
	sweepLease = time.Minute

	// Emails that were not tried, because the server is down, are due again after downPause.
	downPause = 5 * time.Second
	// An email that cannot be sent is retried after 1, 2, 4 … seconds, then every hour, for three
	// days.
	maxMailPause    = time.Hour
	maxMailAttempts = 84
)

// Failure is an attempt to send an email that has failed.
type Failure struct {
	NotificationID uuid.UUID
	Attempt        int
	Err            error
	GivenUp        bool // it is not retried
}

// Due reports whether a sweep would find an email to send.
func (m *Mailer) Due(ctx context.Context) (bool, error) { return hasDueMails(ctx, m.DB) }

// Sweep sends the emails of notifications that are due, oldest first, and returns the attempts that
// failed. A failed email is retried after a growing pause, unless it is undeliverable
// (mailer.ErrUndeliverable) or has failed for days. If the server is down, the sweep ends and the
// rest waits.
//
// Delivery is at least once: after a crash between sending an email and recording it, the lease of
// the email ends and it is sent again. An email is removed unsent if its reader has unsubscribed or
// their address is not verified and so may be another person's; the panel shows the notification
// anyway.
func (m *Mailer) Sweep(ctx context.Context) ([]Failure, error) {
	starting, cancel := context.WithTimeout(ctx, sweepTime)
	defer cancel()
	var failures []Failure
	for {
		claimed, err := claimDue(ctx, m.DB, sweepLease)
		if err != nil || len(claimed) == 0 {
			return failures, err
		}
		s := &sweep{results: make([]result, len(claimed))}
		s.send(ctx, starting, m, claimed)
		failed, err := m.settle(ctx, s, claimed)
		failures = append(failures, failed...)
		if err != nil || len(claimed) < sweepBatch || s.down.Load() || starting.Err() != nil {
			return failures, err
		}
	}
}

// sweep sends one batch.
type sweep struct {
	results []result // by place in the batch
	down    atomic.Bool
}

// result is what became of an email. The zero value is of one that was not tried.
type result struct {
	tried bool
	err   error
}

// send sends the emails of a batch until starting ends or the server is found to be down.
func (s *sweep) send(ctx, starting context.Context, m *Mailer, batch []dueMail) {
	var next atomic.Int64
	var senders sync.WaitGroup
	for range min(max(m.Senders, 1), len(batch)) {
		senders.Go(func() {
			for starting.Err() == nil && !s.down.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(batch) {
					return
				}
				err := m.attempt(ctx, batch[i].mailRow)
				if err != nil && ctx.Err() != nil {
					return // the process stops: this is no failure of the email
				}
				if errors.Is(err, mailer.ErrUnavailable) {
					s.down.Store(true)
				}
				s.results[i] = result{tried: true, err: err}
			}
		})
	}
	senders.Wait()
}

// attempt sends one email if it is still wanted. A panic, which would end the process here, is an
// error of this email.
func (m *Mailer) attempt(ctx context.Context, mail mailRow) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("panic: %v", value)
		}
	}()
	if !mail.due() {
		return nil
	}
	return m.send(ctx, mail)
}

// settle records the results of a batch and returns the failures.
func (m *Mailer) settle(ctx context.Context, s *sweep, batch []dueMail) ([]Failure, error) {
	var done, sent []uuid.UUID
	var later []postponed
	var failures []Failure
	rest := time.Duration(0)
	if s.down.Load() {
		rest = downPause
	}
	for i, mail := range batch {
		err := s.results[i].err
		switch {
		case !s.results[i].tried:
			later = append(later, postponed{mail, mail.Attempts - 1, rest, nil})
		case err == nil:
			done = append(done, mail.NotificationID)
			if mail.due() {
				sent = append(sent, mail.NotificationID)
			}
		default:
			givenUp := errors.Is(err, mailer.ErrUndeliverable) || mail.Attempts >= maxMailAttempts
			failures = append(failures, Failure{NotificationID: mail.NotificationID, Attempt: mail.Attempts, Err: err, GivenUp: givenUp})
			if givenUp {
				done = append(done, mail.NotificationID)
				continue
			}
			text := err.Error()
			later = append(later, postponed{mail, mail.Attempts, mailPause(mail.Attempts), &text})
		}
	}
	// Emails that were sent are recorded even if the process is being stopped.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	return failures, postgres.WithTx(ctx, m.DB, func(tx *postgres.Tx) error {
		if err := removeDue(ctx, tx, done, sent, m.Clock.Now()); err != nil {
			return err
		}
		return postpone(ctx, tx, later)
	})
}

// mailPause returns how long an email waits after the given number of failed attempts.
func mailPause(attempts int) time.Duration {
	if attempts > 12 { // 2^12 seconds are more than an hour
		return maxMailPause
	}
	return min(time.Second<<max(0, attempts-1), maxMailPause)
}

package notifications

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// due reports whether the email is to be sent. Its reader decides until then.
func (l mailRow) due() bool { return l.wanted() && !l.Muted && l.MailedAt == nil }

// wanted reports whether the reader gets emails of this group, and their address is verified.
func (l mailRow) wanted() bool {
	chosen := settingsRow{MailNotices: l.MailNotices, MailOff: l.MailOff}
	return l.Verified && chosen.mails(groupOf(l.Kind))
}

func (m *Mailer) send(ctx context.Context, mail mailRow) error {
	text := func(kind catalog.Kind) string { return catalog.Render(mail.Language, kind, mail.Params) }
	email := mailer.Email{
		To:         mail.Email,
		Language:   mail.Language,
		Subject:    subjectOf(mail),
		Hold:       holdOf(mail),
		Paragraphs: paragraphsOf(mail),
		LinkText:   text(linkTextOf(mail)),
		Link:       m.PublicURL + mail.Link,
		Assurance:  text(catalog.MailAssurance),
		Footer:     text(catalog.MailNoticeFooter),
	}
	if !groupOf(mail.Kind).mailLocked() { // or the link would promise what it does not do
		email.Unsubscribe = &mailer.Unsubscribe{
			Text: text(catalog.MailUnsubscribe),
			Page: m.PublicURL + "/unsubscribe?token=" + mail.UnsubscribeToken.String(),
			Post: m.PublicURL + "/api/mail/unsubscribe?token=" + mail.UnsubscribeToken.String(),
		}
	}
	message, err := mailer.Compose(email)
	if err != nil {
		return err
	}
	return m.Mail.Send(ctx, message)
}

// linkTextOf returns the text of the button that opens the subject of the notification.
func linkTextOf(mail mailRow) catalog.Kind {
	if strings.HasPrefix(mail.Link, "/deal/") {
		return catalog.MailOpenDeal
	}
	return catalog.MailOpen
}

// noteParam is a message written by another user or an admin. Like the title of a deal, it becomes
// a paragraph of the email, never part of its subject.
const noteParam = "note"

func subjectOf(l mailRow) string {
	params := maps.Clone(l.Params)
	delete(params, catalog.TitleParam)
	if _, noted := params[noteParam]; noted {
		params[noteParam] = ""
	}
	return strings.TrimSpace(catalog.Render(l.Language, l.Kind, params))
}

// paragraphsOf returns the paragraphs of an email: the title of the deal, the note, if there is
// one, and after a delivery, how long the buyer can inspect it before the money is released to the
// seller.
func paragraphsOf(l mailRow) []string {
	var paragraphs []string
	if l.Params[catalog.TitleParam] != "" && catalog.Titled(l.Kind) {
		paragraphs = append(paragraphs, catalog.Render(l.Language, catalog.MailDeal, l.Params))
	}
	if note := l.Params[noteParam]; note != "" {
		paragraphs = append(paragraphs, note)
	}
	if l.Kind == catalog.DealDelivered && l.ReleasesAlone {
		paragraphs = append(paragraphs, catalog.Render(l.Language, catalog.MailTimeToCheck, catalog.Params{
			"days": strconv.Itoa(l.InspectionDays), "payout": (l.Price - l.Fee).String(), "username": l.Seller,
		}))
	}
	if slices.Contains(receipts, l.Kind) {
		paragraphs = append(paragraphs, catalog.Render(l.Language, catalog.MailNotYou, nil))
	}
	return paragraphs
}

// holdOf returns where the money of the notification's deal is in its current state; nil if there
// is no deal or it is unpaid.
func holdOf(l mailRow) *mailer.Hold {
	text := func(kind catalog.Kind) string { return catalog.Render(l.Language, kind, nil) }
	column := func(role, name, amount string, state mailer.State, note catalog.Kind, rule mailer.Rule) mailer.Column {
		return mailer.Column{
			Role: role, Name: name, State: state, Note: text(note), Rule: rule,
			Amount: catalog.Render(l.Language, catalog.HoldAmount, catalog.Params{"amount": amount}),
		}
	}
	price, payout := l.Price.String(), (l.Price - l.Fee).String()
	buyer := func(amount string, state mailer.State, note catalog.Kind) mailer.Column {
		return column(text(catalog.HoldBuyer), l.Buyer, amount, state, note, mailer.NoRule)
	}
	amanat := func(state mailer.State, note catalog.Kind) mailer.Column {
		return column(text(catalog.HoldTrust), text(catalog.HoldAmanat), price, state, note, mailer.Solid)
	}
	seller := func(state mailer.State, note catalog.Kind, rule mailer.Rule) mailer.Column {
		return column(text(catalog.HoldSeller), l.Seller, payout, state, note, rule)
	}
	refund := l.Params["refund"]
	switch {
	case l.DealOpen:
		return &mailer.Hold{
			Buyer:  buyer(price, mailer.Past, catalog.HoldPaid),
			Amanat: amanat(mailer.InTrust, catalog.HoldHeld),
			Seller: seller(mailer.Next, catalog.HoldOnCompletion, mailer.Stitched),
		}
	case l.DealStatus == "Completed":
		return &mailer.Hold{
			Buyer:  buyer(price, mailer.Past, catalog.HoldPaid),
			Amanat: amanat(mailer.Past, catalog.HoldReleased),
			Seller: seller(mailer.Paid, catalog.HoldReceived, mailer.Solid),
		}
	case strings.HasPrefix(l.DealStatus, "Cancelled"):
		// The notification is about the refund and states its amount.
		if refund != "" && refund != money.Cents(0).String() {
			return &mailer.Hold{
				Buyer:  buyer(refund, mailer.Refunded, catalog.HoldRefunded),
				Amanat: amanat(mailer.Past, catalog.HoldReleased),
				Seller: seller(mailer.Past, catalog.HoldNothing, mailer.Stitched),
			}
		}
	}
	return nil
}

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
func (m *Mailer) Due(ctx context.Context) (bool, error) { return hasDueMails.One(ctx, m.DB, nil) }

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
		claimed, err := claimDue.Many(ctx, m.DB, postgres.Args{"lease": sweepLease})
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
		if err := removeDue.Run(ctx, tx, postgres.Args{"done": done, "sent": sent, "now": m.Clock.Now()}); err != nil {
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

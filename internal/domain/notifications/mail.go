package notifications

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// due reports whether the email is to be sent. Its reader decides until then.
func (l mailRow) due() bool {
	return l.wanted() && !l.Muted && l.MailedAt == nil && (l.Kind != catalog.SavedSearchFound || len(l.Posts) > 0)
}

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
		Items:      m.itemsOf(mail),
		LinkText:   text(linkTextOf(mail)),
		Link:       m.PublicURL + mail.Link,
		Assurance:  text(catalog.MailAssurance),
		Footer:     text(catalog.MailNoticeFooter),
	}
	query := "?token=" + mail.UnsubscribeToken.String()
	if mail.Kind == catalog.SavedSearchFound {
		email.Footer, query = text(catalog.MailSearchFooter), query+"&of=searches"
	}
	if !groupOf(mail.Kind).mailLocked() { // or the link would promise what it does not do
		email.Unsubscribe = &mailer.Unsubscribe{
			Text: text(catalog.MailUnsubscribe),
			Page: m.PublicURL + "/unsubscribe" + query,
			Post: m.PublicURL + "/api/mail/unsubscribe" + query,
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
	switch {
	case strings.HasPrefix(mail.Link, "/deal/"):
		return catalog.MailOpenDeal
	case mail.Kind == catalog.SavedSearchFound:
		return catalog.MailOpenSearch
	}
	return catalog.MailOpen
}

// itemsOf returns the posts that an email lists.
func (m *Mailer) itemsOf(mail mailRow) []mailer.Item {
	var items []mailer.Item
	for _, post := range mail.Posts {
		items = append(items, mailer.Item{
			Title: post.Title, Link: m.PublicURL + "/posts/" + post.ID.String(),
			Note: catalog.Render(mail.Language, catalog.HoldAmount, catalog.Params{"amount": money.Cents(post.Cents).String()}),
		})
	}
	return items
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

var timesToCheck = map[catalog.Kind]catalog.Kind{
	catalog.DealDelivered: catalog.MailTimeToCheck, catalog.DealShipped: catalog.MailTimeToArrive,
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
	if time, delivered := timesToCheck[l.Kind]; delivered && l.ReleasesAlone {
		paragraphs = append(paragraphs, catalog.Render(l.Language, time, catalog.Params{
			"days": strconv.Itoa(l.InspectionDays), "payout": (l.Price - l.Fee).String(), "username": l.Seller,
			"shipment": l.Params["shipment"],
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
	// Emails that were not tried, because the server is down, are due again after downPause.
	downPause = 5 * time.Second
	// An email that cannot be sent is retried after 1, 2, 4 … seconds, then every hour, for three
	// days.
	maxMailPause    = time.Hour
	maxMailAttempts = 84
)

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
func (m *Mailer) Sweep(ctx context.Context) ([]Failure[uuid.UUID], error) {
	return sweep(ctx, m.DB, claimDue, max(m.Senders, 1), m.attempt, m.settle)
}

// attempt sends one email if it is still wanted.
func (m *Mailer) attempt(ctx context.Context, mail dueMail) result {
	if !mail.due() {
		return result{}
	}
	err := m.send(ctx, mail.mailRow)
	return result{sent: err == nil, err: err}
}

// settle records the results of a batch and returns the failures.
func (m *Mailer) settle(ctx context.Context, batch []dueMail, results []result) ([]Failure[uuid.UUID], error) {
	var done, sent []uuid.UUID
	var later []postponed[uuid.UUID]
	var failures []Failure[uuid.UUID]
	rest := time.Duration(0)
	if slices.ContainsFunc(results, result.serverDown) {
		rest = downPause
	}
	for i, mail := range batch {
		id, r := mail.NotificationID, results[i]
		switch {
		case !r.tried:
			later = append(later, postponed[uuid.UUID]{id, mail.Attempts, mail.Attempts - 1, rest, nil})
		case r.err == nil:
			done = append(done, id)
			if r.sent {
				sent = append(sent, id)
			}
		default:
			givenUp := errors.Is(r.err, mailer.ErrUndeliverable) || mail.Attempts >= maxMailAttempts
			failures = append(failures, Failure[uuid.UUID]{ID: id, Attempt: mail.Attempts, Err: r.err, GivenUp: givenUp})
			if givenUp {
				done = append(done, id)
				continue
			}
			later = append(later, postponed[uuid.UUID]{id, mail.Attempts, mail.Attempts, mailPause(mail.Attempts), r.err})
		}
	}
	return failures, postgres.WithTx(ctx, m.DB, func(tx *postgres.Tx) error {
		if err := removeDue.Run(ctx, tx, postgres.Args{"done": done, "sent": sent, "now": m.Clock.Now()}); err != nil {
			return err
		}
		return postpone(ctx, tx, postponeMails, later)
	})
}

// mailPause returns how long an email waits after the given number of failed attempts.
func mailPause(attempts int) time.Duration {
	if attempts > 12 { // 2^12 seconds are more than an hour
		return maxMailPause
	}
	return min(time.Second<<max(0, attempts-1), maxMailPause)
}

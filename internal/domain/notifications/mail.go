package notifications

import (
	"context"
	"maps"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/mailer"
)

// SendMail e-mails a notification to its reader, unless they have asked for no such mails or the address is not verified: it may be anybody's.
// The panel has the notice anyway. A crash between sending and recording it sends it again: at least once, never none.
func (m *Mailer) SendMail(ctx context.Context, notificationID uuid.UUID) error {
	letter, err := letterFor(ctx, m.DB, notificationID)
	if err != nil || letter.MailedAt != nil || !letter.Wanted {
		return err
	}
	text := func(kind catalog.Kind) string { return catalog.Render(letter.Language, kind, letter.Params) }
	message, err := mailer.Compose(mailer.Email{
		To:         letter.Email,
		Language:   letter.Language,
		Subject:    subjectOf(letter),
		Hold:       holdOf(letter),
		Paragraphs: paragraphsOf(letter),
		LinkText:   text(catalog.MailOpen),
		Link:       m.PublicURL + letter.Link,
		Assurance:  text(catalog.MailAssurance),
		Footer:     text(catalog.MailNoticeFooter),
		Unsubscribe: &mailer.Unsubscribe{
			Text: text(catalog.MailUnsubscribe),
			Page: m.PublicURL + "/unsubscribe?token=" + letter.UnsubscribeToken.String(),
			Post: m.PublicURL + "/api/mail/unsubscribe?token=" + letter.UnsubscribeToken.String(),
		},
	})
	if err != nil {
		return err
	}
	if err := m.Mail.Send(ctx, message); err != nil {
		return err
	}
	return markMailed(ctx, m.DB, notificationID, m.Clock.Now())
}

// noteParam is what somebody wrote to the reader. It is a paragraph of the mail, not a part of its subject.
const noteParam = "note"

func subjectOf(l letterRow) string {
	params := maps.Clone(l.Params)
	if _, noted := params[noteParam]; noted {
		params[noteParam] = ""
	}
	return strings.TrimSpace(catalog.Render(l.Language, l.Kind, params))
}

// paragraphsOf returns what a mail says beyond its subject: what was written to the reader, and after a delivery, how long the buyer has to
// check it before the money goes to the seller.
func paragraphsOf(l letterRow) []string {
	var paragraphs []string
	if note := l.Params[noteParam]; note != "" {
		paragraphs = append(paragraphs, note)
	}
	if l.Kind == catalog.DealDelivered && l.ReleasesAlone {
		paragraphs = append(paragraphs, catalog.Render(l.Language, catalog.MailTimeToCheck, catalog.Params{
			"days": strconv.Itoa(l.InspectionDays), "payout": (l.Price - l.Fee).String(), "username": l.Seller,
		}))
	}
	return paragraphs
}

// holdOf shows where the money of the notice's deal is, as the deal stands; nil when the notice is of no deal or the deal is unpaid.
func holdOf(l letterRow) *mailer.Hold {
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
		if refund != "" && refund != money.Cents(0).String() { // the notice is of the refund, and says how much
			return &mailer.Hold{
				Buyer:  buyer(refund, mailer.Refunded, catalog.HoldRefunded),
				Amanat: amanat(mailer.Past, catalog.HoldReleased),
				Seller: seller(mailer.Past, catalog.HoldNothing, mailer.Stitched),
			}
		}
	}
	return nil
}

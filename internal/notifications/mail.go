package notifications

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/mailer"
	"amanat/internal/money"
	"amanat/internal/texts"
)

// SendMail e-mails a notification to its reader, unless he has asked for no such mails. A crash between sending and recording it sends it
// again: at least once, never none.
func (s *Service) SendMail(ctx context.Context, notificationID uuid.UUID) error {
	letter, err := letterFor(ctx, s.DB, notificationID)
	if err != nil || letter.MailedAt != nil || !letter.Wanted {
		return err
	}
	text := func(kind texts.Kind) string { return texts.Render(letter.Language, kind, letter.Params) }
	message, err := mailer.Compose(mailer.Letter{
		To:        letter.Email,
		Language:  letter.Language,
		Subject:   text(letter.Kind),
		Hold:      holdOf(letter),
		LinkText:  text(texts.MailOpen),
		Link:      s.PublicURL + letter.Link,
		Assurance: text(texts.MailAssurance),
		Footer:    text(texts.MailNoticeFooter),
		Unsubscribe: &mailer.Unsubscribe{
			Text: text(texts.MailUnsubscribe),
			Page: s.PublicURL + "/unsubscribe?token=" + letter.UnsubscribeToken.String(),
			Post: s.PublicURL + "/api/mail/unsubscribe?token=" + letter.UnsubscribeToken.String(),
		},
	})
	if err != nil {
		return err
	}
	if err := s.Mail.Send(ctx, message); err != nil {
		return err
	}
	return markMailed(ctx, s.DB, notificationID, s.Clock.Now())
}

// holdOf shows where the money of the notice's deal is, as the deal stands; nil when the notice is of no deal or the deal is unpaid.
func holdOf(l letterRow) *mailer.Hold {
	text := func(kind texts.Kind) string { return texts.Render(l.Language, kind, nil) }
	column := func(role, name, amount string, state mailer.State, note texts.Kind, rule mailer.Rule) mailer.Column {
		return mailer.Column{
			Role: role, Name: name, State: state, Note: text(note), Rule: rule,
			Amount: texts.Render(l.Language, texts.HoldAmount, texts.Params{"amount": amount}),
		}
	}
	price, payout := l.Price.String(), (l.Price - l.Fee).String()
	buyer := func(amount string, state mailer.State, note texts.Kind) mailer.Column {
		return column(text(texts.HoldBuyer), l.Buyer, amount, state, note, mailer.NoRule)
	}
	amanat := func(state mailer.State, note texts.Kind) mailer.Column {
		return column(text(texts.HoldTrust), text(texts.HoldAmanat), price, state, note, mailer.Solid)
	}
	seller := func(state mailer.State, note texts.Kind, rule mailer.Rule) mailer.Column {
		return column(text(texts.HoldSeller), l.Seller, payout, state, note, rule)
	}
	refund := l.Params["refund"]
	switch l.DealStatus {
	case "Active", "Late", "Delivered":
		return &mailer.Hold{
			Buyer:  buyer(price, mailer.Past, texts.HoldPaid),
			Amanat: amanat(mailer.InTrust, texts.HoldHeld),
			Seller: seller(mailer.Next, texts.HoldOnCompletion, mailer.Stitched),
		}
	case "Completed":
		return &mailer.Hold{
			Buyer:  buyer(price, mailer.Past, texts.HoldPaid),
			Amanat: amanat(mailer.Past, texts.HoldReleased),
			Seller: seller(mailer.Paid, texts.HoldReceived, mailer.Solid),
		}
	case "Cancelled", "Cancelled by Buyer", "Cancelled by Seller":
		if refund != "" && refund != money.Cents(0).String() { // the notice is of the refund, and says how much
			return &mailer.Hold{
				Buyer:  buyer(refund, mailer.Refunded, texts.HoldRefunded),
				Amanat: amanat(mailer.Past, texts.HoldReleased),
				Seller: seller(mailer.Past, texts.HoldNothing, mailer.Stitched),
			}
		}
	}
	return nil
}

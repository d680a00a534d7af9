package accounts

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
)

// WithdrawalMail is an email about a withdrawal to the owner of the account.
type WithdrawalMail struct {
	UserID       uuid.UUID
	WithdrawalID uuid.UUID
	Params       catalog.Params
	Reasons      []catalog.Kind // why it is on hold; none: it is not
}

var (
	stopTemplate = template{
		body: catalog.MailRequestedBody, linkText: catalog.MailRequestedLink, path: "/not-me", purpose: forStop,
	}
	confirmTemplate = template{
		body: catalog.MailConfirmBody, linkText: catalog.MailConfirmLink, path: "/confirm-withdrawal", purpose: forConfirm,
	}
)

// SendWithdrawal sends an email with a link that stops this withdrawal, and one that confirms it if
// it is on hold. It sends to verified addresses only, so that a mistyped address does not disclose
// money matters to a third party. As in Send, the tokens are created here. It is for workers.
func (m *Mailer) SendWithdrawal(ctx context.Context, l WithdrawalMail) error {
	reader, err := findReader(ctx, m.DB, l.UserID)
	if errors.Is(err, errNoUser) || (err == nil && !reader.IsVerified) {
		return nil
	}
	if err != nil {
		return err
	}
	l.Params["username"] = reader.Username
	stop, err := m.withdrawalToken(ctx, l, forStop)
	if err != nil {
		return err
	}
	if len(l.Reasons) == 0 {
		return m.send(ctx, reader, catalog.MailRequested, stopTemplate, stop, l.Params, []catalog.Kind{catalog.MailRequestedStop})
	}
	confirm, err := m.withdrawalToken(ctx, l, forConfirm)
	if err != nil {
		return err
	}
	email := m.email(reader, catalog.MailConfirm, confirmTemplate, confirm, l.Params, append(slices.Clone(l.Reasons), catalog.MailConfirmHow))
	email.Otherwise = &mailer.Otherwise{
		Paragraph: catalog.Render(reader.Language, catalog.MailRequestedStop, l.Params),
		LinkText:  catalog.Render(reader.Language, stopTemplate.linkText, l.Params),
		Link:      m.link(stopTemplate.path, stop),
	}
	return m.deliver(ctx, email)
}

func (m *Mailer) withdrawalToken(ctx context.Context, l WithdrawalMail, p purpose) (Token, error) {
	token := newToken()
	return token, insertWithdrawalToken(ctx, m.DB, l.UserID, l.WithdrawalID, p, token, m.Clock.Now())
}

// ConfirmWithdrawal uses up the token of a mailed link and confirms its withdrawal in the same
// transaction. It returns the owner. Anyone with the link may call it, once. Code Invalid, and
// those of confirm.
func (s *Service) ConfirmWithdrawal(
	ctx context.Context, token Token, confirm func(ctx context.Context, tx *postgres.Tx, owner, withdrawal uuid.UUID) error,
) (owner uuid.UUID, err error) {
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		link, err := useWithdrawalToken(ctx, tx, forConfirm, token, s.clock.Now())
		if err != nil {
			return err
		}
		owner = link.UserID
		return confirm(ctx, tx, link.UserID, link.WithdrawalID)
	})
	return owner, tokenFault(err)
}

// WithdrawalToStop returns the withdrawal that a mailed link stops, and its owner, without using
// the token up. Anyone with the link may call it. Code Invalid.
func (s *Service) WithdrawalToStop(ctx context.Context, token Token) (owner, withdrawal uuid.UUID, err error) {
	link, err := findWithdrawalToken(ctx, s.db, forStop, token, s.clock.Now())
	return link.UserID, link.WithdrawalID, tokenFault(err)
}

// Disown marks all pending withdrawals of the owner as not requested by them, in the transaction
// that stops withdrawals.
type Disown func(ctx context.Context, tx *postgres.Tx, owner uuid.UUID) error

// StopWithdrawals uses up the token of a mailed link with which the owner reports an unauthorized
// withdrawal. It disowns the pending withdrawals, blocks requesting and sending withdrawals until
// the password is reset by a mailed link, ends all sessions and emails such a link. Anyone with the
// link may call it, once. Code Invalid, and those of disown.
func (s *Service) StopWithdrawals(ctx context.Context, token Token, disown Disown) error {
	now := s.clock.Now()
	err := postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		link, err := useWithdrawalToken(ctx, tx, forStop, token, now)
		if err != nil {
			return err
		}
		if _, err := setWithdrawalsStopped(ctx, tx, link.UserID, now); err != nil {
			return err
		}
		s.worklists.WorklistChanged(tx, realtime.WorklistWithdrawals, link.WithdrawalID)
		if err := disown(ctx, tx, link.UserID); err != nil {
			return err
		}
		if err := s.endAll(ctx, tx, link.UserID, nil); err != nil {
			return err
		}
		return s.enqueueMail(ctx, tx, link.UserID, catalog.MailReset)
	})
	return tokenFault(err)
}

// StopOwnWithdrawals does the same as StopWithdrawals for the signed-in owner, but keeps the
// calling session: the owner sees the result there, and an attacker holding that session would have
// no reason to call this. An owner whose address is not verified may be unable to reset the
// password by email, the only way to lift the stop; for them it only disowns the pending
// withdrawals and ends the other sessions. stopped reports whether withdrawals are blocked until
// the reset. Codes: those of disown.
func (s *Service) StopOwnWithdrawals(ctx context.Context, user User, session Session, disown Disown) (stopped bool, err error) {
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		if user.IsVerified {
			changed, err := setWithdrawalsStopped(ctx, tx, user.ID, s.clock.Now())
			if err != nil {
				return err
			}
			// One email per stop: a user who needs another uses "forgot password", which is
			// limited.
			if changed {
				if err := s.enqueueMail(ctx, tx, user.ID, catalog.MailReset); err != nil {
					return err
				}
			}
		}
		if err := disown(ctx, tx, user.ID); err != nil {
			return err
		}
		return s.endAll(ctx, tx, user.ID, &session.ID)
	})
	return user.IsVerified, err
}

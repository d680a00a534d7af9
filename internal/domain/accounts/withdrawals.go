package accounts

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/platform/catalog"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
)

// browserFresh is how long a browser counts as new after the user's first login in it.
const browserFresh = 24 * time.Hour

// IsNewBrowser tells whether the user has signed in with the browser for less than a day, or never.
func (s *Service) IsNewBrowser(ctx context.Context, userID uuid.UUID, browser Token) (bool, error) {
	since, known, err := browserSince(ctx, s.db, userID, browser)
	return !known || s.sessionClock.Now().Sub(since) < browserFresh, err
}

// WithdrawalLetter is a letter about a withdrawal to the owner of the account.
type WithdrawalLetter struct {
	Letter       string // of jobs
	UserID       uuid.UUID
	WithdrawalID uuid.UUID
	Params       catalog.Params
	Reasons      []catalog.Kind // why it is held
}

var withdrawalForms = map[string]form{
	jobs.LetterWithdrawalRequested: {
		subject: catalog.MailRequested, body: catalog.MailRequestedBody, linkText: catalog.MailRequestedLink, path: "/not-me", purpose: forStop,
	},
	jobs.LetterWithdrawalConfirm: {
		subject: catalog.MailConfirm, body: catalog.MailConfirmBody, linkText: catalog.MailConfirmLink, path: "/confirm-withdrawal",
		purpose: forConfirm,
	},
}

// SendWithdrawalLetter mails a letter with a link that is good for this withdrawal alone. It goes to verified addresses only: what is about
// money is not told to whoever may have a mistyped address. As with SendLetter the token is made here. It is for workers.
func (m *Mailer) SendWithdrawalLetter(ctx context.Context, l WithdrawalLetter) error {
	form, known := withdrawalForms[l.Letter]
	if !known {
		return errors.New("accounts: unknown letter " + l.Letter)
	}
	reader, err := findReader(ctx, m.DB, l.UserID)
	if errors.Is(err, errNoUser) || (err == nil && !reader.IsVerified) {
		return nil
	}
	if err != nil {
		return err
	}
	token := newToken()
	if err := insertWithdrawalToken(ctx, m.DB, reader.ID, l.WithdrawalID, form.purpose, token, m.Clock.Now()); err != nil {
		return err
	}
	more := []catalog.Kind{catalog.MailRequestedStop}
	if form.purpose == forConfirm {
		more = append(slices.Clone(l.Reasons), catalog.MailConfirmHow)
	}
	l.Params["username"] = reader.Username
	return m.send(ctx, reader, form, token, l.Params, more)
}

// ConfirmWithdrawal uses up the token of a mailed link and, in the same transaction, confirms the withdrawal that it was mailed for. Anybody
// with the link may call it, once. It returns the owner. Code Invalid, and those of confirm.
func (s *Service) ConfirmWithdrawal(
	ctx context.Context, token Token, confirm func(ctx context.Context, tx *postgres.Tx, owner, withdrawal uuid.UUID) error,
) (owner uuid.UUID, err error) {
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		link, err := useWithdrawalToken(ctx, tx, forConfirm, token, s.clock.Now())
		if err != nil {
			return err
		}
		owner = link.owner
		return confirm(ctx, tx, link.owner, link.withdrawal)
	})
	return owner, tokenFault(err)
}

// WithdrawalToStop returns which withdrawal a mailed link stops, and whose it is. Anybody with the link may call it; it uses nothing up.
// Code Invalid.
func (s *Service) WithdrawalToStop(ctx context.Context, token Token) (owner, withdrawal uuid.UUID, err error) {
	link, err := findWithdrawalToken(ctx, s.db, forStop, token, s.clock.Now())
	return link.owner, link.withdrawal, tokenFault(err)
}

// Disown marks all pending withdrawals of their owner as somebody else's, in the transaction that stops them.
type Disown func(ctx context.Context, tx *postgres.Tx, owner uuid.UUID) error

// StopWithdrawals uses up the token of a mailed link by which the owner says that a withdrawal was somebody else's. It disowns those that
// are pending, lets no withdrawal of the account be made or sent until the password has been reset by a mailed link, ends all sessions, and
// mails such a link. Anybody with the link may call it, once. Code Invalid, and those of disown.
func (s *Service) StopWithdrawals(ctx context.Context, token Token, disown Disown) error {
	now := s.clock.Now()
	err := postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		link, err := useWithdrawalToken(ctx, tx, forStop, token, now)
		if err != nil {
			return err
		}
		if _, err := setWithdrawalsStopped(ctx, tx, link.owner, now); err != nil {
			return err
		}
		s.queues.QueueChanged(tx, realtime.QueueWithdrawals, link.withdrawal)
		if err := disown(ctx, tx, link.owner); err != nil {
			return err
		}
		if err := s.endAll(ctx, tx, link.owner, nil); err != nil {
			return err
		}
		return s.enqueueLetter(ctx, tx, link.owner, jobs.LetterResetPassword)
	})
	return tokenFault(err)
}

// StopOwnWithdrawals does for the signed-in owner what StopWithdrawals does for who has the link, but spares the session that asks: it is
// where the owner reads what has come of it, and whoever else had it would not ask for this. An owner whose address is not verified may
// be unable to reset the password by mail, which would be the only way out: those withdrawals are disowned and the other sessions end, and
// that is all. It returns whether withdrawals are stopped until the reset. Codes: those of disown.
func (s *Service) StopOwnWithdrawals(ctx context.Context, user User, session Session, disown Disown) (stopped bool, err error) {
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		if user.IsVerified {
			changed, err := setWithdrawalsStopped(ctx, tx, user.ID, s.clock.Now())
			if err != nil {
				return err
			}
			if changed { // once a stop: whoever asks again uses "forgot password", which is limited
				if err := s.enqueueLetter(ctx, tx, user.ID, jobs.LetterResetPassword); err != nil {
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

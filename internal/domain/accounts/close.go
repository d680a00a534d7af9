package accounts

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// Blocker is a reason why an account cannot be closed now.
type Blocker string

// Blockers, in the order in which Close refuses.
const (
	BlockerDeals   Blocker = "open_deals"
	BlockerPending Blocker = "pending_money"
	BlockerBalance Blocker = "balance"
	BlockerAdmin   Blocker = "admin"
)

// Obligations are what keeps an account from being closed (docs/rules.md#close-account).
type Obligations struct {
	OpenDeals    int         // as buyer or seller
	PendingDeals int         // as buyer or seller; Close ends them first
	PendingMoney int         // pending deposits and withdrawals
	Balance      money.Cents // of the wallet, with rewards that are not credited yet
	IsAdmin      bool
}

// Blockers returns what keeps the account from being closed. The list is empty, not nil, if nothing
// does.
func (o Obligations) Blockers() []Blocker {
	blockers := []Blocker{}
	for _, b := range []struct {
		blocks bool
		name   Blocker
	}{
		{o.OpenDeals > 0, BlockerDeals}, {o.PendingMoney > 0, BlockerPending}, {o.Balance > 0, BlockerBalance}, {o.IsAdmin, BlockerAdmin},
	} {
		if b.blocks {
			blockers = append(blockers, b.name)
		}
	}
	return blockers
}

// refusal returns the error for the first blocker, nil if there is none.
func (o Obligations) refusal() error {
	blockers := o.Blockers()
	if len(blockers) == 0 {
		return nil
	}
	switch blockers[0] {
	case BlockerDeals:
		return fault.New(fault.Conflict, "close_open_deals", "You still have open deals. Finish or cancel them first.")
	case BlockerPending:
		return fault.New(fault.Conflict, "close_pending_money", "You still have pending deposits or withdrawals.")
	case BlockerBalance:
		return fault.New(fault.Conflict, "close_balance", "Withdraw your balance before you close your account.")
	case BlockerAdmin:
	}
	return fault.New(fault.Forbidden, "close_admin", "Admins cannot close their account.")
}

// Obligations returns what keeps the signed-in user from closing the account.
func (s *Service) Obligations(ctx context.Context, userID uuid.UUID) (Obligations, error) {
	return readObligations.One(ctx, s.db, postgres.Args{"user": userID})
}

// eraseAgain is when an account is erased a second time: calls that were in progress while it was
// closed have long ended by then.
const eraseAgain = 10 * time.Minute

// Close closes the account of the signed-in user, who has typed their username to confirm it: it
// declines and withdraws the Pending deals, so that strangers' offers keep no account open, ends
// all sessions, deletes everything that lets somebody sign in, gives the account a pseudonym, and
// has the rest erased. Codes: Invalid if the username does not match; Conflict while deals are
// open, money is pending or the balance is not zero; Forbidden for admins.
//
// The lock on the user's row waits for every transaction that has written a row of the user, such
// as a new deal, deposit or reward, and such a transaction that comes later finds the account
// closed. So nothing can bring money to a closed account.
func (s *Service) Close(ctx context.Context, user User, username string) error {
	if !strings.EqualFold(normalUsername(username), user.Username) {
		return fault.Field("username", "close_username", "Please type your username to confirm.")
	}
	if err := s.endPending(ctx, user.ID); err != nil {
		return err
	}
	return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		current, err := lockUser(ctx, tx, user.ID, forClosing)
		if errors.Is(err, errNoUser) {
			return errUnauthenticated()
		}
		if err != nil {
			return err
		}
		return s.closeUnlessObliged(ctx, tx, current)
	})
}

// endPending ends the Pending deals of a user whose account nothing else keeps from being closed.
func (s *Service) endPending(ctx context.Context, userID uuid.UUID) error {
	owed, err := s.Obligations(ctx, userID)
	if err == nil {
		err = owed.refusal()
	}
	if err != nil {
		return err
	}
	return s.deals.RemovePending(ctx, userID)
}

// closeUnlessObliged closes a locked user's account and has the rest erased, unless something keeps
// the account from being closed.
func (s *Service) closeUnlessObliged(ctx context.Context, tx *postgres.Tx, user User) error {
	owed, err := readObligations.One(ctx, tx, postgres.Args{"user": user.ID})
	if err == nil {
		owed.OpenDeals += owed.PendingDeals // they would go on without the user
		err = owed.refusal()
	}
	if err != nil {
		return err
	}
	if err := s.close(ctx, tx, user); err != nil {
		return err
	}
	return s.enqueueErasure(ctx, tx, user.ID)
}

// close makes a locked user's account a closed one.
func (s *Service) close(ctx context.Context, tx *postgres.Tx, user User) error {
	now := s.clock.Now()
	if err := insertClosedAccount(ctx, tx, user, now); err != nil {
		return err
	}
	retired := sha256.Sum256([]byte(skeleton(user.Username)))
	if err := insertRetiredUsername.Run(ctx, tx, postgres.Args{"hash": retired[:], "now": now}); err != nil {
		return err
	}
	if err := setClosed.One(ctx, tx, postgres.Args{"id": user.ID, "pseudonym": newPseudonym(), "now": now}); err != nil {
		return err
	}
	if err := deleteSecrets(ctx, tx, user.ID, now); err != nil {
		return err
	}
	s.worklists.WorklistChanged(tx, realtime.WorklistUsers, user.ID)
	return s.endAll(ctx, tx, user.ID, nil)
}

func (s *Service) enqueueErasure(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	for _, job := range []struct {
		args river.JobArgs
		opts *river.InsertOpts
	}{
		{jobs.Mail{MailKind: string(catalog.MailClosed), SubjectID: userID}, nil},
		{jobs.EraseAccount{UserID: userID}, nil},
		// River schedules by the real time.
		{jobs.EraseAccount{UserID: userID}, &river.InsertOpts{ScheduledAt: clock.System{}.Now().Add(eraseAgain)}},
	} {
		if _, err := s.jobs.InsertTx(ctx, tx, job.args, job.opts); err != nil {
			return fmt.Errorf("enqueue %s: %w", job.args.Kind(), err)
		}
	}
	return nil
}

// pseudonymPrefix begins the usernames of closed accounts. Nobody else may choose such a name.
const pseudonymPrefix = "deleted-"

// newPseudonym returns the username of an account that is being closed.
func newPseudonym() string { return pseudonymPrefix + strings.ToLower(rand.Text()[:8]) }

// closedKept is how long the name and the address of a closed account are kept.
const closedKept = 24 * time.Hour

// RemoveClosedAccounts deletes the names and addresses of accounts that were closed a day ago, and
// erased since, which takes the name to find it in texts. It returns how many.
func (c *Cleaner) RemoveClosedAccounts(ctx context.Context) (int64, error) {
	return deleteClosedAccounts.InBatches(ctx, c.DB, postgres.Args{"before": c.Clock.Now().Add(-closedKept)}, deleteBatch)
}

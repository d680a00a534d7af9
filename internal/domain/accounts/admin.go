package accounts

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// Bounds of Search.
const (
	minQuery   = 2
	maxResults = 10
)

// trigramPattern finds the shortest text that the trigram index of usernames can look up.
var trigramPattern = regexp.MustCompile(`[A-Za-z0-9]{3}`)

// Search returns up to ten users whose username contains the query, ignoring case, prefix matches
// first. A query without three consecutive letters or digits, such as any of two characters,
// matches prefixes only: no index serves anything else. A query of fewer than two characters finds
// nothing. The caller, disabled accounts and users with a block between them and the caller are
// never found.
func (s *Service) Search(ctx context.Context, actor uuid.UUID, query string) ([]user.Ref, error) {
	query = strings.TrimSpace(query)
	switch {
	case utf8.RuneCountInString(query) < minQuery:
		return []user.Ref{}, nil
	case trigramPattern.MatchString(query):
		return searchUsers(ctx, s.db, sqlUsersNamed, actor, query)
	}
	return searchUsers(ctx, s.db, sqlUsersBeginning, actor, query)
}

// MarkVerified marks the user's email address as verified, for users whom no email reaches. It is
// for the operator's command line and the demo seed. Code NotFound.
func (s *Service) MarkVerified(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.verify", func(tx *postgres.Tx) (User, error) {
		return setVerifiedByName(ctx, tx, normalUsername(username))
	})
}

// Disable locks a user out, ends the user's sessions and suspends their open deals. It is for the
// operator's command line only. Code NotFound.
func (s *Service) Disable(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.disable", func(tx *postgres.Tx) (User, error) {
		user, err := setDisabled(ctx, tx, normalUsername(username), s.clock.Now())
		if err != nil {
			return User{}, err
		}
		if err := s.endAll(ctx, tx, user.ID, nil); err != nil {
			return User{}, err
		}
		return user, s.deals.SyncSuspensions(ctx, tx, user.ID)
	})
}

// Enable lets a disabled user in again and resumes the deals that were suspended for no other
// reason. It is for the operator's command line only. Code NotFound.
func (s *Service) Enable(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.enable", func(tx *postgres.Tx) (User, error) {
		user, err := setEnabled(ctx, tx, normalUsername(username))
		if err != nil {
			return User{}, err
		}
		return user, s.deals.SyncSuspensions(ctx, tx, user.ID)
	})
}

// HoldWithdrawals blocks the user's withdrawals: none can be requested or sent; those waiting for
// an admin can still be rejected. It is for the operator's command line only and requires the
// database owner's login. Code NotFound.
func (s *Service) HoldWithdrawals(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.hold_withdrawals", func(tx *postgres.Tx) (User, error) {
		now := s.clock.Now()
		return setWithdrawalsHeld(ctx, tx, normalUsername(username), &now)
	})
}

// ReleaseWithdrawals lets the user withdraw again, also after the user has stopped withdrawals
// themselves. It is for the operator's command line only and requires the database owner's login.
// Code NotFound.
func (s *Service) ReleaseWithdrawals(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.release_withdrawals", func(tx *postgres.Tx) (User, error) {
		return setWithdrawalsHeld(ctx, tx, normalUsername(username), nil)
	})
}

// Statement returns the user of a statement for the operator, also a disabled one, and records that
// it was read. It is for the operator's command line only. Code NotFound.
func (s *Service) Statement(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.statement", func(tx *postgres.Tx) (User, error) {
		return findAnyUser(ctx, tx, normalUsername(username))
	})
}

// Trail is Statement for the trail of a user.
func (s *Service) Trail(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.trail", func(tx *postgres.Tx) (User, error) {
		return findAnyUser(ctx, tx, normalUsername(username))
	})
}

// operate runs an operator's change of a user and records it in the audit log.
func (s *Service) operate(ctx context.Context, action string, change func(tx *postgres.Tx) (User, error)) (User, error) {
	return s.operateFor(ctx, action, "", change)
}

// operateFor is operate for a reason, which the audit log keeps unless it is "".
func (s *Service) operateFor(
	ctx context.Context, action, reason string, change func(tx *postgres.Tx) (User, error),
) (User, error) {
	details := map[string]string{} // no name: the log outlasts a closed account
	if reason != "" {
		details["reason"] = reason
	}
	var user User
	err := postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		var err error
		if user, err = change(tx); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: s.clock.Now(), Actor: actor.Operator(), Action: action, Subject: "user:" + user.ID.String(),
			Details: details,
		})
	})
	return user, notFound(err)
}

// Own is what users see of their own account beside User.
type Own struct {
	Balance  money.Cents // available
	EventSeq int64       // head of the event log when the rest was read: later events tell of later changes
	Consent  Consent
}

// Own returns what a user sees of their own account.
func (s *Service) Own(ctx context.Context, userID uuid.UUID) (Own, error) {
	var own Own
	var batch postgres.Batch
	realtime.QueueHead(&batch, userID, &own.EventSeq)
	ledger.QueueWalletBalance(&batch, userID, &own.Balance)
	queueConsent(&batch, userID, &own.Consent)
	err := batch.Send(ctx, s.db)
	return own, err
}

// GrantAdmin makes a user an admin and notifies all admins. now is why it cannot wait until the
// user's second factor is a day old, as for the first admin; "" if it can. It is for the operator's
// command line only and requires the database owner's login: the api's login may not write this
// column. Codes: NotFound, and Conflict if the password must be made stronger, or the second factor
// be set up, first.
func (s *Service) GrantAdmin(ctx context.Context, username, now string) (User, error) {
	return s.setAdmin(ctx, "user.grant_admin", now, username, true, catalog.AdminGranted)
}

// RevokeAdmin removes a user's admin role and notifies the other admins; the user stays signed in.
// It is for the operator's command line only and requires the database owner's login. Code
// NotFound.
func (s *Service) RevokeAdmin(ctx context.Context, username string) (User, error) {
	return s.setAdmin(ctx, "user.revoke_admin", "", username, false, catalog.AdminRevoked)
}

func (s *Service) setAdmin(ctx context.Context, action, why, username string, admin bool, notice catalog.Kind) (User, error) {
	return s.operateFor(ctx, action, why, func(tx *postgres.Tx) (User, error) {
		user, err := setAdmin(ctx, tx, normalUsername(username), admin)
		if err == nil && admin && s.strongAdmins {
			err = s.checkNewAdmin(ctx, tx, user, why)
		}
		if err != nil || s.jobs == nil {
			return user, err
		}
		_, err = s.jobs.InsertTx(ctx, tx, jobs.AdminNotice{
			NoticeKind: string(notice), Params: catalog.Params{"username": user.Username}, AboutID: &user.ID, SubjectID: user.ID,
			Link: "/admin/users",
		}, nil)
		return user, err
	})
}

// checkNewAdmin returns a Conflict if the user's password is too short for an admin, or unless
// there is a reason why, their second factor is off or less than a day old.
func (s *Service) checkNewAdmin(ctx context.Context, tx *postgres.Tx, user User, why string) error {
	if !user.PasswordStrong {
		return fault.Newf(fault.Conflict, "admin_password_needed", "{name} has to set a password of at least {count} characters first.",
			fault.Params{"name": user.Username, "count": MinAdminPassword})
	}
	if why != "" {
		return nil
	}
	r, err := findRecent(ctx, tx, user.ID, "")
	if err == nil && !s.settled(user, r) {
		err = fault.Newf(fault.Conflict, "admin_factor_needed",
			"{name} has to set up two-step login first, at least a day before. If it cannot wait, say why with --now.",
			fault.Params{"name": user.Username})
	}
	return err
}

const maxReason = 500

// DisableUser locks a user out, ends the user's sessions and suspends their open deals; the user
// keeps their balance and data. The account of a suspended user no longer comes back by itself. It
// is idempotent. The caller has checked that the actor is an admin and that the user exists. Codes:
// Forbidden for the actor's own account, Invalid if the reason is too long.
func (s *Service) DisableUser(ctx context.Context, admin, id uuid.UUID, reason string) error {
	reason = sanitize.Text(reason)
	if utf8.RuneCountInString(reason) > maxReason {
		return fault.Field("reason", "reason_too_long", "The reason must be at most 500 characters.")
	}
	if admin == id {
		return fault.New(fault.Forbidden, "own_account", "You cannot disable your own account.")
	}
	now := s.clock.Now()
	return s.decide(ctx, audit.Entry{Actor: actor.User(admin), Action: "user.disable", Details: map[string]string{"reason": reason}}, id,
		func(tx *postgres.Tx) (changed bool, err error) {
			if changed, err = endSuspension.Any(ctx, tx, postgres.Args{"id": id}); err != nil || changed {
				return changed, err
			}
			if changed, err = setDisabledAt.Any(ctx, tx, postgres.Args{"id": id, "at": &now}); err != nil || !changed {
				return false, err
			}
			if err := s.endAll(ctx, tx, id, nil); err != nil {
				return false, err
			}
			return true, s.deals.SyncSuspensions(ctx, tx, id)
		})
}

// EnableUser lets a disabled user in again, also one whom a decision suspends, and resumes the
// deals that were suspended for no other reason. It is idempotent. The caller has checked that the
// actor is an admin and that the user exists. Code Conflict if the user has closed the account.
func (s *Service) EnableUser(ctx context.Context, admin, id uuid.UUID) error {
	return s.decide(ctx, audit.Entry{Actor: actor.User(admin), Action: "user.enable", Details: struct{}{}}, id,
		func(tx *postgres.Tx) (changed bool, err error) {
			closed, err := isClosed.One(ctx, tx, postgres.Args{"user": id})
			if err == nil && closed {
				err = fault.New(fault.Conflict, "account_closed", "This account is closed and cannot be enabled.")
			}
			if err != nil {
				return false, err
			}
			if changed, err = setDisabledAt.Any(ctx, tx, postgres.Args{"id": id, "at": nil}); err != nil || !changed {
				return false, err
			}
			return true, s.deals.SyncSuspensions(ctx, tx, id)
		})
}

// Suspend disables a user for a decision of moderation, ends their sessions and suspends their open
// deals. If another decision has disabled the user, this one takes its place; if the user is
// disabled for another reason, nothing changes. The caller has locked the user's row and records
// the decision in the audit log.
func (s *Service) Suspend(ctx context.Context, tx *postgres.Tx, userID, decision uuid.UUID, at time.Time) error {
	newly, err := setSuspended(ctx, tx, userID, decision, at)
	if err != nil || !newly {
		return err
	}
	s.worklists.WorklistChanged(tx, realtime.WorklistUsers, userID)
	if err := s.endAll(ctx, tx, userID, nil); err != nil {
		return err
	}
	return s.deals.SyncSuspensions(ctx, tx, userID)
}

// Resume enables a user whom a decision of moderation has disabled. See Resumer.
func (s *Service) Resume(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	return (&Resumer{Deals: s.deals, Worklists: s.worklists}).Resume(ctx, tx, userID)
}

// Resumer enables users whose suspension has ended. Workers have it, which may change nothing else
// of a user.
type Resumer struct {
	Deals     Deals
	Worklists Worklists
}

// Resume enables a user whom a decision of moderation has disabled, and resumes the deals that were
// suspended for no other reason. It does nothing if the user is disabled for another reason.
func (r *Resumer) Resume(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	resumed, err := setResumed.Any(ctx, tx, postgres.Args{"id": userID})
	if err != nil || !resumed {
		return err
	}
	r.Worklists.WorklistChanged(tx, realtime.WorklistUsers, userID)
	return r.Deals.SyncSuspensions(ctx, tx, userID)
}

// decide runs an admin's change of a user and records it in the audit log if it changed anything.
func (s *Service) decide(ctx context.Context, entry audit.Entry, id uuid.UUID, change func(tx *postgres.Tx) (bool, error)) error {
	return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		changed, err := change(tx)
		if err != nil || !changed {
			return err
		}
		s.worklists.WorklistChanged(tx, realtime.WorklistUsers, id)
		entry.At, entry.Subject = s.clock.Now(), "user:"+id.String()
		return audit.Record(ctx, tx, entry)
	})
}

// AppealOf returns the decision of a link to an appeal, which works for a suspended user, too. Code
// Invalid if it does not work.
func (s *Service) AppealOf(ctx context.Context, q postgres.Querier, token string) (decision uuid.UUID, err error) {
	decision, err = findAppealToken(ctx, q, Token(token), s.clock.Now())
	return decision, tokenFault(err)
}

// UseUpAppeal makes the links to an appeal against a decision stop working.
func (s *Service) UseUpAppeal(ctx context.Context, tx *postgres.Tx, decision uuid.UUID) error {
	return useUpAppealTokens.Run(ctx, tx, postgres.Args{"case": decision, "now": s.clock.Now()})
}

// DecisionMail is an email about a decision of moderation to the user it is about.
type DecisionMail struct {
	Kind       catalog.Kind
	UserID     uuid.UUID
	DecisionID uuid.UUID
	Params     catalog.Params
	CanAppeal  bool
}

// decisionBodies are those of the emails about decisions, by subject.
var decisionBodies = map[catalog.Kind]catalog.Kind{
	catalog.MailWarned:          catalog.MailDecisionReason,
	catalog.MailHidden:          catalog.MailDecisionReason,
	catalog.MailSuspended:       catalog.MailDecisionReason,
	catalog.MailBanned:          catalog.MailDecisionReason,
	catalog.MailUpheld:          catalog.MailDecisionAnswer,
	catalog.MailOverturned:      catalog.MailDecisionAnswer,
	catalog.MailSuspensionEnded: catalog.MailSuspensionEndedBody,
}

// SendDecision sends an email about a decision, also to a user who is disabled. That of the
// decision itself has a link to an appeal while there can be one; as in Send, its token is
// created here. It is for workers.
func (m *Mailer) SendDecision(ctx context.Context, l DecisionMail) error {
	body, known := decisionBodies[l.Kind]
	if !known {
		return fmt.Errorf("accounts: unknown mail %q", l.Kind)
	}
	reader, err := findReaderOrDisabled(ctx, m.DB, l.UserID)
	if errors.Is(err, errNoUser) {
		return nil // they have closed the account since
	}
	if err != nil {
		return err
	}
	tmpl := template{body: body, linkText: catalog.MailOpen, path: "/decisions/" + l.DecisionID.String()}
	var token Token
	var more []catalog.Kind
	if body == catalog.MailDecisionReason && l.CanAppeal {
		token = newToken()
		if err := insertAppealToken(ctx, m.DB, reader.ID, l.DecisionID, token, m.Clock.Now()); err != nil {
			return err
		}
		tmpl.linkText, tmpl.path = catalog.MailAppealLink, "/appeal"
		more = []catalog.Kind{catalog.MailAppealHow}
	}
	l.Params["username"] = reader.Username
	return m.send(ctx, reader, l.Kind, tmpl, token, l.Params, more)
}

// SessionsOf returns a user, also a disabled one, with their open sessions. It is for the
// operator's command line only. Code NotFound.
func (s *Service) SessionsOf(ctx context.Context, username string) (User, []OpenSession, error) {
	user, err := findAnyUser(ctx, s.db, normalUsername(username))
	if err != nil {
		return User{}, nil, notFound(err)
	}
	sessions, err := s.Sessions(ctx, user.ID)
	return user, sessions, err
}

// EndSessionsOf ends one session of a user, or all of them if id is nil, and closes their sockets.
// It is for the operator's command line only. Code NotFound if there is no such user or session.
func (s *Service) EndSessionsOf(ctx context.Context, username string, id *uuid.UUID) (User, error) {
	user, err := s.operate(ctx, "user.end_sessions", func(tx *postgres.Tx) (User, error) {
		user, err := findAnyUser(ctx, tx, normalUsername(username))
		if err != nil {
			return User{}, err
		}
		if id == nil {
			return user, s.endAll(ctx, tx, user.ID, nil)
		}
		tx.AfterCommit(func() { s.sessions.SessionEnded(*id) })
		return user, endSession(ctx, tx, user.ID, *id)
	})
	if errors.Is(err, errNoSession) {
		return User{}, errSessionNotFound()
	}
	return user, err
}

// Exported returns the user of an archive for the operator, also a disabled one, and records that
// the archive was made. It is for the operator's command line only. Code NotFound.
func (s *Service) Exported(ctx context.Context, username string) (User, error) {
	return s.operate(ctx, "user.export", func(tx *postgres.Tx) (User, error) {
		return findAnyUser(ctx, tx, normalUsername(username))
	})
}

// Erase closes a user's account as Close does, also that of a disabled user. It is for the
// operator's command line only. Codes: NotFound; Conflict if the account is closed already, while
// deals are open, money is pending or the balance is not zero; Forbidden for admins.
func (s *Service) Erase(ctx context.Context, username string) (User, error) {
	found, err := findAnyUser(ctx, s.db, normalUsername(username))
	if err == nil {
		err = s.endPending(ctx, found.ID)
	}
	if err != nil {
		return User{}, notFound(err)
	}
	return s.operate(ctx, "user.erase", func(tx *postgres.Tx) (User, error) {
		user, err := lockUserNamed(ctx, tx, normalUsername(username), forClosing)
		if err != nil {
			return User{}, err
		}
		closed, err := isClosed.One(ctx, tx, postgres.Args{"user": user.ID})
		if err == nil && closed {
			err = fault.New(fault.Conflict, "account_closed_already", "This account is closed already.")
		}
		if err != nil {
			return User{}, err
		}
		// The end of a suspension would enable the account again.
		if _, err := endSuspension.Any(ctx, tx, postgres.Args{"id": user.ID}); err != nil {
			return User{}, err
		}
		return user, s.closeUnlessObliged(ctx, tx, user)
	})
}

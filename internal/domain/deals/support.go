package deals

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/app/worklist"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// SupportRequest is a party's request for an admin's help with a deal.
type SupportRequest struct {
	ID              uuid.UUID
	DealID          uuid.UUID
	DealDescription string
	User            user.Ref
	Issue           string
	CreatedAt       time.Time
	ClosedAt        *time.Time
	ClosedBy        *user.Ref
	Answer          string // of the admin who closed it
}

const (
	maxIssue  = 5000
	maxAnswer = 2000
)

// RequestSupport requests an admin's help with a deal. A party's first request freezes an open deal
// until an admin closes it; the parties may still complete, cancel or leave. Codes: NotFound if the
// user is not a party, Invalid, Conflict while the party's last request is open or an operation is
// pending.
func (s *Service) RequestSupport(ctx context.Context, userID, id uuid.UUID, issue string, key *idempotency.Key) error {
	issue = sanitize.Text(issue)
	requestID, err := uuid.NewV7()
	if err != nil {
		return err
	}
	return s.change(ctx, userID, id, func(tx *postgres.Tx, d Deal) error {
		if _, replayed, err := idempotency.Reserve(ctx, tx, key, requestID, s.Clock.Now()); err != nil || replayed {
			return err
		}
		switch {
		case issue == "":
			return fault.Field("issueDescription", "issue_missing", "Please describe the issue.")
		case utf8.RuneCountInString(issue) > maxIssue:
			return fault.Field("issueDescription", "description_over_limit", "The description must be at most 5,000 characters.")
		}
		if err := checkNotBusy(ctx, tx, id); err != nil {
			return err
		}
		before, err := hasFrozen.One(ctx, tx, postgres.Args{"deal": id, "user": userID})
		if err != nil {
			return err
		}
		err = insertSupport(ctx, tx, requestID, id, userID, issue, !before, s.Clock.Now())
		if postgres.UniqueViolation(err, "support_requests_open") {
			return fault.New(fault.Conflict, "support_still_open", "Your last request for this deal is still open. We will answer it.")
		}
		if err != nil {
			return err
		}
		s.Events.WorklistChanged(tx, realtime.WorklistSupport, requestID)
		line, kind := catalog.LineSupportAsked, catalog.DealSupportAsked
		switch {
		case !d.Status.Open(), before && d.Frozen():
		case before: // a party freezes a deal once, so that it cannot stall it
			line, kind = catalog.LineSupportAgain, catalog.DealSupportAgain
		default:
			line, kind = catalog.LineSupport, catalog.DealSupport
			if err := s.freeze(ctx, tx, &d); err != nil {
				return err
			}
		}
		c := change{actor: actor.User(userID), line: line, notices: []notice{{d.Other(userID).ID, kind}}}
		if err := s.publish(ctx, tx, d, c); err != nil {
			return err
		}
		return s.notifyAdmins(ctx, tx, d, jobs.AdminNotice{
			NoticeKind: string(catalog.AdminSupport), Params: catalog.Params{"username": d.nameOf(userID)}, AboutID: &userID,
			Link: "/admin/support-requests",
		})
	})
}

// maxDisputes is how many disputes a party may open about a deal.
const maxDisputes = 3

// checkDisputesLeft returns a Conflict if the user has opened as many disputes about the deal as a
// party may.
func checkDisputesLeft(ctx context.Context, tx *postgres.Tx, dealID, userID uuid.UUID) error {
	opened, err := countDisputes.One(ctx, tx, postgres.Args{"deal": dealID, "user": userID})
	if err == nil && opened >= maxDisputes {
		err = fault.New(fault.Conflict, "disputes_used_up", "You have opened three disputes about this deal. Please open a support request.")
	}
	return err
}

func (s *Service) freeze(ctx context.Context, tx *postgres.Tx, d *Deal) error {
	if d.Frozen() {
		return nil
	}
	now := s.Clock.Now()
	d.FrozenAt = &now
	return setFrozen.One(ctx, tx, postgres.Args{"id": d.ID, "now": now})
}

func (d Deal) nameOf(userID uuid.UUID) string {
	if userID == d.Buyer.ID {
		return d.Buyer.Username
	}
	return d.Seller.Username
}

// notifyAdmins completes the notice with the deal and its price and enqueues it.
func (s *Service) notifyAdmins(ctx context.Context, tx *postgres.Tx, d Deal, notice jobs.AdminNotice) error {
	notice.SubjectID = d.ID
	notice.Params["amount"] = d.Price.String()
	_, err := s.Jobs.InsertTx(ctx, tx, notice, nil)
	return err
}

// SupportQuery is what an admin looks for among the support requests. Empty fields select all.
type SupportQuery struct {
	Open   bool   // only open ones
	Search string // the beginning of a username, an email, an id, or words of the request
}

// ListSupport returns a page of support requests to an admin, open ones first, and among those the
// oldest first.
func (s *Service) ListSupport(ctx context.Context, query SupportQuery, page postgres.Page) ([]SupportRequest, int, error) {
	return listSupport(ctx, s.DB, query, page)
}

// GetSupport returns a support request. The caller has checked that the reader is an admin. Code
// NotFound.
func (s *Service) GetSupport(ctx context.Context, id uuid.UUID) (SupportRequest, error) {
	return getSupport(ctx, s.DB, id)
}

// CloseSupport closes a support request with an answer that both parties can read. If no other
// request or suspension keeps the deal frozen, its next action is put off by the time frozen and to
// at least a day from now. The caller has checked that the actor is an admin. Codes: NotFound,
// Invalid without an answer or with one of more than 2,000 characters, Forbidden for a party of the
// deal, AlreadyHandled.
func (s *Service) CloseSupport(ctx context.Context, admin, requestID uuid.UUID, answer string) error {
	answer = sanitize.Text(answer)
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		request, err := getSupport(ctx, tx, requestID)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		// The deal is locked first, as everywhere. It may have been removed unpaid meanwhile.
		d, err := lockIncludingRemoved(ctx, tx, request.DealID, now)
		if err != nil {
			return err
		}
		if d.IsParty(admin) {
			return errOwnDeal()
		}
		if err := checkAnswer(answer); err != nil {
			return err
		}
		closed, err := closeSupport.Any(ctx, tx, postgres.Args{"id": requestID, "admin": admin, "answer": answer, "now": now})
		if err == nil && !closed {
			request, err = getSupport(ctx, tx, requestID) // read who closed it first
		}
		if err != nil {
			return err
		}
		if !closed {
			return worklist.ErrHandled(*request.ClosedBy, *request.ClosedAt)
		}
		request.Answer = answer
		if err := s.closed(ctx, tx, d, request, now); err != nil {
			return err
		}
		s.Events.WorklistChanged(tx, realtime.WorklistSupport, requestID)
		return audit.Record(ctx, tx, audit.Entry{
			At: now, Actor: actor.User(admin), Action: "support.close", Subject: operations.Deal(request.DealID),
			Details: map[string]uuid.UUID{"request": requestID, "user": request.User.ID},
		})
	})
}

func checkAnswer(answer string) error {
	switch {
	case answer == "":
		return fault.Field("answer", "answer_missing", "Write an answer. Both parties will read it.")
	case utf8.RuneCountInString(answer) > maxAnswer:
		return fault.Field("answer", "answer_too_long", "The answer must be at most 2,000 characters.")
	}
	return nil
}

// closed records and announces the end of a request, and thaws the deal if nothing else keeps it
// frozen.
func (s *Service) closed(ctx context.Context, tx *postgres.Tx, d Deal, request SupportRequest, now time.Time) error {
	held, err := anyFreezing.One(ctx, tx, postgres.Args{"deal": d.ID})
	if err != nil {
		return err
	}
	both := func(line, kind catalog.Kind) change {
		return change{
			actor: actor.System(), about: &request.User.ID, line: line, note: request.Answer,
			notices: []notice{{d.Buyer.ID, kind}, {d.Seller.ID, kind}},
		}
	}
	if held || d.SuspendedAt != nil || !d.Frozen() {
		return s.publish(ctx, tx, d, both(catalog.LineSupportDone, catalog.DealSupportDone))
	}
	if err := thaw(ctx, tx, &d, now); err != nil {
		return err
	}
	return s.publish(ctx, tx, d, both(catalog.LineSupportClosed, catalog.DealSupportClosed))
}

func thaw(ctx context.Context, tx *postgres.Tx, d *Deal, now time.Time) error {
	stood := d.countFrozen(now)
	d.FrozenAt = nil
	if d.NextActionAt != nil {
		at := d.NextActionAt.Add(stood)
		if least := now.Add(leftAfterFreeze); at.Before(least) {
			at = least
		}
		d.NextActionAt = &at
	}
	return setThawed(ctx, tx, *d)
}

// Filter selects deals for admins; zero values select all.
type Filter struct {
	Status    Status
	DealID    *uuid.UUID
	Escalated bool // only deals that wait for an admin's decision, escalated or suspended
}

// ListAll returns a page of deals for admins, with shortened descriptions, and the total number.
// They are sorted newest first, or longest wait first if only those that wait for a decision are
// selected. The caller has checked that the reader is an admin.
func (s *Service) ListAll(ctx context.Context, f Filter, page postgres.Page) ([]Deal, int, error) {
	return listAll(ctx, s.DB, f, page, s.Clock.Now())
}

// GetAny returns a deal to an admin, with the timeline in the admin's language. Code NotFound.
func (s *Service) GetAny(ctx context.Context, admin, id uuid.UUID) (Detail, error) {
	return s.detail(ctx, admin, id)
}

// Find returns a deal to an admin. Code NotFound.
func (s *Service) Find(ctx context.Context, id uuid.UUID) (Deal, error) {
	return getDeal(ctx, s.DB, id, s.Clock.Now())
}

// RequestForceComplete requests an admin's release of an open deal's escrow. The caller has checked
// that the actor is an admin. Codes: NotFound, Forbidden for a party of the deal, Conflict.
func (s *Service) RequestForceComplete(ctx context.Context, admin, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	return s.requestComplete(ctx, actor.User(admin), id, byAdmin, key)
}

// RequestForceCancel requests an admin's full refund of an open deal. The caller has checked that
// the actor is an admin. Codes: NotFound, Forbidden for a party of the deal, Conflict.
func (s *Service) RequestForceCancel(ctx context.Context, admin, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	return s.requestRefund(ctx, actor.User(admin), id, ReasonAdmin, key)
}

// errOwnDeal says that admins may not decide on deals they are a party of.
func errOwnDeal() error {
	return fault.New(fault.Forbidden, "own_deal_decision", "You cannot decide on your own deal. Another admin has to.")
}

// Statement returns the deal of a statement for the operator, also a removed one, and records that
// it was read. It is for the operator's command line only. Code NotFound.
func (s *Service) Statement(ctx context.Context, id uuid.UUID) (d Deal, err error) {
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if d, err = getIncludingRemoved(ctx, tx, id, s.Clock.Now()); err != nil {
			return err
		}
		return s.audited(ctx, tx, actor.Operator(), "deal.statement", d)
	})
	return d, err
}

// audited records what an admin or the operator does, in the transaction that does it.
func (s *Service) audited(ctx context.Context, tx *postgres.Tx, by actor.Actor, action string, d Deal) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Clock.Now(), Actor: by, Action: action, Subject: operations.Deal(d.ID),
		Details: map[string]any{"buyer": d.Buyer.ID, "seller": d.Seller.ID, "price": d.Price},
	})
}

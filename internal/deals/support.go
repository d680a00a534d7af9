package deals

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/audit"
	"amanat/internal/clock"
	"amanat/internal/fault"
	"amanat/internal/operations"
	"amanat/internal/party"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/internal/texts"
	"amanat/queue/jobs"
)

// SupportRequest is a party's call for an admin.
type SupportRequest struct {
	ID              uuid.UUID
	DealID          uuid.UUID
	DealDescription string
	User            party.Party
	Issue           string
	CreatedAt       time.Time
	ClosedAt        *time.Time
	ClosedBy        *party.Party
}

const maxIssue = 5000

// RequestSupport asks for an admin's help with a deal. On an open deal it stops the clock until an admin closes it; the parties may still
// complete, cancel or leave. Codes: NotFound for who is no party, Invalid, Conflict while the same party's last one is open.
func (s *Service) RequestSupport(ctx context.Context, actor, id uuid.UUID, issue string, key *operations.Key) error {
	issue = strings.TrimSpace(issue)
	requestID, err := uuid.NewV7()
	if err != nil {
		return err
	}
	return s.change(ctx, actor, id, func(tx *postgres.Tx, d Deal) error {
		if _, replayed, err := s.Operations.Reserve(ctx, tx, key, requestID); err != nil || replayed {
			return err
		}
		switch {
		case issue == "":
			return fault.Field("issueDescription", "Please describe the issue.")
		case utf8.RuneCountInString(issue) > maxIssue:
			return fault.Field("issueDescription", "The description must be at most 5,000 characters.")
		}
		err := insertSupport(ctx, tx, requestID, id, actor, issue, s.Clock.Now())
		if postgres.UniqueViolation(err, "support_requests_open") {
			return fault.New(fault.Conflict, "Your last request for this deal is still open. We will answer it.")
		}
		if err != nil {
			return err
		}
		s.Events.Admins(tx, realtime.QueueSupport, requestID)
		line, kind := texts.LineSupportAsked, texts.DealSupportAsked
		if d.Status.Open() {
			line, kind = texts.LineSupport, texts.DealSupport
			if err := s.freeze(ctx, tx, &d); err != nil {
				return err
			}
		}
		c := change{actor: actor, line: line, notices: []notice{{d.Other(actor).ID, kind}}}
		if err := s.tell(ctx, tx, d, c); err != nil {
			return err
		}
		return s.tellAdmins(ctx, tx, d, jobs.AdminNotice{
			NoticeKind: string(texts.AdminSupport), Params: texts.Params{"username": d.nameOf(actor)}, AboutID: actor,
			Link: "/admin/support-requests",
		})
	})
}

func (s *Service) freeze(ctx context.Context, tx *postgres.Tx, d *Deal) error {
	if d.Frozen() {
		return nil
	}
	now := s.Clock.Now()
	d.FrozenAt = &now
	return setFrozen(ctx, tx, d.ID, now)
}

func (d Deal) nameOf(userID uuid.UUID) string {
	if userID == d.Buyer.ID {
		return d.Buyer.Username
	}
	return d.Seller.Username
}

// tellAdmins tells of the deal what the notice says.
func (s *Service) tellAdmins(ctx context.Context, tx *postgres.Tx, d Deal, notice jobs.AdminNotice) error {
	notice.SubjectID = d.ID
	notice.Params["amount"] = d.Price.String()
	_, err := s.Jobs.InsertTx(ctx, tx, notice, nil)
	return err
}

// ListSupport returns all support requests for admins, open ones first, oldest first among them.
func (s *Service) ListSupport(ctx context.Context, page Page) ([]SupportRequest, int, error) {
	return listSupport(ctx, s.DB, page)
}

// GetSupport returns a support request to an admin, which the caller has checked. Code NotFound.
func (s *Service) GetSupport(ctx context.Context, id uuid.UUID) (SupportRequest, error) {
	return getSupport(ctx, s.DB, id)
}

// CloseSupport ends a support request and tells both parties. When it was the deal's last open one the clock goes on, later by the time it
// stood still and with at least a day left. The caller has checked that the actor is an admin. Codes: NotFound, Forbidden
// for a party of the deal, AlreadyHandled.
func (s *Service) CloseSupport(ctx context.Context, admin, requestID uuid.UUID) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		request, err := getSupport(ctx, tx, requestID)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		// The deal's lock first, as everywhere. It may have been removed unpaid meanwhile.
		d, err := lockEvenRemoved(ctx, tx, request.DealID, now)
		if err != nil {
			return err
		}
		if d.IsParty(admin) {
			return errOwnDeal()
		}
		closed, err := closeSupport(ctx, tx, requestID, admin, now)
		if err == nil && !closed {
			request, err = getSupport(ctx, tx, requestID) // as whoever was first has left it
		}
		if err != nil {
			return err
		}
		if !closed {
			return fault.Newf(fault.AlreadyHandled, "Already handled by %s at %s.",
				request.ClosedBy.Username, request.ClosedAt.In(clock.Dhaka).Format("2 Jan 2006, 15:04"))
		}
		if err := s.closed(ctx, tx, d, request.User.ID, now); err != nil {
			return err
		}
		s.Events.Admins(tx, realtime.QueueSupport, requestID)
		return audit.Record(ctx, tx, audit.Entry{
			At: now, ActorID: admin, Action: "support.close", Subject: operations.Deal(request.DealID),
			Details: map[string]uuid.UUID{"request": requestID, "user": request.User.ID},
		})
	})
}

// closed tells of the end of somebody's request, and thaws a deal that nothing else keeps frozen.
func (s *Service) closed(ctx context.Context, tx *postgres.Tx, d Deal, requester uuid.UUID, now time.Time) error {
	open, err := anySupportOpen(ctx, tx, d.ID)
	if err != nil {
		return err
	}
	both := func(line, kind texts.Kind) change {
		return change{about: requester, line: line, notices: []notice{{d.Buyer.ID, kind}, {d.Seller.ID, kind}}}
	}
	if open || !d.Frozen() {
		return s.tell(ctx, tx, d, both(texts.LineSupportDone, texts.DealSupportDone))
	}
	if err := thaw(ctx, tx, &d, now); err != nil {
		return err
	}
	return s.tell(ctx, tx, d, both(texts.LineSupportClosed, texts.DealSupportClosed))
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

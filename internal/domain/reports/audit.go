package reports

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
)

// AuditEntry is an entry of the audit log. Actor is nil for the operator's command line.
type AuditEntry struct {
	ID      int64
	At      time.Time
	Actor   *user.Ref
	Action  string
	Subject string
	Details json.RawMessage
}

// AuditFilter selects entries. Zero values match all.
type AuditFilter struct {
	ActorID *uuid.UUID
	Action  string
	Subject string
	Period  Period
}

type auditRow struct {
	ID              int64
	At              time.Time
	ActorID         *uuid.UUID
	ActorUsername   *string
	ActorProfilePic *string
	ActorIsStaff    *bool
	ActorClosed     *bool
	Action          string
	Subject         string
	Details         json.RawMessage
}

func (r auditRow) entry() AuditEntry {
	e := AuditEntry{ID: r.ID, At: r.At, Action: r.Action, Subject: r.Subject, Details: r.Details}
	if r.ActorID != nil {
		e.Actor = &user.Ref{
			ID: *r.ActorID, Username: *r.ActorUsername, ProfilePic: *r.ActorProfilePic, IsStaff: *r.ActorIsStaff, Closed: *r.ActorClosed,
		}
	}
	return e
}

const sqlAuditFilter = sqlInRange + `
   and (@actor::uuid is null or l.actor_id = @actor)
   and (@action = '' or l.action = @action)
   and (@subject = '' or l.subject = @subject)`

// Audit returns the audit log to admins, newest first, and the number of entries.
func (s *Service) Audit(ctx context.Context, f AuditFilter, page postgres.Page) ([]AuditEntry, int, error) {
	args := pgx.NamedArgs{
		"actor": f.ActorID, "action": f.Action, "subject": f.Subject, "from": f.Period.From, "to": f.Period.To,
		"limit": page.Limit, "offset": page.Offset,
	}
	total, err := postgres.Value[int](ctx, s.DB, "reports.count_audit", `select count(*) from audit_log l`+sqlAuditFilter, args)
	if err != nil {
		return nil, 0, err
	}
	entries, err := postgres.ManyAs(ctx, s.DB, "reports.list_audit", `
		select l.id, l.at, l.actor_id,
		       u.username as actor_username, u.profile_pic as actor_profile_pic, u.is_admin as actor_is_staff,
       u.closed_at is not null as actor_closed, l.action, l.subject, l.details
		  from audit_log l left join users u on u.id = l.actor_id`+sqlAuditFilter+`
		 order by l.id desc limit @limit offset @offset`, args, auditRow.entry)
	return entries, total, err
}

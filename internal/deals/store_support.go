package deals

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/fault"
	"amanat/internal/party"
	"amanat/internal/postgres"
)

const sqlInsertSupport = `
insert into support_requests (id, deal_id, user_id, issue_description, created_at) values (@id, @deal, @user, @issue, @now)`

func insertSupport(ctx context.Context, tx *postgres.Tx, id, dealID, userID uuid.UUID, issue string, now time.Time) error {
	_, err := tx.Exec(ctx, sqlInsertSupport, pgx.NamedArgs{"id": id, "deal": dealID, "user": userID, "issue": issue, "now": now})
	return err
}

type supportRow struct {
	ID                 uuid.UUID
	DealID             uuid.UUID
	DealDescription    string
	UserID             uuid.UUID
	Username           string
	ProfilePic         string
	IssueDescription   string
	CreatedAt          time.Time
	ClosedAt           *time.Time
	ClosedBy           *uuid.UUID
	ClosedByUsername   *string
	ClosedByProfilePic *string
}

func (r supportRow) request() SupportRequest {
	s := SupportRequest{
		ID: r.ID, DealID: r.DealID, DealDescription: r.DealDescription,
		User:  party.Party{ID: r.UserID, Username: r.Username, ProfilePic: r.ProfilePic},
		Issue: r.IssueDescription, CreatedAt: r.CreatedAt, ClosedAt: r.ClosedAt,
	}
	if r.ClosedBy != nil {
		s.ClosedBy = &party.Party{ID: *r.ClosedBy, Username: *r.ClosedByUsername, ProfilePic: *r.ClosedByProfilePic}
	}
	return s
}

const sqlSelectSupport = `
select r.id, r.deal_id, d.description as deal_description, r.user_id, u.username, u.profile_pic, r.issue_description, r.created_at,
       r.closed_at, r.closed_by, c.username as closed_by_username, c.profile_pic as closed_by_profile_pic
  from support_requests r join deals d on d.id = r.deal_id join users u on u.id = r.user_id left join users c on c.id = r.closed_by`

func getSupport(ctx context.Context, q postgres.Querier, id uuid.UUID) (SupportRequest, error) {
	rows, err := q.Query(ctx, sqlSelectSupport+` where r.id = @id`, pgx.NamedArgs{"id": id})
	if err != nil {
		return SupportRequest{}, err
	}
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[supportRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return SupportRequest{}, fault.New(fault.NotFound, "Support request not found.")
	}
	return r.request(), err
}

const sqlListSupport = sqlSelectSupport + `
 order by r.closed_at is not null, case when r.closed_at is null then r.created_at end, r.created_at desc, r.id
 limit @limit offset @offset`

func listSupport(ctx context.Context, q postgres.Querier, page Page) ([]SupportRequest, int, error) {
	rows, err := q.Query(ctx, sqlListSupport, pgx.NamedArgs{"limit": page.Limit, "offset": page.Offset})
	if err != nil {
		return nil, 0, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[supportRow])
	if err != nil {
		return nil, 0, err
	}
	list := make([]SupportRequest, len(found))
	for i, r := range found {
		list[i] = r.request()
	}
	var total int
	err = q.QueryRow(ctx, `select count(*) from support_requests`).Scan(&total)
	return list, total, err
}

const sqlCloseSupport = `update support_requests set closed_at = @now, closed_by = @admin where id = @id and closed_at is null`

// closeSupport returns false when it was closed before.
func closeSupport(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, now time.Time) (bool, error) {
	tag, err := tx.Exec(ctx, sqlCloseSupport, pgx.NamedArgs{"id": id, "admin": admin, "now": now})
	return tag.RowsAffected() == 1, err
}

const sqlAnySupportOpen = `select exists (select 1 from support_requests where deal_id = @deal and closed_at is null)`

func anySupportOpen(ctx context.Context, tx *postgres.Tx, dealID uuid.UUID) (bool, error) {
	var open bool
	err := tx.QueryRow(ctx, sqlAnySupportOpen, pgx.NamedArgs{"deal": dealID}).Scan(&open)
	return open, err
}

const sqlSetFrozen = `update deals set frozen_at = @now where id = @id and frozen_at is null`

func setFrozen(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	return exactlyOne(ctx, tx, sqlSetFrozen, pgx.NamedArgs{"id": id, "now": now})
}

const sqlSetThawed = `
update deals set frozen_at = null, frozen_for = @frozenFor, reset_at = @reset, next_action_at = @at, warned_at = null
 where id = @id`

func setThawed(ctx context.Context, tx *postgres.Tx, d Deal) error {
	return exactlyOne(ctx, tx, sqlSetThawed, pgx.NamedArgs{"id": d.ID, "frozenFor": d.FrozenFor, "reset": d.ResetAt, "at": d.NextActionAt})
}

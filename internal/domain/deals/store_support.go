package deals

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

const sqlInsertSupport = `
insert into support_requests (id, deal_id, user_id, issue_description, freezes, created_at)
values (@id, @deal, @user, @issue, @freezes, @now)`

func insertSupport(
	ctx context.Context, tx *postgres.Tx, id, dealID, userID uuid.UUID, issue string, freezes bool, now time.Time,
) error {
	return postgres.Exec(ctx, tx, "deals.insert_support", sqlInsertSupport,
		pgx.NamedArgs{"id": id, "deal": dealID, "user": userID, "issue": issue, "freezes": freezes, "now": now})
}

type supportRow struct {
	ID                 uuid.UUID
	DealID             uuid.UUID
	DealDescription    string
	UserID             uuid.UUID
	Username           string
	ProfilePic         string
	IsStaff            bool
	Closed             bool
	IssueDescription   string
	CreatedAt          time.Time
	ClosedAt           *time.Time
	ClosedBy           *uuid.UUID
	ClosedByUsername   *string
	ClosedByProfilePic *string
	ClosedByIsStaff    *bool
	ClosedByClosed     *bool
	Answer             string
}

func (r supportRow) request() SupportRequest {
	s := SupportRequest{
		ID: r.ID, DealID: r.DealID, DealDescription: catalog.Shorten(r.DealDescription, catalog.InList),
		User:  user.Ref{ID: r.UserID, Username: r.Username, ProfilePic: r.ProfilePic, IsStaff: r.IsStaff, Closed: r.Closed},
		Issue: r.IssueDescription, CreatedAt: r.CreatedAt, ClosedAt: r.ClosedAt, Answer: r.Answer,
	}
	if r.ClosedBy != nil {
		s.ClosedBy = &user.Ref{
			ID: *r.ClosedBy, Username: *r.ClosedByUsername, ProfilePic: *r.ClosedByProfilePic,
			IsStaff: *r.ClosedByIsStaff, Closed: *r.ClosedByClosed,
		}
	}
	return s
}

const sqlSelectSupport = `
select r.id, r.deal_id, left(d.description, @letters) as deal_description, r.user_id, u.username, u.profile_pic, u.is_admin as is_staff,
       u.closed_at is not null as closed,
       r.issue_description, r.created_at, r.closed_at,
       r.closed_by, c.username as closed_by_username, c.profile_pic as closed_by_profile_pic, c.is_admin as closed_by_is_staff,
       c.closed_at is not null as closed_by_closed, r.answer
  from support_requests r join deals d on d.id = r.deal_id join users u on u.id = r.user_id left join users c on c.id = r.closed_by`

func getSupport(ctx context.Context, q postgres.Querier, id uuid.UUID) (SupportRequest, error) {
	r, err := postgres.OneAs(ctx, q, "deals.get_support", sqlSelectSupport+` where r.id = @id`,
		pgx.NamedArgs{"id": id, "letters": catalog.InList + 1}, supportRow.request)
	return r, postgres.IfNoRows(err, fault.New(fault.NotFound, "support_not_found", "Support request not found."))
}

const sqlOnlyOpen = ` where r.closed_at is null`

const sqlSupportOrder = `
 order by r.closed_at is not null, case when r.closed_at is null then r.created_at end, r.created_at desc, r.id
 limit @limit offset @offset`

func listSupport(ctx context.Context, q postgres.Querier, where string, page postgres.Page) ([]SupportRequest, int, error) {
	args := pgx.NamedArgs{"limit": page.Limit, "offset": page.Offset, "letters": catalog.InList + 1}
	list, err := postgres.ManyAs(ctx, q, "deals.list_support", sqlSelectSupport+where+sqlSupportOrder, args, supportRow.request)
	if err != nil {
		return nil, 0, err
	}
	total, err := postgres.Value[int](ctx, q, "deals.count_support", `select count(*) from support_requests r`+where, nil)
	return list, total, err
}

const sqlCloseSupport = `
update support_requests set closed_at = @now, closed_by = @admin, answer = @answer
 where id = @id and closed_at is null`

// closeSupport returns false if the request was already closed.
func closeSupport(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, answer string, now time.Time) (bool, error) {
	n, err := postgres.ExecCount(ctx, tx, "deals.close_support", sqlCloseSupport,
		pgx.NamedArgs{"id": id, "admin": admin, "answer": answer, "now": now})
	return n == 1, err
}

// A dispute freezes the deal also once it is decided.
const sqlAnyFreezing = `
select exists (select from support_requests where deal_id = @deal and closed_at is null and freezes)
       or exists (select from disputes where deal_id = @deal and ended_at is null and (freezes or status <> 'open'))`

// anyFreezing reports whether a support request or a dispute freezes the deal, provided that it is
// open.
func anyFreezing(ctx context.Context, tx *postgres.Tx, dealID uuid.UUID) (bool, error) {
	return postgres.Value[bool](ctx, tx, "deals.any_freezing", sqlAnyFreezing, pgx.NamedArgs{"deal": dealID})
}

const sqlListSupportFreezing = `
select distinct r.deal_id from support_requests r
 where r.deal_id = ` + sqlOfOperations + ` and r.closed_at is null and r.freezes`

type frozenRow struct {
	DealID uuid.UUID
}

// queueSupportFreezing is anySupportFreezing for the deals of operations. It passes those that are
// frozen to use.
func queueSupportFreezing(q postgres.Queue, operations []uuid.UUID, use func(id uuid.UUID)) {
	args := pgx.NamedArgs{"operations": operations}
	postgres.QueueMany(q, "deals.list_support_freezing", sqlListSupportFreezing, args, func(rows []frozenRow) error {
		for _, r := range rows {
			use(r.DealID)
		}
		return nil
	})
}

const sqlHasFrozen = `
select exists (select from support_requests r join deals d on d.id = r.deal_id
                where r.deal_id = @deal and r.user_id = @user and r.freezes and r.closed_at >= d.activated_at)
       or exists (select from disputes where deal_id = @deal and opened_by = @user and freezes and ended_at is not null)`

// hasFrozen reports whether a support request or a dispute of the user has frozen the deal before.
func hasFrozen(ctx context.Context, tx *postgres.Tx, dealID, userID uuid.UUID) (bool, error) {
	return postgres.Value[bool](ctx, tx, "deals.has_frozen", sqlHasFrozen, pgx.NamedArgs{"deal": dealID, "user": userID})
}

const sqlSetFrozen = `update deals set frozen_at = @now where id = @id and frozen_at is null`

func setFrozen(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	return postgres.ExecOne(ctx, tx, "deals.set_frozen", sqlSetFrozen, pgx.NamedArgs{"id": id, "now": now})
}

const sqlSetThawed = `
update deals set frozen_at = null, frozen_for = @frozenFor, reset_at = @reset, next_action_at = @at, warned_at = null
 where id = @id`

func setThawed(ctx context.Context, tx *postgres.Tx, d Deal) error {
	return postgres.ExecOne(ctx, tx, "deals.set_thawed", sqlSetThawed,
		pgx.NamedArgs{"id": d.ID, "frozenFor": d.FrozenFor, "reset": d.ResetAt, "at": d.NextActionAt})
}

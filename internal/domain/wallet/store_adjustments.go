package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/actor"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

type adjustmentRow struct {
	ID         uuid.UUID
	Amount     int64
	Balance    int64
	Reason     string
	Note       string
	Status     AdjustmentStatus
	ProposedAt time.Time
	ExpiresAt  time.Time
	DecidedAt  *time.Time
	Decision   *string

	UserID     uuid.UUID
	Username   string
	ProfilePic string
	IsStaff    bool
	Closed     bool

	ProposedBy           *uuid.UUID
	ProposedByUsername   *string
	ProposedByProfilePic *string
	ProposedByIsStaff    *bool
	ProposedByClosed     *bool
	DecidedBy            *uuid.UUID
	DecidedByUsername    *string
	DecidedByProfilePic  *string
	DecidedByIsStaff     *bool
	DecidedByClosed      *bool
}

func (r adjustmentRow) adjustment() Adjustment {
	a := Adjustment{
		ID:     r.ID,
		User:   user.Ref{ID: r.UserID, Username: r.Username, ProfilePic: r.ProfilePic, IsStaff: r.IsStaff, Closed: r.Closed},
		Amount: money.Cents(r.Amount), Balance: money.Cents(r.Balance), Reason: r.Reason, Note: r.Note, Status: r.Status,
		ProposedAt: r.ProposedAt, ExpiresAt: r.ExpiresAt, DecidedAt: r.DecidedAt, Decision: r.Decision,
	}
	if r.ProposedBy != nil {
		a.ProposedBy = &user.Ref{
			ID: *r.ProposedBy, Username: *r.ProposedByUsername, ProfilePic: *r.ProposedByProfilePic,
			IsStaff: *r.ProposedByIsStaff, Closed: *r.ProposedByClosed,
		}
	}
	if r.DecidedBy != nil {
		a.DecidedBy = &user.Ref{
			ID: *r.DecidedBy, Username: *r.DecidedByUsername, ProfilePic: *r.DecidedByProfilePic,
			IsStaff: *r.DecidedByIsStaff, Closed: *r.DecidedByClosed,
		}
	}
	return a
}

const sqlSelectAdjustment = `
select r.id, r.amount, ledger.balance('wallet', r.user_id, 'USD') as balance, r.reason, r.note, r.status, r.proposed_at,
       r.expires_at, r.decided_at, r.decision,
       r.user_id, u.username, u.profile_pic, u.is_admin as is_staff, u.closed_at is not null as closed,
       r.proposed_by, p.username as proposed_by_username, p.profile_pic as proposed_by_profile_pic, p.is_admin as proposed_by_is_staff,
       p.closed_at is not null as proposed_by_closed,
       r.decided_by, d.username as decided_by_username, d.profile_pic as decided_by_profile_pic, d.is_admin as decided_by_is_staff,
       d.closed_at is not null as decided_by_closed
  from adjustments r
  join users u on u.id = r.user_id
  left join users p on p.id = r.proposed_by
  left join users d on d.id = r.decided_by`

func getAdjustment(ctx context.Context, q postgres.Querier, id uuid.UUID) (Adjustment, error) {
	a, err := postgres.OneAs(ctx, q, "wallet.get_adjustment", sqlSelectAdjustment+` where r.id = @id`, pgx.NamedArgs{"id": id},
		adjustmentRow.adjustment)
	return a, postgres.IfNoRows(err, errNoAdjustment())
}

func lockAdjustment(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (Adjustment, error) {
	if err := lockRow(ctx, tx, "wallet.lock_adjustment", `select from adjustments where id = @id for no key update`, id); err != nil {
		return Adjustment{}, err
	}
	return getAdjustment(ctx, tx, id)
}

// lockAccount reports whether a user's account is closed, and keeps it from being closed before the
// transaction ends.
func lockAccount(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) (closed bool, err error) {
	return postgres.Value[bool](ctx, tx, "wallet.lock_account", `select closed_at is not null from users where id = @user for key share`,
		pgx.NamedArgs{"user": userID})
}

func findAccount(ctx context.Context, q postgres.Querier, username string) (uuid.UUID, error) {
	id, err := postgres.Value[uuid.UUID](ctx, q, "wallet.find_account",
		`select id from users where lower(username) = lower(@username) and closed_at is null`, pgx.NamedArgs{"username": username})
	return id, postgres.IfNoRows(err, fault.New(fault.NotFound, "user_not_found", "User not found"))
}

// lockOpenAdjustments counts a user's open corrections and locks the user, so that no other one is
// proposed, and the account is not closed, before the transaction ends. found is false if there is
// no open account.
func lockOpenAdjustments(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) (open int, found bool, err error) {
	const sqlLockUser = `select id from users where id = @user and closed_at is null for no key update`
	args := pgx.NamedArgs{"user": userID}
	_, found, err = postgres.Optional(postgres.Value[uuid.UUID](ctx, tx, "wallet.lock_adjusted", sqlLockUser, args))
	if err != nil || !found {
		return 0, false, err
	}
	open, err = postgres.Value[int](ctx, tx, "wallet.count_open_adjustments",
		`select count(*) from adjustments where user_id = @user and status = 'open'`, args)
	return open, true, err
}

const sqlInsertAdjustment = `
insert into adjustments (id, user_id, amount, reason, note, proposed_by, proposed_at, expires_at)
values (@id, @user, @amount, @reason, @note, @by, @now, @until)`

func insertAdjustment(ctx context.Context, tx *postgres.Tx, id uuid.UUID, by actor.Actor, p AdjustmentProposal, now time.Time) error {
	return postgres.Exec(ctx, tx, "wallet.insert_adjustment", sqlInsertAdjustment, pgx.NamedArgs{
		"id": id, "user": p.UserID, "amount": int64(p.Amount), "reason": p.Reason, "note": p.Note, "by": by, "now": now,
		"until": now.Add(AdjustmentTTL),
	})
}

const sqlDecideAdjustment = `
update adjustments set status = @status, decision = @decision, decided_by = @by, decided_at = @now where id = @id and status = 'open'`

// setAdjustmentDecided stores the outcome of a correction from a. by is an admin, or the system if
// it expired.
func setAdjustmentDecided(ctx context.Context, tx *postgres.Tx, a Adjustment, by actor.Actor, now time.Time) error {
	return postgres.ExecOne(ctx, tx, "wallet.decide_adjustment", sqlDecideAdjustment, pgx.NamedArgs{
		"id": a.ID, "status": string(a.Status), "decision": a.Decision, "by": by, "now": now,
	})
}

const sqlDueAdjustments = `
select id from adjustments where status = 'open' and expires_at <= @now order by expires_at, id limit @limit
   for no key update skip locked`

// lockDueAdjustments locks up to limit open corrections whose time is over and returns their IDs.
func lockDueAdjustments(ctx context.Context, tx *postgres.Tx, now time.Time, limit int) ([]uuid.UUID, error) {
	return postgres.Values[uuid.UUID](ctx, tx, "wallet.lock_due_adjustments", sqlDueAdjustments, pgx.NamedArgs{"now": now, "limit": limit})
}

func (q AdjustmentQuery) where() (where, order string) {
	where, order = ` where true`, ` order by r.proposed_at desc, r.id desc`
	switch q.Status {
	case "":
	case AdjustmentOpen:
		order = ` order by r.proposed_at, r.id`
		fallthrough
	default:
		where += ` and r.status = @status`
	}
	if q.Search != "" {
		where += ` and r.user_id in (select id from users where lower(username) like @username)`
	}
	return where, order
}

func listAdjustments(ctx context.Context, q postgres.Querier, query AdjustmentQuery, page postgres.Page) ([]Adjustment, int, error) {
	where, order := query.where()
	args := pgx.NamedArgs{
		"status": string(query.Status), "username": postgres.LikePrefix(query.Search), "limit": page.Limit, "offset": page.Offset,
	}
	list, err := postgres.ManyAs(ctx, q, "wallet.list_adjustments", sqlSelectAdjustment+where+order+` limit @limit offset @offset`, args,
		adjustmentRow.adjustment)
	if err != nil {
		return nil, 0, err
	}
	total, err := postgres.Value[int](ctx, q, "wallet.count_adjustments", `select count(*) from adjustments r`+where, args)
	return list, total, err
}

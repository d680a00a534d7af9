package deals

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

type inviteRow struct {
	ID              uuid.UUID
	Code            string
	MakerID         uuid.UUID
	MakerUsername   string
	MakerProfilePic string
	MakerIsStaff    bool
	MakerDisabled   bool
	MakerBuys       bool
	Price           int64
	Description     string
	DeliveryDays    int
	InspectionDays  int
	Email           string
	Phone           string
	CreatedAt       time.Time
	ExpiresAt       time.Time
	RevokedAt       *time.Time
	DealID          *uuid.UUID
	Joiner          *uuid.UUID
}

func (r inviteRow) invite() Invite {
	return Invite{
		ID: r.ID, Code: r.Code, MakerBuys: r.MakerBuys, makerDisabled: r.MakerDisabled,
		Maker: user.Ref{ID: r.MakerID, Username: r.MakerUsername, ProfilePic: r.MakerProfilePic, IsStaff: r.MakerIsStaff},
		Price: money.Cents(r.Price), Fee: money.Fee(money.Cents(r.Price)), Description: r.Description,
		DeliveryDays: r.DeliveryDays, InspectionDays: r.InspectionDays, Guest: Guest{Email: r.Email, Phone: r.Phone},
		CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, RevokedAt: r.RevokedAt, DealID: r.DealID, Joiner: r.Joiner,
	}
}

const sqlInviteColumns = `
select i.id, i.code, i.maker_id, u.username as maker_username, u.profile_pic as maker_profile_pic, u.is_admin as maker_is_staff,
       u.disabled_at is not null as maker_disabled, i.maker_buys, i.price, i.delivery_days, i.inspection_days,
       coalesce(i.email, '') as email, coalesce(i.phone, '') as phone, i.created_at, i.expires_at, i.revoked_at, i.deal_id,
       case when d.buyer_id = i.maker_id then d.seller_id else d.buyer_id end as joiner`

const sqlInviteFrom = ` from deal_invites i join users u on u.id = i.maker_id left join deals d on d.id = i.deal_id`

const sqlInvite = sqlInviteColumns + `, i.description` + sqlInviteFrom

func oneInvite(ctx context.Context, q postgres.Querier, name, where string, args pgx.NamedArgs) (Invite, error) {
	i, err := postgres.OneAs(ctx, q, name, sqlInvite+where, args, inviteRow.invite)
	return i, postgres.IfNoRows(err, errNoInvite())
}

func getInvite(ctx context.Context, q postgres.Querier, id uuid.UUID) (Invite, error) {
	return oneInvite(ctx, q, "deals.get_invite", ` where i.id = @id`, pgx.NamedArgs{"id": id})
}

// findInvite returns the invite with a code, in any letter case.
func findInvite(ctx context.Context, q postgres.Querier, code string) (Invite, error) {
	return oneInvite(ctx, q, "deals.find_invite", ` where i.code = @code`, pgx.NamedArgs{"code": normalCode(code)})
}

// Locked in one statement and read in the next, as deals are: of two who join, the second sees what
// the first has done.
const sqlLockInvite = `select from deal_invites where code = @code for update`

func lockInvite(ctx context.Context, tx *postgres.Tx, code string) (Invite, error) {
	if err := postgres.Exec(ctx, tx, "deals.lock_invite", sqlLockInvite, pgx.NamedArgs{"code": normalCode(code)}); err != nil {
		return Invite{}, err
	}
	return findInvite(ctx, tx, code)
}

const sqlWaiting = ` where i.maker_id = @maker and i.revoked_at is null and i.deal_id is null and i.expires_at > @now`

// countInvites returns how many links of a user wait. It serializes with others of the same user.
func countInvites(ctx context.Context, tx *postgres.Tx, maker uuid.UUID, now time.Time) (int, error) {
	key := pgx.NamedArgs{"key": "deals.invites:" + maker.String()}
	if err := postgres.Exec(ctx, tx, "deals.lock_invites", sqlLockOffers, key); err != nil {
		return 0, err
	}
	return postgres.Value[int](ctx, tx, "deals.count_invites", `select count(*) from deal_invites i`+sqlWaiting,
		pgx.NamedArgs{"maker": maker, "now": now})
}

func listInvites(ctx context.Context, q postgres.Querier, maker uuid.UUID, now time.Time) ([]Invite, error) {
	const sql = sqlInviteColumns + `, left(i.description, @letters) as description` + sqlInviteFrom + sqlWaiting +
		` order by i.created_at desc, i.id desc limit @limit`
	args := pgx.NamedArgs{"maker": maker, "now": now, "letters": catalog.InList + 1, "limit": maxInvites}
	return postgres.ManyAs(ctx, q, "deals.list_invites", sql, args, func(r inviteRow) Invite {
		i := r.invite()
		i.Description = catalog.Shorten(r.Description, catalog.InList)
		return i
	})
}

const sqlInsertInvite = `
insert into deal_invites (id, code, maker_id, maker_buys, price, description, delivery_days, inspection_days, email, phone, created_at,
                          expires_at)
values (@id, @code, @maker, @buys, @price, @description, @days, @inspection, nullif(@email, ''), nullif(@phone, ''), @now, @expires)`

func insertInvite(
	ctx context.Context, tx *postgres.Tx, id uuid.UUID, code string, maker uuid.UUID, buys bool, d Draft, now time.Time,
) error {
	return postgres.ExecOne(ctx, tx, "deals.insert_invite", sqlInsertInvite, pgx.NamedArgs{
		"id": id, "code": code, "maker": maker, "buys": buys, "price": int64(d.Price), "description": d.Description,
		"days": d.DeliveryDays, "inspection": d.InspectionDays, "email": d.Guest.Email, "phone": d.Guest.Phone,
		"now": now, "expires": now.Add(inviteLasts),
	})
}

const sqlSetInviteJoined = `update deal_invites set deal_id = @deal, email = null, phone = null where id = @id`

func setInviteJoined(ctx context.Context, tx *postgres.Tx, id, dealID uuid.UUID) error {
	return postgres.ExecOne(ctx, tx, "deals.set_invite_joined", sqlSetInviteJoined, pgx.NamedArgs{"id": id, "deal": dealID})
}

const sqlRevokeInvite = `
update deal_invites set revoked_at = coalesce(revoked_at, @now), email = null, phone = null
 where code = @code and maker_id = @maker and deal_id is null`

// revokeInvite returns false if the user has no such link that nobody has used.
func revokeInvite(ctx context.Context, q postgres.Querier, maker uuid.UUID, code string, now time.Time) (bool, error) {
	n, err := postgres.ExecCount(ctx, q, "deals.revoke_invite", sqlRevokeInvite,
		pgx.NamedArgs{"code": normalCode(code), "maker": maker, "now": now})
	return n == 1, err
}

const sqlDeleteInvites = `
delete from deal_invites where id in (select id from deal_invites where expires_at < @before limit @limit)`

const invitesBatch = 1_000

func deleteInvites(ctx context.Context, q postgres.Querier, before time.Time) (int64, error) {
	return postgres.InBatches(ctx, q, "deals.delete_invites", sqlDeleteInvites, pgx.NamedArgs{"before": before}, invitesBatch)
}

// inviteToMail returns an invite and its maker's language.
func inviteToMail(ctx context.Context, q postgres.Querier, id uuid.UUID) (i Invite, language string, found bool, err error) {
	i, found, err = postgres.Optional(postgres.OneAs(ctx, q, "deals.invite_to_mail", sqlInvite+` where i.id = @id`,
		pgx.NamedArgs{"id": id}, inviteRow.invite))
	if err != nil || !found {
		return Invite{}, "", false, err
	}
	language, err = postgres.Value[string](ctx, q, "deals.language_of_maker", `select language from users where id = @id`,
		pgx.NamedArgs{"id": i.Maker.ID})
	return i, language, true, err
}

package deals

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

type inviteRow struct {
	Invite
	MakerDisabled bool
}

func (r inviteRow) invite() Invite {
	r.Fee, r.makerDisabled = money.Fee(r.Price), r.MakerDisabled
	return r.Invite
}

var sqlInviteColumns = `
select ` + sqlTerms + `, i.id, i.code, ` + user.SQLRef("u") + ` as maker, u.disabled_at is not null as maker_disabled, i.maker_buys,
       coalesce(i.email, '') as email, coalesce(i.phone, '') as phone, i.created_at, i.expires_at, i.revoked_at, i.deal_id,
       (select case when d.buyer_id = i.maker_id then d.seller_id else d.buyer_id end from deals d where d.id = i.deal_id) as joiner`

const sqlInviteFrom = ` from deal_invites i join users u on u.id = i.maker_id`

var sqlInvite = sqlInviteColumns + `, i.description` + sqlInviteFrom

func oneInvite(ctx context.Context, q postgres.Querier, name, where string, args postgres.Args) (Invite, error) {
	i, err := postgres.QueryAs(name, sqlInvite+where, inviteRow.invite).One(ctx, q, args)
	return i, postgres.IfNoRows(err, errNoInvite())
}

func getInvite(ctx context.Context, q postgres.Querier, id uuid.UUID) (Invite, error) {
	return oneInvite(ctx, q, "deals.get_invite", ` where i.id = @id`, postgres.Args{"id": id})
}

// findInvite returns the invite with a code, in any letter case.
func findInvite(ctx context.Context, q postgres.Querier, code string) (Invite, error) {
	return oneInvite(ctx, q, "deals.find_invite", ` where i.code = @code`, postgres.Args{"code": normalCode(code)})
}

// Locked in one statement and read in the next, as deals are: of two who join, the second sees what
// the first has done.
const sqlLockInvite = `select from deal_invites where code = @code for update`

func lockInvite(ctx context.Context, tx *postgres.Tx, code string) (Invite, error) {
	if err := postgres.Command("deals.lock_invite", sqlLockInvite).Run(ctx, tx, postgres.Args{"code": normalCode(code)}); err != nil {
		return Invite{}, err
	}
	return findInvite(ctx, tx, code)
}

const sqlWaiting = ` where i.maker_id = @maker and i.revoked_at is null and i.deal_id is null and i.expires_at > @now`

// countInvites returns how many links of a user wait. It serializes with others of the same user.
func countInvites(ctx context.Context, tx *postgres.Tx, maker uuid.UUID, now time.Time) (int, error) {
	key := postgres.Args{"key": "deals.invites:" + maker.String()}
	if err := postgres.Command("deals.lock_invites", sqlLockOffers).Run(ctx, tx, key); err != nil {
		return 0, err
	}
	return postgres.Query[int]("deals.count_invites", `select count(*) from deal_invites i`+sqlWaiting).One(ctx, tx,
		postgres.Args{"maker": maker, "now": now})
}

func listInvites(ctx context.Context, q postgres.Querier, maker uuid.UUID, now time.Time) ([]Invite, error) {
	sql := sqlInviteColumns + `, left(i.description, @letters) as description` + sqlInviteFrom + sqlWaiting +
		` order by i.created_at desc, i.id desc limit @limit`
	args := postgres.Args{"maker": maker, "now": now, "letters": catalog.InList + 1, "limit": maxInvites}
	return postgres.QueryAs("deals.list_invites", sql, func(r inviteRow) Invite {
		i := r.invite()
		i.Description = catalog.Shorten(r.Description, catalog.InList)
		return i
	}).Many(ctx, q, args)
}

const sqlInsertInvite = `
insert into deal_invites (id, code, maker_id, maker_buys, ` + sqlTerms + `, description, email, phone, created_at, expires_at)
values (@id, @code, @maker, @buys, ` + sqlTermArgs + `, @description, nullif(@email, ''), nullif(@phone, ''), @now, @expires)`

func insertInvite(
	ctx context.Context, tx *postgres.Tx, id uuid.UUID, code string, maker uuid.UUID, buys bool, d Draft, now time.Time,
) error {
	return postgres.Command("deals.insert_invite", sqlInsertInvite).One(ctx, tx, d.with(postgres.Args{
		"id": id, "code": code, "maker": maker, "buys": buys, "email": d.Guest.Email, "phone": d.Guest.Phone,
		"now": now, "expires": now.Add(inviteLasts),
	}))
}

var setInviteJoined = postgres.Command("deals.set_invite_joined",
	`update deal_invites set deal_id = @deal, email = null, phone = null where id = @id`)

const sqlRevokeInvite = `
update deal_invites set revoked_at = coalesce(revoked_at, @now), email = null, phone = null
 where code = @code and maker_id = @maker and deal_id is null`

// revokeInvite returns false if the user has no such link that nobody has used.
func revokeInvite(ctx context.Context, q postgres.Querier, maker uuid.UUID, code string, now time.Time) (bool, error) {
	return postgres.Command("deals.revoke_invite", sqlRevokeInvite).Any(ctx, q,
		postgres.Args{"code": normalCode(code), "maker": maker, "now": now})
}

const invitesBatch = 1_000

var deleteInvites = postgres.Command("deals.delete_invites", `
delete from deal_invites where id in (select id from deal_invites where expires_at < @before limit @limit)`)

// inviteToMail returns an invite and its maker's language.
func inviteToMail(ctx context.Context, q postgres.Querier, id uuid.UUID) (i Invite, language string, found bool, err error) {
	i, found, err = postgres.QueryAs("deals.invite_to_mail", sqlInvite+` where i.id = @id`, inviteRow.invite).Find(ctx, q,
		postgres.Args{"id": id})
	if err != nil || !found {
		return Invite{}, "", false, err
	}
	language, err = postgres.Query[string]("deals.language_of_maker", `select language from users where id = @id`).One(ctx, q,
		postgres.Args{"id": i.Maker.ID})
	return i, language, true, err
}

// The pictures of a deal are added, removed and delivered with under the deal's lock.

// parties are those of a deal, who never change.
type parties struct{ BuyerID, SellerID uuid.UUID }

func (p parties) include(userID uuid.UUID) bool { return userID == p.BuyerID || userID == p.SellerID }

// findParties returns the parties of a deal. Code NotFound.
func findParties(ctx context.Context, q postgres.Querier, id uuid.UUID) (parties, error) {
	p, err := postgres.Query[parties]("deals.find_parties",
		`select buyer_id, seller_id from deals where id = @id and removed_at is null`).One(ctx, q, postgres.Args{"id": id})
	return p, postgres.IfNoRows(err, errNotFound())
}

func insertPicture(ctx context.Context, tx *postgres.Tx, imageID, deal uuid.UUID, use pictureUse, now time.Time) error {
	return postgres.Command("deals.insert_picture",
		`insert into deal_pictures (image_id, deal_id, in_dispute, created_at) values (@image, @deal, @dispute, @now)`).Run(ctx, tx,
		postgres.Args{"image": imageID, "deal": deal, "dispute": use == forDispute, "now": now})
}

// sqlWaitingPictures selects the pictures of a user that wait to be shown.
const sqlWaitingPictures = `
  from deal_pictures p join images i on i.id = p.image_id
 where p.deal_id = @deal and p.event_id is null and p.entry_id is null and i.owner_id = @owner and i.released_at is null`

func countWaiting(ctx context.Context, q postgres.Querier, deal, owner uuid.UUID, use pictureUse) (int, error) {
	const sql = `select count(*)` + sqlWaitingPictures + ` and p.in_dispute = @dispute`
	return postgres.Query[int]("deals.count_waiting_pictures", sql).One(ctx, q,
		postgres.Args{"deal": deal, "owner": owner, "dispute": use == forDispute})
}

var isWaiting = postgres.Query[bool]("deals.is_waiting_picture", `select exists (select`+sqlWaitingPictures+` and p.image_id = @image)`)

const sqlFindPicture = `
select i.id, i.width, i.height
  from deal_pictures p join images i on i.id = p.image_id
 where p.image_id = @image and p.deal_id = @deal and i.owner_id = @owner and i.released_at is null`

// findPicture returns a picture that a user has added to a deal. Code NotFound.
func findPicture(ctx context.Context, q postgres.Querier, deal, owner, imageID uuid.UUID) (images.Attachment, error) {
	p, err := postgres.QueryAs("deals.find_picture", sqlFindPicture, picture.attachment).One(ctx, q,
		postgres.Args{"deal": deal, "owner": owner, "image": imageID})
	return p, postgres.IfNoRows(err, errNoPicture())
}

// showInDispute gives waiting pictures of a user to an entry of a dispute and returns how many of
// them waited.
var showInDispute = postgres.Command("deals.show_in_dispute", `
update deal_pictures p
   set entry_id = @entry, place = array_position(@pictures::uuid[], p.image_id) - 1
  from images i
 where i.id = p.image_id and p.image_id = any (@pictures) and p.deal_id = @deal and p.entry_id is null and p.in_dispute
   and i.owner_id = @owner and i.released_at is null`)

// showPictures gives waiting pictures of a user to a delivery and returns how many of them waited.
var showPictures = postgres.Command("deals.show_pictures", `
update deal_pictures p
   set event_id = @event, place = array_position(@pictures::uuid[], p.image_id) - 1
  from images i
 where i.id = p.image_id and p.image_id = any (@pictures) and p.deal_id = @deal and p.event_id is null and not p.in_dispute
   and i.owner_id = @owner and i.released_at is null`)

type picture struct {
	ID            uuid.UUID
	Width, Height int
}

func (p picture) attachment() images.Attachment { return images.NewAttachment(p.ID, p.Width, p.Height) }

// shownPicture is a picture of an event or of an entry of a dispute.
type shownPicture struct {
	picture
	ShownBy uuid.UUID
}

// listPictures reads the pictures that a deal was delivered with, in their order.
var listPictures = postgres.Query[shownPicture]("deals.list_pictures", `
select p.event_id as shown_by, i.id, i.width, i.height
  from deal_pictures p join images i on i.id = p.image_id
 where p.deal_id = @deal and p.event_id is not null and i.released_at is null
 order by p.event_id, p.place`)

var sqlGetProof = `
select p.shown, case when p.shown then p.code else '' end as code, p.changed_at, ` + user.SQLRef("u") + ` as changed_by
  from deal_proofs p join users u on u.id = p.changed_by
 where p.deal_id = @deal`

// getProof returns the zero Proof if nobody has ever switched it on.
func getProof(ctx context.Context, q postgres.Querier, dealID uuid.UUID) (Proof, error) {
	proof, _, err := postgres.Query[Proof]("deals.get_proof", sqlGetProof).Find(ctx, q, postgres.Args{"deal": dealID})
	return proof, err
}

const sqlSaveProof = `
insert into deal_proofs (deal_id, code, shown, changed_by, changed_at) values (@deal, @code, @shown, @user, @now)
on conflict (deal_id) do update set code = @code, shown = @shown, changed_by = @user, changed_at = @now`

func saveProof(ctx context.Context, tx *postgres.Tx, dealID uuid.UUID, code string, shown bool, userID uuid.UUID, now time.Time) error {
	return postgres.Command("deals.save_proof", sqlSaveProof).One(ctx, tx,
		postgres.Args{"deal": dealID, "code": code, "shown": shown, "user": userID, "now": now})
}

const sqlFindHeld = `
select d.price as amount, ` + sqlStatusNow + ` as status, d.activated_at as since, d.closed_at
  from deal_proofs p join deals d on d.id = p.deal_id
 where p.code = @code and p.shown and d.activated_at is not null and (d.closed_at is null or d.closed_at > @ended)`

func findHeld(ctx context.Context, q postgres.Querier, code string, now time.Time) (Held, error) {
	return postgres.Query[Held]("deals.find_held", sqlFindHeld).One(ctx, q,
		postgres.Args{"code": normalCode(code), "now": now, "ended": now.Add(-proofKept)})
}

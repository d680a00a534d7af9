package deals

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/images"
	"amanat/internal/lib/postgres"
)

// The pictures of a deal are added, removed and delivered with under the deal's lock.

// findParties returns the parties of a deal, who never change. Code NotFound.
func findParties(ctx context.Context, q postgres.Querier, id uuid.UUID) (buyer, seller uuid.UUID, err error) {
	err = postgres.Scan(ctx, q, "deals.find_parties",
		`select buyer_id, seller_id from deals where id = @id and removed_at is null`, pgx.NamedArgs{"id": id}, &buyer, &seller)
	return buyer, seller, postgres.IfNoRows(err, errNotFound())
}

func insertPicture(ctx context.Context, tx *postgres.Tx, imageID, deal uuid.UUID, use pictureUse, now time.Time) error {
	return postgres.Exec(ctx, tx, "deals.insert_picture",
		`insert into deal_pictures (image_id, deal_id, in_dispute, created_at) values (@image, @deal, @dispute, @now)`,
		pgx.NamedArgs{"image": imageID, "deal": deal, "dispute": use == forDispute, "now": now})
}

// sqlWaitingPictures selects the pictures of a user that wait to be shown.
const sqlWaitingPictures = `
  from deal_pictures p join images i on i.id = p.image_id
 where p.deal_id = @deal and p.event_id is null and p.entry_id is null and i.owner_id = @owner and i.released_at is null`

func countWaiting(ctx context.Context, q postgres.Querier, deal, owner uuid.UUID, use pictureUse) (int, error) {
	const sql = `select count(*)` + sqlWaitingPictures + ` and p.in_dispute = @dispute`
	return postgres.Value[int](ctx, q, "deals.count_waiting_pictures", sql,
		pgx.NamedArgs{"deal": deal, "owner": owner, "dispute": use == forDispute})
}

func isWaiting(ctx context.Context, q postgres.Querier, deal, owner, imageID uuid.UUID) (bool, error) {
	return postgres.Value[bool](ctx, q, "deals.is_waiting_picture", `select exists (select`+sqlWaitingPictures+` and p.image_id = @image)`,
		pgx.NamedArgs{"deal": deal, "owner": owner, "image": imageID})
}

const sqlFindPicture = `
select i.id, i.width, i.height
  from deal_pictures p join images i on i.id = p.image_id
 where p.image_id = @image and p.deal_id = @deal and i.owner_id = @owner and i.released_at is null`

type sizeRow struct {
	ID     uuid.UUID
	Width  int
	Height int
}

// findPicture returns a picture that a user has added to a deal. Code NotFound.
func findPicture(ctx context.Context, q postgres.Querier, deal, owner, imageID uuid.UUID) (images.Attachment, error) {
	r, err := postgres.One[sizeRow](ctx, q, "deals.find_picture", sqlFindPicture,
		pgx.NamedArgs{"deal": deal, "owner": owner, "image": imageID})
	return images.NewAttachment(r.ID, r.Width, r.Height), postgres.IfNoRows(err, errNoPicture())
}

const sqlShowPictures = `
update deal_pictures p
   set event_id = @event, place = array_position(@pictures::uuid[], p.image_id) - 1
  from images i
 where i.id = p.image_id and p.image_id = any (@pictures) and p.deal_id = @deal and p.event_id is null and not p.in_dispute
   and i.owner_id = @owner and i.released_at is null`

const sqlShowInDispute = `
update deal_pictures p
   set entry_id = @entry, place = array_position(@pictures::uuid[], p.image_id) - 1
  from images i
 where i.id = p.image_id and p.image_id = any (@pictures) and p.deal_id = @deal and p.entry_id is null and p.in_dispute
   and i.owner_id = @owner and i.released_at is null`

// showInDispute gives waiting pictures of a user to an entry of a dispute and returns how many of
// them waited.
func showInDispute(ctx context.Context, tx *postgres.Tx, deal, owner, entry uuid.UUID, pictures []uuid.UUID) (int64, error) {
	return postgres.ExecCount(ctx, tx, "deals.show_in_dispute", sqlShowInDispute,
		pgx.NamedArgs{"deal": deal, "owner": owner, "entry": entry, "pictures": pictures})
}

// showPictures gives waiting pictures of a user to a delivery and returns how many of them waited.
func showPictures(ctx context.Context, tx *postgres.Tx, deal, owner, event uuid.UUID, pictures []uuid.UUID) (int64, error) {
	return postgres.ExecCount(ctx, tx, "deals.show_pictures", sqlShowPictures,
		pgx.NamedArgs{"deal": deal, "owner": owner, "event": event, "pictures": pictures})
}

type pictureRow struct {
	EventID uuid.UUID
	ID      uuid.UUID
	Width   int
	Height  int
}

const sqlPictures = `
select p.event_id, i.id, i.width, i.height
  from deal_pictures p join images i on i.id = p.image_id
 where p.deal_id = @deal and p.event_id is not null and i.released_at is null
 order by p.event_id, p.place`

// queueListPictures queues the reading of the pictures that a deal was delivered with, in their
// order.
func queueListPictures(q postgres.Queue, deal uuid.UUID, use func(event uuid.UUID, picture images.Attachment)) {
	postgres.QueueMany(q, "deals.list_pictures", sqlPictures, pgx.NamedArgs{"deal": deal}, func(rows []pictureRow) error {
		for _, r := range rows {
			use(r.EventID, images.NewAttachment(r.ID, r.Width, r.Height))
		}
		return nil
	})
}

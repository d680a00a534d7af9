package images

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// The update locks an existing blob, so that a concurrent cleanup does not delete it.
const sqlSaveBlob = `
insert into image_blobs (hash, saved_at) values (@hash, @now)
on conflict (hash) do update set saved_at = excluded.saved_at
returning (xmax = 0) as inserted`

const sqlInsertVariant = `
insert into image_variants (hash, width, height, content_type, data, object) values (@hash, @width, @height, @type, @data, @object)`

func saveBlob(ctx context.Context, tx *postgres.Tx, p *Picture, now time.Time) error {
	inserted, err := postgres.Value[bool](ctx, tx, "images.save_blob", sqlSaveBlob, pgx.NamedArgs{"hash": p.hash[:], "now": now})
	if err != nil || !inserted {
		return err
	}
	for _, v := range p.variants {
		data := v.data
		if v.object != nil {
			data = nil
		}
		err := postgres.Exec(ctx, tx, "images.insert_variant", sqlInsertVariant, pgx.NamedArgs{
			"hash": p.hash[:], "width": v.width, "height": v.height, "type": v.contentType, "data": data, "object": v.object,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

const sqlInsertImage = `
insert into images (id, blob_hash, owner_id, conversation_id, width, height, created_at)
values (@id, @hash, @owner, @conversation, @width, @height, @now)`

func insertImage(
	ctx context.Context, tx *postgres.Tx, id uuid.UUID, p *Picture, owner uuid.UUID, conversation *uuid.UUID, now time.Time,
) error {
	return postgres.Exec(ctx, tx, "images.insert", sqlInsertImage, pgx.NamedArgs{
		"id": id, "hash": p.hash[:], "owner": owner, "conversation": conversation, "width": p.variants[0].width,
		"height": p.variants[0].height, "now": now,
	})
}

func releaseImage(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	return postgres.Exec(ctx, tx, "images.release", `update images set released_at = @now where id = @id`, pgx.NamedArgs{"id": id, "now": now})
}

// Selects the narrowest sufficient variant, or the widest. A picture that was taken off a reported
// post is kept for admins only.
const sqlFind = `
select i.id, i.owner_id, i.conversation_id,
       case when d.event_id is not null or d.entry_id is not null then d.deal_id end as deal_id, i.blob_hash, v.width, v.content_type,
       exists (select from posts p where p.image_id = i.id and p.hidden_by is not null)
         or i.released_at is not null and exists (select from moderation_cases c where c.image_id = i.id)
         or d.image_id is not null and d.event_id is null and d.entry_id is null as hidden
  from images i join image_variants v on v.hash = i.blob_hash left join deal_pictures d on d.image_id = i.id
 where i.id = @id
 order by v.width >= @width desc, case when v.width >= @width then v.width else -v.width end
 limit 1`

func findImage(ctx context.Context, q postgres.Querier, id uuid.UUID, width int) (Image, error) {
	if width <= 0 || width > math.MaxInt32 {
		width = math.MaxInt32
	}
	image, err := postgres.One[Image](ctx, q, "images.find", sqlFind, pgx.NamedArgs{"id": id, "width": width})
	return image, postgres.IfNoRows(err, errNotFound())
}

// Rows per batch. Deleting a blob also deletes its variants, which are large.
const (
	releasedBatch = 5_000
	orphansBatch  = 100
)

// A picture that was reported is kept until the case has been decided for some time and no appeal
// waits for a decision.
const sqlDeleteReleased = `
delete from images i
 using (select r.id from images r
         where r.released_at < @before
           and not exists (
             select from moderation_cases c
              where c.image_id = r.id
                and (c.decided_at is null or c.decided_at > @decided or c.appealed_at is not null and c.appeal_decided_at is null))
           and not exists (
             select from case_pictures p join moderation_cases c on c.id = p.case_id
              where p.image_id = r.id
                and (c.decided_at is null or c.decided_at > @decided or c.appealed_at is not null and c.appeal_decided_at is null))
         order by r.released_at limit @limit) old
 where i.id = old.id`

func deleteReleased(ctx context.Context, q postgres.Querier, before, decided time.Time) (int64, error) {
	return postgres.InBatches(ctx, q, "images.delete_released", sqlDeleteReleased,
		pgx.NamedArgs{"before": before, "decided": decided}, releasedBatch)
}

// That a picture is unused is checked again outside the subquery, because it may be delivered
// concurrently.
const sqlDeleteUnused = `
with gone as (
  delete from deal_pictures p
   using (select image_id from deal_pictures
           where event_id is null and entry_id is null and created_at < @before order by created_at limit @limit) old
   where p.image_id = old.image_id and p.event_id is null and p.entry_id is null
  returning p.image_id)
delete from images i using gone where i.id = gone.image_id`

func deleteUnused(ctx context.Context, q postgres.Querier, before time.Time) (int64, error) {
	return postgres.InBatches(ctx, q, "images.delete_unused", sqlDeleteUnused, pgx.NamedArgs{"before": before}, releasedBatch)
}

// Variants are deleted with their blob, and their objects become due, unless the same picture has
// just been uploaded again and is about to use them. The time is checked again outside the
// subquery, because the same picture may be saved concurrently. The last statement counts the
// blobs.
const sqlDeleteOrphans = `
with gone as (
  delete from image_blobs b
   using (
     select o.hash from image_blobs o
      where o.saved_at < @before and not exists (select from images i where i.blob_hash = o.hash)
      limit @limit) old
   where b.hash = old.hash and b.saved_at < @before
  returning b.hash),
due as (
  update picture_objects o set due_at = greatest(o.due_at, @now)
    from image_variants v join gone on gone.hash = v.hash
   where o.id = v.object and not o.ending)
select from gone`

func deleteOrphans(ctx context.Context, q postgres.Querier, before, now time.Time) error {
	_, err := postgres.InBatches(ctx, q, "images.delete_orphans", sqlDeleteOrphans, pgx.NamedArgs{"before": before, "now": now}, orphansBatch)
	return err
}

package images

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"

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
	inserted, err := postgres.Query[bool]("images.save_blob", sqlSaveBlob).One(ctx, tx, postgres.Args{"hash": p.hash[:], "now": now})
	if err != nil || !inserted {
		return err
	}
	for _, v := range p.variants {
		data := v.data
		if v.object != nil {
			data = nil
		}
		err := postgres.Command("images.insert_variant", sqlInsertVariant).Run(ctx, tx, postgres.Args{
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
	return postgres.Command("images.insert", sqlInsertImage).Run(ctx, tx, postgres.Args{
		"id": id, "hash": p.hash[:], "owner": owner, "conversation": conversation, "width": p.variants[0].width,
		"height": p.variants[0].height, "now": now,
	})
}

var claimImages = postgres.Command("images.claim", `
update images i set released_at = null
 where i.id = any(@ids) and i.owner_id = @owner and i.released_at is not null and i.conversation_id is null
   and not exists (select from deal_pictures d where d.image_id = i.id)
   and not exists (select from moderation_cases c where c.image_id = i.id)
   and not exists (select from case_pictures c where c.image_id = i.id)`)

var releaseImage = postgres.Command("images.release", `update images set released_at = @now where id = @id`)

// Selects the narrowest sufficient variant, or the widest. A picture that was taken off a reported
// post is kept for admins only.
const sqlFind = `
select i.id, i.owner_id, i.conversation_id,
       case when d.event_id is not null or d.entry_id is not null then d.deal_id end as deal_id, i.blob_hash, v.width, v.content_type,
       exists (select from posts p where p.image_id = i.id and p.hidden_by is not null)
         or exists (select from post_pictures f join posts p on p.id = f.post_id where f.image_id = i.id and p.hidden_by is not null)
         or i.released_at is not null
            and (exists (select from moderation_cases c where c.image_id = i.id)
              or exists (select from case_pictures c where c.image_id = i.id))
         or d.image_id is not null and d.event_id is null and d.entry_id is null as hidden
  from images i join image_variants v on v.hash = i.blob_hash left join deal_pictures d on d.image_id = i.id
 where i.id = @id
 order by v.width >= @width desc, case when v.width >= @width then v.width else -v.width end
 limit 1`

func findImage(ctx context.Context, q postgres.Querier, id uuid.UUID, width int) (Image, error) {
	if width <= 0 || width > math.MaxInt32 {
		width = math.MaxInt32
	}
	image, err := postgres.Query[Image]("images.find", sqlFind).One(ctx, q, postgres.Args{"id": id, "width": width})
	return image, postgres.IfNoRows(err, errNotFound())
}

// Rows per batch. Deleting a blob also deletes its variants, which are large.
const (
	releasedBatch = 5_000
	orphansBatch  = 100
)

// A picture that was reported is kept until the case has been decided for some time and no appeal
// waits for a decision. The time is checked again outside the subquery, because a post may claim
// the picture concurrently.
var deleteReleased = postgres.Command("images.delete_released", `
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
 where i.id = old.id and i.released_at < @before`)

// That a picture is unused is checked again outside the subquery, because it may be delivered
// concurrently.
var deleteUnused = postgres.Command("images.delete_unused", `
with gone as (
  delete from deal_pictures p
   using (select image_id from deal_pictures
           where event_id is null and entry_id is null and created_at < @before order by created_at limit @limit) old
   where p.image_id = old.image_id and p.event_id is null and p.entry_id is null
  returning p.image_id)
delete from images i using gone where i.id = gone.image_id`)

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
	_, err := postgres.Command("images.delete_orphans", sqlDeleteOrphans).InBatches(ctx, q,
		postgres.Args{"before": before, "now": now}, orphansBatch)
	return err
}

// An existing object is written again, because its first upload may have failed.
const sqlAnnounceObject = `
insert into picture_objects (id, digest, size, due_at) values (@id, @digest, @size, @due)
on conflict (digest) where not ending do update set due_at = excluded.due_at
returning id`

// announceObject returns the id of the object for a file. It is not removed before due, and
// afterwards only if no variant uses it.
func announceObject(ctx context.Context, q postgres.Querier, o object, due time.Time) (uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.UUID{}, err
	}
	return postgres.Query[uuid.UUID]("images.announce_object", sqlAnnounceObject).One(ctx, q,
		postgres.Args{"id": id, "digest": o.Digest, "size": o.Size, "due": due})
}

const sqlLockDue = `
select id from picture_objects where due_at <= @now order by due_at limit @limit for update skip locked`

// The locks of sqlLockDue keep new variants from using the objects, and the statement sees all that
// were committed before.
const sqlCheckDue = `
update picture_objects o
   set due_at = null, ending = not exists (select from image_variants v where v.object = o.id)
 where o.id = any(@ids)`

// checkDue marks due objects that no variant uses as ending, and returns how many it has checked.
func checkDue(ctx context.Context, db postgres.DB, now time.Time, limit int) (checked int, err error) {
	err = postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
		ids, err := postgres.Query[uuid.UUID]("images.lock_due_objects", sqlLockDue).Many(ctx, tx, postgres.Args{"now": now, "limit": limit})
		checked = len(ids)
		if err != nil || checked == 0 {
			return err
		}
		return postgres.Command("images.check_due_objects", sqlCheckDue).Run(ctx, tx, postgres.Args{"ids": ids})
	})
	return checked, err
}

var listEnding = postgres.Query[object]("images.list_ending_objects",
	`select id, digest, size from picture_objects where ending order by id limit @limit`)

func deleteObjects(ctx context.Context, q postgres.Querier, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	return postgres.Command("images.delete_objects", `delete from picture_objects where id = any(@ids) and ending`).Run(ctx, q,
		postgres.Args{"ids": ids})
}

var countObjects = postgres.Query[int64]("images.count_objects", `select count(*) from picture_objects`)

// databaseName returns a name that no other database has, except a copy of the server's files.
var databaseName = postgres.Query[string]("images.database_name",
	`select system_identifier || '/' || current_database() from pg_control_system()`)

// place is the file of a variant, in the row or in an object.
type place struct {
	Hash        []byte
	Width       int
	ContentType string
	Data        []byte     // nil: in the object
	ID          *uuid.UUID // of the object
	Digest      []byte
	Size        *int64
}

func (p place) object() object { return object{ID: *p.ID, Digest: p.Digest, Size: *p.Size} }

const placeColumns = `v.hash, v.width, v.content_type, v.data, o.id, o.digest, o.size::bigint`

const sqlFindPlace = `
select ` + placeColumns + `
  from image_variants v left join picture_objects o on o.id = v.object
 where v.hash = @hash and v.width = @width`

func findPlace(ctx context.Context, q postgres.Querier, image Image) (place, error) {
	found, err := postgres.Query[place]("images.find_place", sqlFindPlace).One(ctx, q,
		postgres.Args{"hash": image.BlobHash, "width": image.Width})
	return found, postgres.IfNoRows(err, errNotFound())
}

const sqlListRows = `
select ` + placeColumns + `
  from image_variants v left join picture_objects o on o.id = v.object
 where (v.hash, v.width) > (@hash, @width) and v.data is not null
 order by v.hash, v.width limit @limit`

// listRows returns variants after one whose files are in their rows.
func listRows(ctx context.Context, q postgres.Querier, after place, limit int) ([]place, error) {
	return postgres.Query[place]("images.list_rows", sqlListRows).Many(ctx, q,
		postgres.Args{"hash": after.Hash, "width": after.Width, "limit": limit})
}

var countRows = postgres.Query[int64]("images.count_rows", `select count(*) from image_variants where data is not null`)

// moveToObject reports false if the variant was deleted or moved meanwhile.
func moveToObject(ctx context.Context, q postgres.Querier, p place, id uuid.UUID) (bool, error) {
	return postgres.Command("images.move_to_object", `
		update image_variants set data = null, object = @object where hash = @hash and width = @width and object is null`).Any(ctx, q,
		postgres.Args{"hash": p.Hash, "width": p.Width, "object": id})
}

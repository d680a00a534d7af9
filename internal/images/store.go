package images

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

// The update locks a blob that is there already, so that a cleanup at the same moment sees that it is wanted.
const sqlSaveBlob = `
insert into image_blobs (hash, saved_at) values (@hash, @now)
on conflict (hash) do update set saved_at = excluded.saved_at
returning (xmax = 0) as inserted`

const sqlInsertVariant = `
insert into image_variants (hash, width, height, content_type, data) values (@hash, @width, @height, @type, @data)`

func saveBlob(ctx context.Context, tx *postgres.Tx, p *Picture, now time.Time) error {
	var inserted bool
	err := tx.QueryRow(ctx, sqlSaveBlob, pgx.NamedArgs{"hash": p.hash[:], "now": now}).Scan(&inserted)
	if err != nil {
		return fmt.Errorf("save blob: %w", err)
	}
	if !inserted {
		return nil
	}
	for _, v := range p.variants {
		_, err := tx.Exec(ctx, sqlInsertVariant, pgx.NamedArgs{
			"hash": p.hash[:], "width": v.width, "height": v.height, "type": v.contentType, "data": v.data,
		})
		if err != nil {
			return fmt.Errorf("insert variant: %w", err)
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
	_, err := tx.Exec(ctx, sqlInsertImage, pgx.NamedArgs{
		"id": id, "hash": p.hash[:], "owner": owner, "conversation": conversation, "width": p.variants[0].width,
		"height": p.variants[0].height, "now": now,
	})
	if err != nil {
		return fmt.Errorf("insert image: %w", err)
	}
	return nil
}

func releaseImage(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	_, err := tx.Exec(ctx, `update images set released_at = @now where id = @id`, pgx.NamedArgs{"id": id, "now": now})
	if err != nil {
		return fmt.Errorf("release image: %w", err)
	}
	return nil
}

// The first that is wide enough, else the widest.
const sqlFind = `
select i.id, i.owner_id, i.conversation_id, i.blob_hash, v.width, v.content_type
  from images i join image_variants v on v.hash = i.blob_hash
 where i.id = @id
 order by v.width >= @width desc, case when v.width >= @width then v.width else -v.width end
 limit 1`

func findImage(ctx context.Context, q postgres.Querier, id uuid.UUID, width int) (Image, error) {
	if width <= 0 || width > math.MaxInt32 {
		width = math.MaxInt32
	}
	rows, err := q.Query(ctx, sqlFind, pgx.NamedArgs{"id": id, "width": width})
	if err != nil {
		return Image{}, err
	}
	image, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Image])
	if errors.Is(err, pgx.ErrNoRows) {
		return Image{}, errNotFound()
	}
	return image, err
}

const sqlVariant = `select data from image_variants where hash = @hash and width = @width`

func readVariant(ctx context.Context, q postgres.Querier, image Image) ([]byte, error) {
	var data []byte
	err := q.QueryRow(ctx, sqlVariant, pgx.NamedArgs{"hash": image.BlobHash, "width": image.Width}).Scan(&data)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, errNotFound()
	}
	return data, err
}

// How many rows are deleted at once. A blob takes its variants with it, which are of some size.
const (
	releasedBatch = 5_000
	orphansBatch  = 100
)

const sqlDeleteReleased = `
delete from images i
 using (select id from images where released_at < @before order by released_at limit @limit) old
 where i.id = old.id`

func deleteReleased(ctx context.Context, q postgres.Querier, before time.Time) (int64, error) {
	n, err := postgres.InBatches(ctx, q, sqlDeleteReleased, pgx.NamedArgs{"before": before}, releasedBatch)
	if err != nil {
		return n, fmt.Errorf("delete released images: %w", err)
	}
	return n, nil
}

// Variants go with their blob. The time stands outside, too: somebody may save the same picture at this moment.
const sqlDeleteOrphans = `
delete from image_blobs b
 using (
   select o.hash from image_blobs o
    where o.saved_at < @before and not exists (select from images i where i.blob_hash = o.hash)
    limit @limit) old
 where b.hash = old.hash and b.saved_at < @before`

func deleteOrphans(ctx context.Context, q postgres.Querier, before time.Time) error {
	if _, err := postgres.InBatches(ctx, q, sqlDeleteOrphans, pgx.NamedArgs{"before": before}, orphansBatch); err != nil {
		return fmt.Errorf("delete image blobs: %w", err)
	}
	return nil
}

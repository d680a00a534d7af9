package images

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

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
	return postgres.Value[uuid.UUID](ctx, q, "images.announce_object", sqlAnnounceObject,
		pgx.NamedArgs{"id": id, "digest": o.Digest, "size": o.Size, "due": due})
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
		ids, err := postgres.Values[uuid.UUID](ctx, tx, "images.lock_due_objects", sqlLockDue, pgx.NamedArgs{"now": now, "limit": limit})
		checked = len(ids)
		if err != nil || checked == 0 {
			return err
		}
		return postgres.Exec(ctx, tx, "images.check_due_objects", sqlCheckDue, pgx.NamedArgs{"ids": ids})
	})
	return checked, err
}

func listEnding(ctx context.Context, q postgres.Querier, limit int) ([]object, error) {
	return postgres.Many[object](ctx, q, "images.list_ending_objects",
		`select id, digest, size from picture_objects where ending order by id limit @limit`, pgx.NamedArgs{"limit": limit})
}

func deleteObjects(ctx context.Context, q postgres.Querier, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	return postgres.Exec(ctx, q, "images.delete_objects", `delete from picture_objects where id = any(@ids) and ending`,
		pgx.NamedArgs{"ids": ids})
}

func countObjects(ctx context.Context, q postgres.Querier) (int64, error) {
	return postgres.Value[int64](ctx, q, "images.count_objects", `select count(*) from picture_objects`, nil)
}

// databaseName returns a name that no other database has, except a copy of the server's files.
func databaseName(ctx context.Context, q postgres.Querier) (string, error) {
	return postgres.Value[string](ctx, q, "images.database_name",
		`select system_identifier || '/' || current_database() from pg_control_system()`, nil)
}

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
	found, err := postgres.One[place](ctx, q, "images.find_place", sqlFindPlace,
		pgx.NamedArgs{"hash": image.BlobHash, "width": image.Width})
	return found, postgres.IfNoRows(err, errNotFound())
}

const sqlListRows = `
select ` + placeColumns + `
  from image_variants v left join picture_objects o on o.id = v.object
 where (v.hash, v.width) > (@hash, @width) and v.data is not null
 order by v.hash, v.width limit @limit`

// listRows returns variants after one whose files are in their rows.
func listRows(ctx context.Context, q postgres.Querier, after place, limit int) ([]place, error) {
	return postgres.Many[place](ctx, q, "images.list_rows", sqlListRows,
		pgx.NamedArgs{"hash": after.Hash, "width": after.Width, "limit": limit})
}

func countRows(ctx context.Context, q postgres.Querier) (int64, error) {
	return postgres.Value[int64](ctx, q, "images.count_rows", `select count(*) from image_variants where data is not null`, nil)
}

// moveToObject reports false if the variant was deleted or moved meanwhile.
func moveToObject(ctx context.Context, q postgres.Querier, p place, id uuid.UUID) (bool, error) {
	n, err := postgres.ExecCount(ctx, q, "images.move_to_object", `
		update image_variants set data = null, object = @object where hash = @hash and width = @width and object is null`,
		pgx.NamedArgs{"hash": p.Hash, "width": p.Width, "object": id})
	return n > 0, err
}

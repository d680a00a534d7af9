package images

import (
	"context"
	"errors"
	"fmt"
	"io"

	"amanat/internal/lib/blobs"
	"amanat/internal/lib/postgres"
)

// ownerKey is the key of the object that names the database to which the others belong.
const ownerKey = "database.txt"

const maxOwnerBytes = 1 << 10

var (
	// ErrForeign is returned instead of removing objects from a storage of another database.
	ErrForeign = errors.New("images: the object storage belongs to another database")
	// ErrUnowned is returned by SweepAll for a storage that names no database.
	ErrUnowned = errors.New("images: the object storage does not say to which database it belongs")
)

// own leaves the name of the database in the object storage if there is none. It returns ErrForeign
// if there is another one's: with a wrong address, the pictures of another site would be removed.
func own(ctx context.Context, db postgres.DB, stored Blobs) error {
	err := checkOwner(ctx, db, stored)
	if errors.Is(err, ErrUnowned) {
		return claim(ctx, db, stored)
	}
	return err
}

// checkOwner returns ErrUnowned or ErrForeign unless the object storage names the database.
func checkOwner(ctx context.Context, db postgres.DB, stored Blobs) error {
	name, err := databaseName(ctx, db)
	if err != nil {
		return err
	}
	body, err := stored.Get(ctx, ownerKey, 0)
	if errors.Is(err, blobs.ErrMissing) {
		return ErrUnowned
	}
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	found, err := io.ReadAll(io.LimitReader(body, maxOwnerBytes))
	if err != nil {
		return err
	}
	if string(found) != name {
		return fmt.Errorf("%w: its %s names %q, and this one is %q", ErrForeign, ownerKey, found, name)
	}
	return nil
}

// claim leaves the name of the database in the object storage, in place of any other.
func claim(ctx context.Context, db postgres.DB, stored Blobs) error {
	name, err := databaseName(ctx, db)
	if err != nil {
		return err
	}
	return stored.Put(ctx, ownerKey, "text/plain", []byte(name))
}

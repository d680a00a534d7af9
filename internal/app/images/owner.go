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

// ErrForeign is returned instead of removing objects from a storage of another database.
var ErrForeign = errors.New("images: the object storage belongs to another database")

// own leaves the name of the database in the object storage if there is none. It returns ErrForeign
// if there is another one's: with a wrong address, the pictures of another site would be removed.
func own(ctx context.Context, db postgres.DB, stored Blobs) error {
	name, err := databaseName(ctx, db)
	if err != nil {
		return err
	}
	body, err := stored.Get(ctx, ownerKey, 0)
	if errors.Is(err, blobs.ErrMissing) {
		return stored.Put(ctx, ownerKey, "text/plain", []byte(name))
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

package images

import (
	"context"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"amanat/internal/lib/postgres"
)

const (
	// objectKept is how long an object without a variant is kept: much longer than the call that
	// has written it may take.
	objectKept = 24 * time.Hour
	// sweepBatch is how many objects are checked or removed between two statements.
	sweepBatch = 200
	// removers remove objects at the same time.
	removers = 8
)

// Sweep removes the objects of deleted pictures, and of uploads that have failed more than a day
// ago, and returns how many. It is part of the cleanup. Without an object storage, it fails if the
// database has objects, because nobody removes them then. ErrForeign if the storage is that of
// another database.
//
// It cannot remove what an upload is using: an upload first commits that its object is not due for
// a day, and an object that is being removed is not used for an upload any more.
func (c *Cleaner) Sweep(ctx context.Context) (removed int64, err error) {
	if c.Blobs == nil {
		return 0, CheckBlobs(ctx, c.DB, false)
	}
	if err := own(ctx, c.DB, c.Blobs); err != nil {
		return 0, err
	}
	for {
		checked, err := checkDue(ctx, c.DB, c.Clock.Now(), sweepBatch)
		if err != nil {
			return removed, err
		}
		if checked < sweepBatch {
			break
		}
	}
	for {
		ending, err := listEnding.Many(ctx, c.DB, postgres.Args{"limit": sweepBatch})
		if err != nil {
			return removed, err
		}
		keys := make([]string, len(ending))
		ids := make([]uuid.UUID, len(ending))
		for i, o := range ending {
			keys[i], ids[i] = o.key(), o.ID
		}
		if err := c.remove(ctx, keys); err != nil {
			return removed, err
		}
		if err := deleteObjects(ctx, c.DB, ids); err != nil {
			return removed, err
		}
		removed += int64(len(ending))
		if len(ending) < sweepBatch {
			return removed, nil
		}
	}
}

func (c *Cleaner) remove(ctx context.Context, keys []string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(removers)
	for _, key := range keys {
		group.Go(func() error { return c.Blobs.Delete(ctx, key) })
	}
	return group.Wait()
}

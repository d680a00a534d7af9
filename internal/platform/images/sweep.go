package images

import (
	"context"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"amanat/internal/platform/actor"
	"amanat/internal/platform/audit"
	"amanat/internal/platform/postgres"
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
// ago, and returns how many. It is part of the cleanup. It does nothing without an object storage.
//
// It cannot remove what an upload is using: an upload first commits that its object is not due for
// a day, and an object that is being removed is not used for an upload any more.
func (c *Cleaner) Sweep(ctx context.Context) (removed int64, err error) {
	if c.Blobs == nil {
		return 0, nil
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
		ending, err := listEnding(ctx, c.DB, sweepBatch)
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

// Swept is the result of SweepAll.
type Swept struct {
	Removed int64 `json:"removed"` // objects of deleted pictures and failed uploads
	Unknown int64 `json:"unknown"` // removed objects of which the database knows nothing
	Foreign int64 `json:"foreign"` // keys that are not of pictures: left alone
}

// SweepAll does what Sweep does, and lists the whole storage: objects older than a day of which the
// database knows nothing, such as those written after the backup that was restored, are removed,
// too. It writes the audit log.
func (c *Cleaner) SweepAll(ctx context.Context) (done Swept, err error) {
	if err := c.record(ctx, "started", done); err != nil {
		return done, err
	}
	if done.Removed, err = c.Sweep(ctx); err != nil {
		return done, err
	}
	before := c.Clock.Now().Add(-objectKept)
	batch := map[uuid.UUID]string{}
	flush := func() error {
		removed, err := c.removeUnknown(ctx, batch)
		done.Unknown += removed
		clear(batch)
		return err
	}
	err = c.Blobs.List(ctx, func(key string, modified time.Time) error {
		id, ours := objectOf(key)
		switch {
		case !ours:
			done.Foreign++
		case modified.Before(before):
			batch[id] = key
		}
		if len(batch) < sweepBatch {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return done, err
	}
	return done, c.record(ctx, "finished", done)
}

// removeUnknown removes the objects that have no row. A row is committed before its object is
// written, so an object that has been listed without having one now is no upload's.
func (c *Cleaner) removeUnknown(ctx context.Context, keys map[uuid.UUID]string) (int64, error) {
	ids := make([]uuid.UUID, 0, len(keys))
	for id := range keys {
		ids = append(ids, id)
	}
	unknown, err := unknownObjects(ctx, c.DB, ids)
	if err != nil {
		return 0, err
	}
	gone := make([]string, len(unknown))
	for i, id := range unknown {
		gone[i] = keys[id]
	}
	return int64(len(gone)), c.remove(ctx, gone)
}

func (c *Cleaner) record(ctx context.Context, state string, done Swept) error {
	return postgres.WithTx(ctx, c.DB, func(tx *postgres.Tx) error {
		return audit.Record(ctx, tx, audit.Entry{
			At: c.Clock.Now(), Actor: actor.Operator(), Action: "blobs.sweep", Subject: "blobs:s3", Details: struct {
				State string `json:"state"`
				Swept
			}{state, done},
		})
	})
}

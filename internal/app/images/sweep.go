package images

import (
	"context"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
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
	return c.sweep(ctx)
}

func (c *Cleaner) sweep(ctx context.Context) (removed int64, err error) {
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

// SweepOptions say how SweepAll works.
type SweepOptions struct {
	DryRun bool // remove nothing and count what would be removed
	Claim  bool // the storage belongs to this database, whatever it says
}

// Swept is the result of SweepAll.
type Swept struct {
	Removed int64 `json:"removed"` // objects of deleted pictures and failed uploads
	Unknown int64 `json:"unknown"` // removed objects of which the database knows nothing
	Foreign int64 `json:"foreign"` // keys that are not of pictures: left alone
}

// SweepAll does what Sweep does, and lists the whole storage: objects older than a day of which the
// database knows nothing, such as those written after the backup that was restored, are removed,
// too. It writes the audit log, except in a dry run.
//
// Unlike Sweep, which removes only objects that the database has written, it does not take a
// storage without an owner for its own: it returns ErrUnowned, or ErrForeign for that of another
// database.
func (c *Cleaner) SweepAll(ctx context.Context, o SweepOptions) (done Swept, err error) {
	if !o.Claim {
		if err := checkOwner(ctx, c.DB, c.Blobs); err != nil {
			return done, err
		}
	}
	if o.DryRun {
		if done.Removed, err = countUnused(ctx, c.DB, c.Clock.Now()); err != nil {
			return done, err
		}
		return done, c.eachUnknown(ctx, &done, func([]string) error { return nil })
	}
	if err := c.record(ctx, "started", o, done); err != nil {
		return done, err
	}
	if o.Claim {
		if err := claim(ctx, c.DB, c.Blobs); err != nil {
			return done, err
		}
	}
	if done.Removed, err = c.sweep(ctx); err != nil {
		return done, err
	}
	if err := c.eachUnknown(ctx, &done, func(keys []string) error { return c.remove(ctx, keys) }); err != nil {
		return done, err
	}
	return done, c.record(ctx, "finished", o, done)
}

// eachUnknown passes the keys of objects older than a day of which the database knows nothing to
// remove, in batches, and counts them.
func (c *Cleaner) eachUnknown(ctx context.Context, done *Swept, remove func(keys []string) error) error {
	before := c.Clock.Now().Add(-objectKept)
	batch := map[uuid.UUID]string{}
	flush := func() error {
		unknown, err := c.unknown(ctx, batch)
		clear(batch)
		if err == nil {
			err = remove(unknown)
		}
		if err == nil {
			done.Unknown += int64(len(unknown))
		}
		return err
	}
	err := c.Blobs.List(ctx, func(key string, modified time.Time) error {
		id, ours := objectOf(key)
		switch {
		case key == ownerKey:
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
	if err != nil {
		return err
	}
	return flush()
}

// unknown returns the keys that have no row. A row is committed before its object is written, so an
// object that has been listed without having one now is no upload's.
func (c *Cleaner) unknown(ctx context.Context, keys map[uuid.UUID]string) ([]string, error) {
	ids := make([]uuid.UUID, 0, len(keys))
	for id := range keys {
		ids = append(ids, id)
	}
	unknown, err := unknownObjects(ctx, c.DB, ids)
	if err != nil {
		return nil, err
	}
	without := make([]string, len(unknown))
	for i, id := range unknown {
		without[i] = keys[id]
	}
	return without, nil
}

func (c *Cleaner) record(ctx context.Context, state string, o SweepOptions, done Swept) error {
	return postgres.WithTx(ctx, c.DB, func(tx *postgres.Tx) error {
		return audit.Record(ctx, tx, audit.Entry{
			At: c.Clock.Now(), Actor: actor.Operator(), Action: "blobs.sweep", Subject: "blobs:s3", Details: struct {
				State   string `json:"state"`
				Claimed bool   `json:"claimed"`
				Swept
			}{state, o.Claim, done},
		})
	})
}

package images

import (
	"context"
	"fmt"

	"amanat/internal/platform/actor"
	"amanat/internal/platform/audit"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/postgres"
)

// moveBatch is how many files are listed at once, and so are in memory: each has at most a few
// megabytes.
const moveBatch = 8

// Mover moves files between the database and the object storage. Pictures can be read and saved
// meanwhile.
type Mover struct {
	DB    postgres.DB
	Clock clock.Clock
	Blobs Blobs
}

// Moved is how much has been moved.
type Moved struct {
	Files int64 `json:"files"`
	Bytes int64 `json:"bytes"`
}

// Move moves every file to the object storage, or from it into the database. Each file is compared
// with its hash before the copy in the other place is given up, so a run can be ended at any time;
// the next one continues. report is called after each batch. It writes
// the audit log.
func (m *Mover) Move(ctx context.Context, toObjects bool, report func(done Moved, left int64)) (done Moved, err error) {
	left, err := countPlaces(ctx, m.DB, !toObjects)
	if err != nil {
		return done, err
	}
	if err := m.record(ctx, toObjects, "started", done); err != nil {
		return done, err
	}
	after := place{Hash: []byte{}}
	for {
		batch, err := listPlaces(ctx, m.DB, after, !toObjects, moveBatch)
		if err != nil {
			return done, err
		}
		for _, p := range batch {
			size, err := m.move(ctx, p, toObjects)
			if err != nil {
				return done, fmt.Errorf("file %x, %d pixels wide: %w", p.Hash, p.Width, err)
			}
			if size > 0 {
				done.Files++
				done.Bytes += size
			}
		}
		if len(batch) < moveBatch {
			return done, m.record(ctx, toObjects, "finished", done)
		}
		after = place{Hash: batch[moveBatch-1].Hash, Width: batch[moveBatch-1].Width}
		report(done, max(left-done.Files, 0))
	}
}

// move moves one file and returns its size, 0 if it was deleted meanwhile.
func (m *Mover) move(ctx context.Context, p place, toObject bool) (size int64, err error) {
	var moved bool
	if toObject {
		size, moved, err = m.moveToObject(ctx, p)
	} else {
		size = *p.Size
		var data []byte
		if data, err = readObject(ctx, m.Blobs, p.object()); err == nil {
			moved, err = moveToRow(ctx, m.DB, p, data, m.Clock.Now().Add(objectKept))
		}
	}
	if err != nil || !moved {
		return 0, err
	}
	return size, nil
}

func (m *Mover) moveToObject(ctx context.Context, p place) (size int64, moved bool, err error) {
	o, err := putObject(ctx, store{m.DB, m.Blobs}, p.ContentType, p.Data, m.Clock.Now())
	if err != nil {
		return 0, false, err
	}
	if _, err := readObject(ctx, m.Blobs, o); err != nil { // it compares the hash
		return 0, false, err
	}
	moved, err = moveToObject(ctx, m.DB, p, o.ID)
	return o.Size, moved, err
}

func (m *Mover) record(ctx context.Context, toObjects bool, state string, done Moved) error {
	to := "postgres"
	if toObjects {
		to = "s3"
	}
	return postgres.WithTx(ctx, m.DB, func(tx *postgres.Tx) error {
		return audit.Record(ctx, tx, audit.Entry{
			At: m.Clock.Now(), Actor: actor.Operator(), Action: "blobs.move", Subject: "blobs:" + to, Details: struct {
				To    string `json:"to"`
				State string `json:"state"`
				Moved
			}{to, state, done},
		})
	})
}

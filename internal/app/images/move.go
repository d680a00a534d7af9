package images

import (
	"context"
	"fmt"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

// moveBatch is how many files are listed at once, and so are in memory: each has at most a few
// megabytes.
const moveBatch = 8

// Mover moves files from the database to the object storage. Pictures can be read and saved
// meanwhile. It is for the operator's command line only.
type Mover struct {
	DB     postgres.DB
	Clock  clock.Clock
	Blobs  Blobs
	Report func(done Moved, left int64) // is called after each batch
}

// Moved is how much has been moved.
type Moved struct {
	Files int64 `json:"files"`
	Bytes int64 `json:"bytes"`
}

// Move moves every file to the object storage. Each is read there and compared with its hash before
// the row gives it up, so a run can be ended at any time, and ends with the first error; the next
// one continues. Code Unavailable if the object storage fails, ErrForeign if it is that of another
// database. Move writes the audit log.
func (m *Mover) Move(ctx context.Context) (done Moved, err error) {
	if err := own(ctx, m.DB, m.Blobs); err != nil {
		return done, err
	}
	left, err := countRows(ctx, m.DB)
	if err != nil {
		return done, err
	}
	if err := m.record(ctx, "started", done); err != nil {
		return done, err
	}
	after := place{Hash: []byte{}}
	for {
		batch, err := listRows(ctx, m.DB, after, moveBatch)
		if err != nil {
			return done, err
		}
		for _, p := range batch {
			size, err := m.move(ctx, p)
			if err != nil {
				return done, fmt.Errorf("file %x, %d pixels wide: %w", p.Hash, p.Width, err)
			}
			if size > 0 {
				done.Files++
				done.Bytes += size
			}
		}
		if len(batch) < moveBatch {
			return done, m.record(ctx, "finished", done)
		}
		after = batch[moveBatch-1]
		m.Report(done, max(left-done.Files, 0))
	}
}

// move moves one file and returns its size, 0 if it was deleted meanwhile.
func (m *Mover) move(ctx context.Context, p place) (size int64, err error) {
	o, err := putObject(ctx, store{m.DB, m.Blobs}, p.ContentType, p.Data, m.Clock.Now())
	if err != nil {
		return 0, err
	}
	if _, err := readObject(ctx, m.Blobs, o); err != nil { // it compares the hash
		return 0, err
	}
	moved, err := moveToObject(ctx, m.DB, p, o.ID)
	if err != nil || !moved {
		return 0, err
	}
	return o.Size, nil
}

func (m *Mover) record(ctx context.Context, state string, done Moved) error {
	return postgres.WithTx(ctx, m.DB, func(tx *postgres.Tx) error {
		return audit.Record(ctx, tx, audit.Entry{
			At: m.Clock.Now(), Actor: actor.Operator(), Action: "blobs.move", Subject: "blobs:s3", Details: struct {
				State string `json:"state"`
				Moved
			}{state, done},
		})
	})
}

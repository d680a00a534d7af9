package images

import (
	"context"
	"errors"
	"fmt"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

const (
	// moveBatch is how many files are listed at once, and so are in memory: each has at most a few
	// megabytes.
	moveBatch = 8
	// maxFailuresInARow ends a move: the object storage does not work.
	maxFailuresInARow = 20
)

// ErrNotMoved is wrapped by the error of a move that has left files where they were.
var ErrNotMoved = errors.New("images: not all files were moved")

// Mover moves files between the database and the object storage. Pictures can be read and saved
// meanwhile. It is for the operator's command line only.
type Mover struct {
	DB    postgres.DB
	Clock clock.Clock
	Blobs Blobs
	// Report is called after each batch, Failed for each file that stays where it is because the
	// object storage has failed.
	Report func(done Moved, left int64)
	Failed func(err error)
}

// Moved is how much has been moved.
type Moved struct {
	Files  int64 `json:"files"`
	Bytes  int64 `json:"bytes"`
	Failed int64 `json:"failed"` // files that stay where they were
}

// Move moves every file to the object storage, or from it into the database. Each file is compared
// with its hash before the copy in the other place is given up, so a run can be ended at any time;
// the next one continues. A file that cannot be read or written in the object storage stays where
// it is, and the error wraps ErrNotMoved. ErrForeign if the storage is that of another database. It
// writes the audit log.
func (m *Mover) Move(ctx context.Context, toObjects bool) (done Moved, err error) {
	if toObjects {
		if err := own(ctx, m.DB, m.Blobs); err != nil {
			return done, err
		}
	}
	left, err := countPlaces(ctx, m.DB, !toObjects)
	if err != nil {
		return done, err
	}
	if err := m.record(ctx, toObjects, "started", done); err != nil {
		return done, err
	}
	after, inARow := place{Hash: []byte{}}, 0
	for {
		batch, err := listPlaces(ctx, m.DB, after, !toObjects, moveBatch)
		if err != nil {
			return done, err
		}
		for _, p := range batch {
			if inARow, err = m.tryMove(ctx, p, toObjects, &done, inARow); err != nil {
				return done, err
			}
		}
		if len(batch) < moveBatch {
			break
		}
		after = place{Hash: batch[moveBatch-1].Hash, Width: batch[moveBatch-1].Width}
		m.Report(done, max(left-done.Files-done.Failed, 0))
	}
	if err := m.record(ctx, toObjects, "finished", done); err != nil {
		return done, err
	}
	if done.Failed > 0 {
		return done, fmt.Errorf("%w: %d are where they were", ErrNotMoved, done.Failed)
	}
	return done, nil
}

// tryMove moves one file, counts it as moved or failed, and returns how many have failed in a row.
// An error ends the whole move.
func (m *Mover) tryMove(ctx context.Context, p place, toObjects bool, done *Moved, inARow int) (int, error) {
	size, err := m.move(ctx, p, toObjects)
	if err != nil {
		err = fmt.Errorf("file %x, %d pixels wide: %w", p.Hash, p.Width, err)
		if ctx.Err() != nil || fault.CodeOf(err) != fault.Unavailable {
			return inARow, err
		}
		done.Failed++
		m.Failed(err)
		if inARow++; inARow == maxFailuresInARow {
			return inARow, fmt.Errorf("%w: %d in a row have failed", ErrNotMoved, inARow)
		}
		return inARow, nil
	}
	if size > 0 {
		done.Files++
		done.Bytes += size
	}
	return 0, nil
}

// move moves one file and returns its size, 0 if it was deleted meanwhile. Code Unavailable if the
// object storage fails.
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

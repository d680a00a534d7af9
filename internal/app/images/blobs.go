package images

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// Blobs is an object storage for the files of pictures. *blobs.S3 implements it. Keys are never
// used again after they have been deleted, so a call that arrives late does no harm.
type Blobs interface {
	Put(ctx context.Context, key, contentType string, data []byte) error
	// Get opens an object from an offset on. Its body can be read until ctx ends.
	Get(ctx context.Context, key string, offset int64) (io.ReadCloser, error)
	// Delete removes an object, if it exists.
	Delete(ctx context.Context, key string) error
}

// object is a file in an object storage.
type object struct {
	ID     uuid.UUID
	Digest []byte // SHA-256 of the file
	Size   int64
}

// key begins with the hash of the content. The id makes it unique, so that an object can be removed
// while the same content is sent again.
func (o object) key() string { return hex.EncodeToString(o.Digest) + "-" + o.ID.String() }

// errUnavailable is what users are told while the storage does not work.
func errUnavailable(cause error) error {
	return fault.New(fault.Unavailable, "pictures_unavailable",
		"Pictures cannot be saved or shown at the moment. Nothing was changed; please try again in a few minutes.").Because(cause)
}

var (
	errNoBlobs = errors.New("images: the file is in an object storage, and none is configured")
	errCorrupt = errors.New("images: the object storage returned another file than was stored")
)

// put stores the files of a picture in the object storage, before the transaction that saves it.
// Files that are not saved then are removed a day later.
func (s *Service) put(ctx context.Context, p *Picture) error {
	group, ctx := errgroup.WithContext(ctx)
	for i := range p.variants {
		group.Go(func() error {
			v := &p.variants[i]
			stored, err := putObject(ctx, s.store, v.contentType, v.data, s.clock.Now())
			v.object = &stored.ID
			return err
		})
	}
	return group.Wait()
}

// store is what writing an object takes.
type store struct {
	db    postgres.DB
	blobs Blobs
}

// putObject stores a file. Equal files are one object.
func putObject(ctx context.Context, to store, contentType string, data []byte, now time.Time) (object, error) {
	digest := sha256.Sum256(data)
	o := object{Digest: digest[:], Size: int64(len(data))}
	var err error
	if o.ID, err = announceObject(ctx, to.db, o, now.Add(objectKept)); err != nil {
		return object{}, err
	}
	if err := to.blobs.Put(ctx, o.key(), contentType, data); err != nil {
		return object{}, errUnavailable(err)
	}
	return o, nil
}

// openObject opens a file for reading within ctx. It connects to the storage, so that an error of
// that is known before the first byte is sent on.
func openObject(ctx context.Context, blobs Blobs, o object) (io.ReadSeekCloser, error) {
	if blobs == nil {
		return nil, errUnavailable(errNoBlobs)
	}
	body, err := blobs.Get(ctx, o.key(), 0)
	if err != nil {
		return nil, errUnavailable(fmt.Errorf("%s: %w", o.key(), err))
	}
	return &objectReader{ctx: ctx, blobs: blobs, object: o, body: body, sum: sha256.New()}, nil
}

// readObject returns the whole file of an object, which is known to be what was stored.
func readObject(ctx context.Context, blobs Blobs, o object) ([]byte, error) {
	file, err := openObject(ctx, blobs, o)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	data := make([]byte, o.Size)
	if _, err := io.ReadFull(file, data); err != nil {
		return nil, errUnavailable(fmt.Errorf("%s: %w", o.key(), err))
	}
	return data, nil
}

// objectReader reads an object. Read from its beginning to its end, it fails before the end if the
// content is not what was stored.
type objectReader struct {
	ctx    context.Context //nolint:containedctx // of the one call that reads
	blobs  Blobs
	object object
	body   io.ReadCloser // at the offset bodyAt; nil: closed
	bodyAt int64
	at     int64
	sum    hash.Hash // of everything up to bodyAt; nil: unknown
}

// Read implements io.Reader.
func (r *objectReader) Read(p []byte) (int, error) {
	if r.at >= r.object.Size {
		return 0, io.EOF
	}
	if r.body == nil || r.bodyAt != r.at {
		if err := r.reopen(); err != nil {
			return 0, err
		}
	}
	n, err := r.body.Read(p[:min(int64(len(p)), r.object.Size-r.at)])
	r.at += int64(n)
	r.bodyAt = r.at
	if r.sum != nil {
		r.sum.Write(p[:n])
		if r.at == r.object.Size && !bytes.Equal(r.sum.Sum(nil), r.object.Digest) {
			return 0, fmt.Errorf("%s: %w", r.object.key(), errCorrupt)
		}
	}
	switch {
	case r.at == r.object.Size:
		err = nil
	case errors.Is(err, io.EOF):
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (r *objectReader) reopen() error {
	_ = r.Close()
	body, err := r.blobs.Get(r.ctx, r.object.key(), r.at)
	if err != nil {
		return err
	}
	r.body, r.bodyAt, r.sum = body, r.at, nil
	if r.at == 0 {
		r.sum = sha256.New()
	}
	return nil
}

// Seek implements io.Seeker.
func (r *objectReader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.object.Size
	}
	if offset < 0 {
		return 0, errors.New("images: negative offset")
	}
	r.at = offset
	return offset, nil
}

// Close implements io.Closer.
func (r *objectReader) Close() error {
	if r.body == nil {
		return nil
	}
	err := r.body.Close()
	r.body = nil
	return err
}

// rowReader reads a file from the database's row.
type rowReader struct{ *bytes.Reader }

// Close implements io.Closer.
func (rowReader) Close() error { return nil }

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
	left, err := countRows.One(ctx, m.DB, nil)
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

// Package images accepts users' pictures and stores safe files of them. Everything stored is
// re-encoded from decoded pixels: no byte of an upload survives, and neither does its metadata or
// any other embedded data.
package images

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"

	"amanat/internal/app/config"
	"amanat/internal/lib/blobs"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
)

const (
	maxDecoders = 2 // decoding a picture of maxPixels takes about 200 MB
	// releasedKept is how long a released picture is kept, for pages that still show it.
	releasedKept = 24 * time.Hour
	// unusedKept is how long a picture waits to be delivered with.
	unusedKept = 24 * time.Hour
	// reportedKept is how long a reported picture is kept after the decision, which can be appealed
	// against for two weeks.
	reportedKept = 30 * 24 * time.Hour
	urlPrefix    = "/api/images/"
)

// Service stores pictures. It is safe for concurrent use.
type Service struct {
	db       postgres.DB
	clock    clock.Clock
	limiter  *ratelimit.Limiter
	bucket   func(ctx context.Context, owner uuid.UUID) ratelimit.Bucket
	decoders *semaphore.Weighted
	store    store
	inBlobs  bool
}

// Options are the dependencies of a Service. DB and Clock are required.
type Options struct {
	DB    postgres.DB
	Clock clock.Clock
	// Limiter limits the pictures of each user; nil means a process-local one. Bucket returns the
	// bucket of an owner; nil means unlimited.
	Limiter *ratelimit.Limiter
	Bucket  func(ctx context.Context, owner uuid.UUID) ratelimit.Bucket
	// Blobs is the object storage of files that are not in the database; nil: all are. InBlobs
	// stores new ones there.
	Blobs   Blobs
	InBlobs bool
}

// New returns a Service.
func New(options Options) *Service {
	s := &Service{
		db: options.DB, clock: options.Clock, limiter: options.Limiter,
		bucket: options.Bucket, decoders: semaphore.NewWeighted(maxDecoders),
		store: store{options.DB, options.Blobs}, inBlobs: options.InBlobs,
	}
	if s.bucket == nil {
		s.bucket = func(context.Context, uuid.UUID) ratelimit.Bucket { return ratelimit.Bucket{} }
	}
	if s.limiter == nil {
		s.limiter = ratelimit.New(ratelimit.Options{Clock: s.clock})
	}
	return s
}

// Picture is a safe picture: re-encoded, upright, in several sizes.
type Picture struct {
	hash     [sha256.Size]byte // of the largest variant
	variants []variant         // largest first
}

// variant is an encoded picture of one size.
type variant struct {
	width, height int
	contentType   string
	data          []byte
	object        *uuid.UUID // where data was put; nil: it is stored in the row
}

// Image is a stored picture in one size, with the conversation or deal that restricts access to it.
type Image struct {
	ID             uuid.UUID
	OwnerID        uuid.UUID
	ConversationID *uuid.UUID // nil: of no conversation
	DealID         *uuid.UUID // nil: not shown in a delivery or dispute of a deal
	// Hidden is set for its owner and admins only: of a post that admins have hidden, taken off a
	// reported one, or not shown in a deal yet.
	Hidden      bool
	Width       int
	ContentType string
	BlobHash    []byte
}

// Public reports whether everybody may see the image.
func (i Image) Public() bool { return i.ConversationID == nil && i.DealID == nil && !i.Hidden }

// Tag identifies the content: equal tags mean equal bytes.
func (i Image) Tag() string { return hex.EncodeToString(i.BlobHash[:16]) }

// Attachment is a picture of a message, a delivery or a dispute, on the wire and in events.
type Attachment struct {
	ID     uuid.UUID `json:"_id"`
	URL    string    `json:"url" doc:"Takes ?w= for the width that is needed." example:"/api/images/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Width  int       `json:"width" example:"1280"`
	Height int       `json:"height" example:"960"`
}

// NewAttachment returns an image of a size in pixels as an attachment.
func NewAttachment(id uuid.UUID, width, height int) Attachment {
	return Attachment{ID: id, URL: URL(id), Width: width, Height: height}
}

// URL returns the path of an image for browsers.
func URL(id uuid.UUID) string { return urlPrefix + id.String() }

// ID returns the id of the image at one of our URLs; false for anything else.
func ID(url string) (uuid.UUID, bool) {
	text, ours := strings.CutPrefix(url, urlPrefix)
	id, err := uuid.Parse(text)
	return id, ours && err == nil && URL(id) == url
}

// Read decodes a data URL sent by owner: PNG, JPEG, WebP or GIF (its first frame). The result is
// upright, in sRGB, and has no metadata. With an object storage, its files are there when Read
// returns. Decoding is expensive: call it outside transactions. At most two run at once in a
// process; others wait until ctx ends. Codes: Invalid for anything that is not such a picture;
// TooLarge beyond 5 MiB or 16 megapixels; RateLimited when owner has sent too many, valid or not;
// Unavailable if the object storage fails. A picture costs one token per started 4 megapixels.
func (s *Service) Read(ctx context.Context, owner uuid.UUID, dataURL string) (*Picture, error) {
	file, err := parseDataURL(dataURL)
	if err != nil {
		return nil, err
	}
	found, err := inspect(file)
	if decision := s.limiter.Allow(ctx, s.bucket(ctx, owner).WithCost(found.cost())); !decision.Allowed {
		return nil, fault.Retry(fault.RateLimited, decision.RetryAfter, "too_many_attempts", "Too many attempts. Please try again later.")
	}
	if err != nil {
		return nil, err
	}
	picture, err := s.reencode(ctx, file, found.format)
	if err != nil || !s.inBlobs {
		return picture, err
	}
	return picture, s.put(ctx, picture)
}

func (s *Service) reencode(ctx context.Context, file []byte, f *format) (*Picture, error) {
	if err := s.decoders.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.decoders.Release(1)
	pixels, err := decode(file, f)
	if err != nil {
		return nil, err
	}
	return encode(pixels)
}

// Save stores a picture in the caller's transaction and returns the id of the image, which belongs
// to owner. With a conversation only its participants and admins may see it, otherwise everyone.
// Equal pictures are stored once, also those of different owners.
func (s *Service) Save(
	ctx context.Context, tx *postgres.Tx, picture *Picture, owner uuid.UUID, conversation *uuid.UUID,
) (uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.UUID{}, err
	}
	return id, s.saveAs(ctx, tx, id, picture, owner, conversation)
}

// SaveForDeal is Save with an ID that the caller has chosen, for a picture of a deal: the same
// transaction stores whose it is.
func (s *Service) SaveForDeal(ctx context.Context, tx *postgres.Tx, id uuid.UUID, picture *Picture, owner uuid.UUID) error {
	return s.saveAs(ctx, tx, id, picture, owner, nil)
}

func (s *Service) saveAs(
	ctx context.Context, tx *postgres.Tx, id uuid.UUID, picture *Picture, owner uuid.UUID, conversation *uuid.UUID,
) error {
	now := s.clock.Now()
	if err := saveBlob(ctx, tx, picture, now); err != nil {
		return err
	}
	return insertImage(ctx, tx, id, picture, owner, conversation, now)
}

// SaveWaiting stores a public picture of owner under an ID that the caller has chosen. Like a
// released one, it is deleted a day later unless it is claimed.
func (s *Service) SaveWaiting(ctx context.Context, tx *postgres.Tx, id uuid.UUID, picture *Picture, owner uuid.UUID) error {
	if err := s.saveAs(ctx, tx, id, picture, owner, nil); err != nil {
		return err
	}
	return s.Release(ctx, tx, id)
}

// Claim takes public pictures of owner back that are waiting or were released, unless they were
// reported, and reports whether all of them are there.
func (s *Service) Claim(ctx context.Context, tx *postgres.Tx, ids []uuid.UUID, owner uuid.UUID) (bool, error) {
	claimed, err := claimImages.Count(ctx, tx, postgres.Args{"ids": ids, "owner": owner})
	return claimed == int64(len(ids)), err
}

// Release marks an image as unused in the caller's transaction. It is deleted a day later.
func (s *Service) Release(ctx context.Context, tx *postgres.Tx, id uuid.UUID) error {
	return releaseImage.Run(ctx, tx, postgres.Args{"id": id, "now": s.clock.Now()})
}

// Find returns the smallest variant of an image that is at least width pixels wide, or the largest
// if there is none or width is 0. The caller must check access. Code NotFound.
func (s *Service) Find(ctx context.Context, id uuid.UUID, width int) (Image, error) {
	return findImage(ctx, s.db, id, width)
}

// Open opens the file of an image returned by Find, which can be read until ctx ends. Codes:
// NotFound if it was deleted meanwhile; Unavailable if the object storage fails.
func (s *Service) Open(ctx context.Context, i Image) (io.ReadSeekCloser, error) {
	found, err := findPlace(ctx, s.db, i)
	if err != nil {
		return nil, err
	}
	if found.ID == nil {
		return rowReader{bytes.NewReader(found.Data)}, nil
	}
	return openObject(ctx, s.store.blobs, found.object())
}

// Data returns the file of an image returned by Find. Codes as for Open.
func (s *Service) Data(ctx context.Context, i Image) ([]byte, error) {
	return s.data(ctx, s.db, i)
}

func (s *Service) data(ctx context.Context, q postgres.Querier, i Image) ([]byte, error) {
	found, err := findPlace(ctx, q, i)
	if err != nil || found.ID == nil {
		return found.Data, err
	}
	return readObject(ctx, s.store.blobs, found.object())
}

// Size in pixels of the pictures beside links: what Facebook and WhatsApp ask for a large preview.
const (
	CardWidth  = 1200
	CardHeight = 630
)

// Card returns the middle of an image returned by Find as a JPEG of CardWidth by CardHeight pixels.
// Like Read, it is expensive. Codes as for Open.
func (s *Service) Card(ctx context.Context, i Image) ([]byte, error) {
	data, err := s.Data(ctx, i)
	if err != nil {
		return nil, err
	}
	if err := s.decoders.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.decoders.Release(1)
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decode a stored image: %w", err)
	}
	card, err := encodeVariant(crop(picture, image.Pt(CardWidth, CardHeight)), true)
	return card.data, err
}

// Original returns the largest file of an image, as the transaction of the caller sees it. The
// caller must check access. Codes as for Open.
func (s *Service) Original(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (contentType string, data []byte, err error) {
	found, err := findImage(ctx, tx, id, 0)
	if err != nil {
		return "", nil, err
	}
	data, err = s.data(ctx, tx, found)
	return found.ContentType, data, err
}

// Cleaner deletes unused pictures. Workers use it.
type Cleaner struct {
	DB    postgres.DB
	Clock clock.Clock
	Blobs Blobs // nil: there is no object storage
}

// Cleanup deletes images that were released more than a day ago, except reported ones that admins
// still need, pictures that have waited a day to be delivered with, and files without images.
func (c *Cleaner) Cleanup(ctx context.Context) (removed int64, err error) {
	now := c.Clock.Now()
	before := now.Add(-releasedKept)
	if removed, err = deleteReleased.InBatches(ctx, c.DB,
		postgres.Args{"before": before, "decided": now.Add(-reportedKept)}, releasedBatch); err != nil {
		return removed, err
	}
	unused, err := deleteUnused.InBatches(ctx, c.DB, postgres.Args{"before": now.Add(-unusedKept)}, releasedBatch)
	if err != nil {
		return removed, err
	}
	return removed + unused, deleteOrphans(ctx, c.DB, before, now)
}

func errNotFound() error { return fault.New(fault.NotFound, "not_found", "Not found.") }

// ownerKey is the key of the object that names the database to which the others belong.
const ownerKey = "database.txt"

const maxOwnerBytes = 1 << 10

// ErrForeign is returned instead of removing objects from a storage of another database.
var ErrForeign = errors.New("images: the object storage belongs to another database")

// own leaves the name of the database in the object storage if there is none. It returns ErrForeign
// if there is another one's: with a wrong address, the pictures of another site would be removed.
func own(ctx context.Context, db postgres.DB, stored Blobs) error {
	name, err := databaseName.One(ctx, db, nil)
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

// OpenBlobs returns the object storage of a process, nil if there is none, and registers its
// metrics. It does not connect.
func OpenBlobs(b config.Bucket, registry prometheus.Registerer) (Blobs, error) {
	metrics := blobs.NewMetrics()
	if registry != nil {
		if err := registry.Register(metrics.Collector()); err != nil {
			return nil, fmt.Errorf("metrics: %w", err)
		}
	}
	if !b.Used() {
		return nil, nil
	}
	return blobs.NewS3(b.Options, metrics)
}

// CheckBlobs fails if files are in an object storage and the process has none: their pictures could
// not be shown, and those of erased users would never be removed.
func CheckBlobs(ctx context.Context, db postgres.DB, configured bool) error {
	if configured {
		return nil
	}
	n, err := countObjects.One(ctx, db, nil)
	if err == nil && n > 0 {
		err = fmt.Errorf("images: %d files are in an object storage, and none is configured: set BLOBS_URL", n)
	}
	return err
}

// Package images takes the pictures that people send, makes safe files of them and keeps those. What is stored and served was drawn anew
// from decoded pixels: no byte of an upload survives, so neither does its metadata, nor whatever else was hidden in it.
package images

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"amanat/internal/clock"
	"amanat/internal/fault"
	"amanat/internal/limit"
	"amanat/internal/postgres"
)

const (
	maxDecoders = 2 // a picture of maxPixels takes some 200 MB while it is decoded
	// releasedKept is how long a picture that nobody shows any more stays, for pages that still do.
	releasedKept = 24 * time.Hour
	urlPrefix    = "/api/images/"
)

// Service stores pictures. It is safe for concurrent use.
type Service struct {
	db       postgres.DB
	clock    clock.Clock
	limiter  *limit.Limiter
	perOwner limit.Limit
	decoders *semaphore.Weighted
}

// Options are the parts a Service is made of. DB and Clock are required.
type Options struct {
	DB    postgres.DB
	Clock clock.Clock
	// Limiter counts what Limit bounds: the pictures that one person sends. nil means one that counts alone, a zero Limit that there is none.
	Limiter *limit.Limiter
	Limit   limit.Rate
}

// New returns a Service.
func New(options Options) *Service {
	s := &Service{
		db: options.DB, clock: options.Clock, limiter: options.Limiter,
		perOwner: limit.Limit{Name: "pictures", Rate: options.Limit}, decoders: semaphore.NewWeighted(maxDecoders),
	}
	if s.limiter == nil {
		s.limiter = limit.New(limit.Options{Clock: s.clock})
	}
	return s
}

// Picture is a picture that is safe to store: re-encoded, upright, in a few sizes.
type Picture struct {
	hash     [sha256.Size]byte // of the largest variant
	variants []variant         // largest first
}

// variant is a picture in one size, encoded.
type variant struct {
	width, height int
	contentType   string
	data          []byte
}

// Image is a stored picture in one size, as Find has chosen it, and who may see it.
type Image struct {
	ID             uuid.UUID
	OwnerID        uuid.UUID
	ConversationID *uuid.UUID // nil: public
	Width          int
	ContentType    string
	BlobHash       []byte
}

// Tag names the content: the same tag, the same bytes.
func (i Image) Tag() string { return hex.EncodeToString(i.BlobHash[:16]) }

// URL returns the path where browsers find an image.
func URL(id uuid.UUID) string { return urlPrefix + id.String() }

// ID returns the id of the image that a URL of ours names; false for anything else.
func ID(url string) (uuid.UUID, bool) {
	text, ours := strings.CutPrefix(url, urlPrefix)
	id, err := uuid.Parse(text)
	return id, ours && err == nil && URL(id) == url
}

// Read turns a data URL that owner has sent into a picture: PNG, JPEG, WebP or GIF (its first frame), upright and without metadata. It is
// heavy work: call it outside transactions. At most two run at once in a process, others wait for their turn or for ctx. Codes: Invalid for
// anything that is no such picture; TooLarge beyond 5 MiB or 16 megapixels; RateLimited when owner has sent too many, whatever they were.
func (s *Service) Read(ctx context.Context, owner uuid.UUID, dataURL string) (*Picture, error) {
	file, err := parseDataURL(dataURL)
	if err != nil {
		return nil, err
	}
	if decision := s.limiter.Allow(ctx, s.perOwner.For(owner.String())); !decision.Allowed {
		return nil, &fault.Error{
			Code: fault.RateLimited, Message: "Too many attempts. Please try again later.", RetryAfter: decision.RetryAfter,
		}
	}
	if err := s.decoders.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.decoders.Release(1)
	pixels, err := decode(file)
	if err != nil {
		return nil, err
	}
	return encode(pixels)
}

// Save stores a picture in the caller's transaction and returns the id of the image, which belongs to owner. With a conversation only its
// participants and admins may see it, else everybody. Equal pictures are kept once, whoever sent them.
func (s *Service) Save(
	ctx context.Context, tx *postgres.Tx, picture *Picture, owner uuid.UUID, conversation *uuid.UUID,
) (uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.Nil, err
	}
	now := s.clock.Now()
	if err := saveBlob(ctx, tx, picture, now); err != nil {
		return uuid.Nil, err
	}
	return id, insertImage(ctx, tx, id, picture, owner, conversation, now)
}

// Release says, in the caller's transaction, that nothing shows the image any more. It is removed a day later.
func (s *Service) Release(ctx context.Context, tx *postgres.Tx, id uuid.UUID) error {
	return releaseImage(ctx, tx, id, s.clock.Now())
}

// Find returns the smallest variant of an image that is at least width pixels wide, the largest when none is or width is 0. The caller
// checks who may see it. Code NotFound.
func (s *Service) Find(ctx context.Context, id uuid.UUID, width int) (Image, error) {
	return findImage(ctx, s.db, id, width)
}

// Data returns the file of an image that Find has returned. Code NotFound: it was removed meanwhile.
func (s *Service) Data(ctx context.Context, image Image) ([]byte, error) {
	return readVariant(ctx, s.db, image)
}

// Cleanup removes what was released more than a day ago, and the files that no image has left. It is for the worker.
func (s *Service) Cleanup(ctx context.Context) (removed int64, err error) {
	before := s.clock.Now().Add(-releasedKept)
	if removed, err = deleteReleased(ctx, s.db, before); err != nil {
		return removed, err
	}
	return removed, deleteOrphans(ctx, s.db, before)
}

func errNotFound() error { return fault.New(fault.NotFound, "Not found.") }

// Package personal exports what a user has made as an archive (docs/rules.md#data-export), and
// erases it once the account is closed (docs/rules.md#close-account). It has SQL on the tables of
// all domain packages: store_export.go lists what is exported and store_erase.go what is erased,
// one entry for each table. A test names every table that is in neither list, with the reason.
package personal

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// Status is the state of an export.
type Status string

// Statuses of exports.
const (
	Pending Status = "pending"
	Ready   Status = "ready"
	Failed  Status = "failed"
)

// exportKept is how long an archive can be downloaded.
const exportKept = 7 * 24 * time.Hour

// Export is an archive of what a user has made, on the wire and in events.
type Export struct {
	ID          uuid.UUID  `json:"_id"`
	Status      Status     `json:"status" enum:"pending,ready,failed"`
	RequestedAt time.Time  `json:"requestedAt"`
	ReadyAt     *time.Time `json:"readyAt" doc:"Null unless it is ready."`
	ExpiresAt   *time.Time `json:"expiresAt" doc:"Until when it can be downloaded; null unless it is ready."`
	Size        int64      `json:"size" doc:"Of the archive, in bytes; 0 unless it is ready." example:"48213"`
}

// ExportReady is the event that a user's screens receive when an export is ready or has failed.
type ExportReady struct {
	Export Export `json:"export"`
}

// OutcomeRequested is the outcome of Request.
var OutcomeRequested = catalog.Outcome{
	Code: "export_requested", Message: "We are preparing your data. We will email you when it is ready.",
}

// Service serves users their exports. It is safe for concurrent use.
type Service struct {
	DB    postgres.DB
	Clock clock.Clock
	Jobs  jobs.Enqueuer
}

// Latest returns the user's latest export, nil if there is none or it has expired.
func (s *Service) Latest(ctx context.Context, userID uuid.UUID) (*Export, error) {
	found, exists, err := latestExport.Find(ctx, s.DB, postgres.Args{"user": userID, "now": s.Clock.Now()})
	if err != nil || !exists {
		return nil, err
	}
	return &found, nil
}

// Request has an export made for the user and returns it. A user has one pending export at a time,
// which is returned instead of another.
func (s *Service) Request(ctx context.Context, userID uuid.UUID) (Export, error) {
	now := s.Clock.Now()
	e := Export{ID: uuid.Must(uuid.NewV7()), Status: Pending, RequestedAt: now}
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		inserted, err := insertExport(ctx, tx, userID, e)
		if err != nil {
			return err
		}
		if !inserted {
			e, err = pendingExport.One(ctx, tx, postgres.Args{"user": userID})
			return err
		}
		if _, err := s.Jobs.InsertTx(ctx, tx, jobs.DataExport{ExportID: e.ID}, nil); err != nil {
			return fmt.Errorf("enqueue an export: %w", err)
		}
		return nil
	})
	return e, err
}

// Find returns an export of the user that can be downloaded. Code NotFound, also for those of other
// users and expired ones.
func (s *Service) Find(ctx context.Context, userID, id uuid.UUID) (Export, error) {
	e, err := readyExport.One(ctx, s.DB, postgres.Args{"id": id, "user": userID, "now": s.Clock.Now()})
	return e, postgres.IfNoRows(err, fault.New(fault.NotFound, "export_not_found", "This download is no longer available."))
}

// Part returns one part of an archive, at most 1 MiB, in their order from 0; more is false after
// the last one. The caller has called Find.
func (s *Service) Part(ctx context.Context, id uuid.UUID, number int) (data []byte, more bool, err error) {
	p, err := findPart.One(ctx, s.DB, postgres.Args{"id": id, "number": number})
	return p.Data, p.More, err
}

// Eraser erases what the owners of closed accounts have made. It is for workers.
type Eraser struct {
	DB    postgres.DB
	Clock clock.Clock
}

// Erase erases what the owner of a closed account has made (docs/rules.md#close-account), in
// batches. It can be repeated, and does nothing to an account that is not closed.
func (e *Eraser) Erase(ctx context.Context, userID uuid.UUID) error {
	of, found, err := findClosed.Find(ctx, e.DB, postgres.Args{"user": userID})
	if err != nil || !found {
		return err
	}
	// The api has checked this when it closed the account. Whoever has taken over the api's login
	// could close any account, and what is erased does not come back.
	if !of.Closable {
		return fmt.Errorf("erase %s: the account has money, an open deal or admin rights", userID)
	}
	if err := e.messages(ctx, userID); err != nil {
		return fmt.Errorf("erase %s: %w", userID, err)
	}
	now := e.Clock.Now()
	for _, step := range erasures {
		if err := erase(ctx, e.DB, step, of, now); err != nil {
			return fmt.Errorf("erase %s: %w", userID, err)
		}
	}
	if err := e.exports(ctx, userID); err != nil {
		return fmt.Errorf("erase %s: %w", userID, err)
	}
	return setErased.Run(ctx, e.DB, postgres.Args{"user": userID, "now": now})
}

// messages erases the messages that the user has sent, under the locks of the conversations: a
// message that is being sent is waited for, and a later one is refused.
func (e *Eraser) messages(ctx context.Context, userID uuid.UUID) error {
	conversations, err := listConversations.Many(ctx, e.DB, postgres.Args{"user": userID})
	if err != nil {
		return err
	}
	for _, conversation := range conversations {
		for erased := int64(eraseBatch); erased == eraseBatch; {
			err := postgres.WithTx(ctx, e.DB, func(tx *postgres.Tx) (err error) {
				erased, err = eraseMessages(ctx, tx, conversation, userID)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// exports deletes the user's archives.
func (e *Eraser) exports(ctx context.Context, userID uuid.UUID) error {
	exports, err := listExports.Many(ctx, e.DB, postgres.Args{"user": userID})
	if err != nil {
		return err
	}
	for _, id := range exports {
		if err := deleteParts(ctx, e.DB, id); err != nil {
			return err
		}
		if err := deleteExport.Run(ctx, e.DB, postgres.Args{"id": id}); err != nil {
			return err
		}
	}
	return nil
}

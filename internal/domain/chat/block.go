package chat

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
)

// Block is whether one of two users has blocked the other, as one of them sees it.
type Block string

// Blocks. A user who has blocked another and is blocked by them sees their own.
const (
	NoBlock     Block = "none"
	BlockMine   Block = "mine"
	BlockTheirs Block = "theirs"
)

func blockOf(mine, theirs bool) Block {
	switch {
	case mine:
		return BlockMine
	case theirs:
		return BlockTheirs
	}
	return NoBlock
}

// BlockChanged is the event that both users receive when one blocks or unblocks the other.
type BlockChanged struct {
	UserID uuid.UUID `json:"userId" doc:"The other user."`
	Block  Block     `json:"block" enum:"none,mine,theirs"`
}

// Blocked is a user whom another has blocked.
type Blocked struct {
	User      user.Ref
	BlockedAt time.Time
}

// Outcomes.
var (
	OutcomeBlocked   = catalog.Outcome{Code: "user_blocked", Message: "You blocked this user."}
	OutcomeUnblocked = catalog.Outcome{Code: "user_unblocked", Message: "You unblocked this user."}
)

// Block makes the actor block another user: the two exchange no messages, make no new deals and do
// not find each other (docs/rules.md#block). It is idempotent. Codes: NotFound, also if the other
// has closed their account; Invalid for oneself, Forbidden for an admin.
func (s *Service) Block(ctx context.Context, actor, other uuid.UUID) error {
	return s.changeBlock(ctx, actor, other, func(ctx context.Context, tx *postgres.Tx, blocked person) (bool, error) {
		switch {
		case blocked.ID == actor:
			return false, fault.New(fault.Invalid, "block_self", "You cannot block yourself.")
		case blocked.Closed:
			return false, errUserNotFound()
		case blocked.IsStaff:
			return false, fault.New(fault.Forbidden, "staff_not_blockable", "You cannot block Amanat's staff.")
		}
		return insertBlock.Any(ctx, tx, postgres.Args{"blocker": actor, "blocked": other, "now": s.Clock.Now()})
	})
}

// Unblock ends the actor's block of another user. It is idempotent. Code NotFound.
func (s *Service) Unblock(ctx context.Context, actor, other uuid.UUID) error {
	return s.changeBlock(ctx, actor, other, func(ctx context.Context, tx *postgres.Tx, _ person) (bool, error) {
		return deleteBlock.Any(ctx, tx, postgres.Args{"blocker": actor, "blocked": other})
	})
}

// changeBlock runs a change of the actor's block and notifies both users if it changed anything. It
// waits for messages that are being sent and for deals that are being made between the two, and
// they for it.
func (s *Service) changeBlock(
	ctx context.Context, actor, other uuid.UUID, change func(ctx context.Context, tx *postgres.Tx, other person) (bool, error),
) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if err := lockPeople(ctx, tx, forChanging, actor, other); err != nil {
			return err
		}
		if err := lockPair.Run(ctx, tx, postgres.Args{"one": actor, "other": other}); err != nil {
			return err
		}
		about, err := getPerson(ctx, tx, other)
		if err != nil {
			return err
		}
		changed, err := change(ctx, tx, about)
		if err != nil || !changed {
			return err
		}
		b, err := findBlocks.One(ctx, tx, postgres.Args{"one": actor, "other": other})
		if err != nil {
			return err
		}
		s.Events.Append(tx, actor, realtime.TypeBlockChanged, BlockChanged{UserID: other, Block: blockOf(b.Mine, b.Theirs)})
		s.Events.Append(tx, other, realtime.TypeBlockChanged, BlockChanged{UserID: actor, Block: blockOf(b.Theirs, b.Mine)})
		tx.AfterCommit(func() { s.Presence.PartnersChanged(actor, other) })
		return nil
	})
}

// Relation returns the block between a user and another. Code NotFound if the other is unknown.
func (s *Service) Relation(ctx context.Context, reader, other uuid.UUID) (Block, error) {
	if _, err := getPerson(ctx, s.DB, other); err != nil {
		return "", err
	}
	b, err := findBlocks.One(ctx, s.DB, postgres.Args{"one": reader, "other": other})
	return blockOf(b.Mine, b.Theirs), err
}

// ListBlocked returns a page of the users whom the reader has blocked, newest first, and their
// total number.
func (s *Service) ListBlocked(ctx context.Context, reader uuid.UUID, page postgres.Page) ([]Blocked, int, error) {
	return listBlocked(ctx, s.DB, reader, page)
}

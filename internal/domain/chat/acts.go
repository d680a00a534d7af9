package chat

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// PrepareAct takes the locks of WriteAct that come before that of a deal: if the two users have no
// conversation, one is about to be created, and a block is either seen by then or made afterwards.
func (s *Service) PrepareAct(ctx context.Context, tx *postgres.Tx, one, other uuid.UUID) error {
	exists, err := pairExists(ctx, tx, one, other)
	if err != nil || exists {
		return err
	}
	return lockPeople(ctx, tx, forReading, one, other)
}

// WriteAct writes what a party of a deal says with an act into the conversation of the two, which
// it creates if there is none. It writes nothing if the two cannot write to each other. The caller
// has called PrepareAct, holds the lock of the deal, and has added the event to its timeline.
func (s *Service) WriteAct(ctx context.Context, tx *postgres.Tx, sender, receiver, event uuid.UUID, words string) error {
	t, err := s.pairForAct(ctx, tx, sender, receiver)
	if err != nil || t == nil {
		return err
	}
	_, err = s.write(ctx, tx, t, uuid.Must(uuid.NewV7()), sender, content{text: words, deal: &event})
	return err
}

// pairForAct finds or creates the conversation of two users and locks it. It returns nil if the
// sender cannot write there.
func (s *Service) pairForAct(ctx context.Context, tx *postgres.Tx, sender, receiver uuid.UUID) (*thread, error) {
	found, err := getPair(ctx, tx, sender, receiver)
	if fault.CodeOf(err) == fault.NotFound {
		var possible bool
		if possible, err = mayMeet(ctx, tx, sender, receiver); err != nil || !possible {
			return nil, err
		}
		if _, err = insertConversation(ctx, tx, uuid.Must(uuid.NewV7()), sender, receiver, s.Clock.Now()); err != nil {
			return nil, err
		}
		found, err = getPair(ctx, tx, sender, receiver)
	}
	if err != nil {
		return nil, err
	}
	t, err := lockThread(ctx, tx, found.ID, sender)
	if err != nil || t.self(sender).Disabled || !t.writable(sender) {
		return nil, err
	}
	return &t, nil
}

package accounts

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/postgres"
	"amanat/queue/jobs"
)

// VerifyEmail notes that the owner of the token's account reads his mail, and returns his id. Anybody with the link may call it, once.
// Code Invalid.
func (s *Service) VerifyEmail(ctx context.Context, token Token) (userID uuid.UUID, err error) {
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		if userID, err = useMailedToken(ctx, tx, forVerify, token, s.clock.Now()); err != nil {
			return err
		}
		return setVerified(ctx, tx, userID)
	})
	return userID, tokenFault(err)
}

// ResendVerification has another link mailed to the signed-in user. Code Conflict when the address is verified already.
func (s *Service) ResendVerification(ctx context.Context, user User) error {
	if user.IsVerified {
		return fault.New(fault.Conflict, "Your email is already verified.")
	}
	return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		return s.enqueueLetter(ctx, tx, user.ID, jobs.LetterVerifyEmail)
	})
}

// RemoveExpiredTokens deletes the links of everybody that work no more and returns how many. It is for workers.
func (s *Service) RemoveExpiredTokens(ctx context.Context) (int64, error) {
	return deleteExpiredTokens(ctx, s.db, s.clock.Now())
}

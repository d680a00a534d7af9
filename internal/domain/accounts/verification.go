package accounts

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// VerifyEmail marks the email address of the token's user as verified and returns the user's ID.
// Anyone with the link may call it, once. Code Invalid.
func (s *Service) VerifyEmail(ctx context.Context, token Token) (userID uuid.UUID, err error) {
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		if userID, err = useMailedToken(ctx, tx, forVerify, token, s.clock.Now()); err != nil {
			return err
		}
		return setVerified(ctx, tx, userID)
	})
	return userID, tokenFault(err)
}

// ResendVerification emails another verification link to the signed-in user. Codes: Conflict if the
// address is already verified, RateLimited after too many emails to its mailbox or domain.
func (s *Service) ResendVerification(ctx context.Context, user User) error {
	if user.IsVerified {
		return fault.New(fault.Conflict, "email_already_verified", "Your email is already verified.")
	}
	if err := s.take(ctx, s.verificationBuckets(user.Email)...); err != nil {
		return err
	}
	return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		return s.enqueueMail(ctx, tx, user.ID, jobs.LetterVerifyEmail)
	})
}

// RemoveExpiredTokens deletes the expired tokens of all users and returns how many.
func (c *Cleaner) RemoveExpiredTokens(ctx context.Context) (int64, error) {
	return deleteExpiredTokens(ctx, c.DB, c.Clock.Now())
}

package wallet

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money/idempotency"
)

// Bounds of saved numbers (docs/rules.md#payout-numbers).
const (
	maxPayoutNumbers    = 10
	maxPayoutNumberName = 40
)

// Outcomes of changes to saved numbers.
var (
	OutcomePayoutNumberSaved   = catalog.Outcome{Code: "payout_number_saved", Message: "The number has been saved."}
	OutcomePayoutNumberRenamed = catalog.Outcome{Code: "payout_number_renamed", Message: "The name has been changed."}
	OutcomePayoutNumberRemoved = catalog.Outcome{Code: "payout_number_removed", Message: "The number has been removed."}
)

// PayoutNumber is a number that a user has saved for withdrawals.
type PayoutNumber struct {
	ID            uuid.UUID
	Name          string
	PaymentMethod string
	PhoneNumber   string
	LastSentAt    *time.Time // of a withdrawal to it; nil: never
	CreatedAt     time.Time
}

// PayoutNumberDraft is the input of SavePayoutNumber.
type PayoutNumberDraft struct {
	Name, Method, PhoneNumber string
}

// PayoutNumbers returns the numbers that a user has saved, by name.
func (s *Service) PayoutNumbers(ctx context.Context, owner uuid.UUID) ([]PayoutNumber, error) {
	return listPayoutNumbers(ctx, s.DB, owner)
}

// SavePayoutNumber saves a number for the user's withdrawals. It neither ends nor shortens the hold
// of a withdrawal to it: whoever has taken over an account could save a number, too. Codes: Invalid
// with the first rule that fails, Duplicate if the user has saved the number, Conflict if they have
// saved too many, IdempotencyMismatch. A replay returns the number that the key saved, NotFound if
// it was removed since.
func (s *Service) SavePayoutNumber(
	ctx context.Context, owner uuid.UUID, draft PayoutNumberDraft, key *idempotency.Key,
) (PayoutNumber, error) {
	switch {
	case !validMethod(draft.Method):
		return PayoutNumber{}, fault.Field("paymentMethod", "method_unknown", textMethod)
	case !phoneNumber.MatchString(draft.PhoneNumber):
		return PayoutNumber{}, fault.Field("phoneNumber", "phone_malformed", textPhoneNumber)
	}
	name, err := payoutNumberName(draft.Name)
	if err != nil {
		return PayoutNumber{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return PayoutNumber{}, err
	}
	now := s.Clock.Now()
	number := PayoutNumber{ID: id, Name: name, PaymentMethod: draft.Method, PhoneNumber: draft.PhoneNumber, CreatedAt: now}
	saved, err := idempotency.Create(ctx, s.DB, key, id, now, func(tx *postgres.Tx) error {
		if err := lockPayoutNumbersOf.Run(ctx, tx, postgres.Args{"user": owner}); err != nil {
			return err
		}
		if err := checkPayoutNumbers(ctx, tx, owner, number); err != nil {
			return err
		}
		return insertPayoutNumber(ctx, tx, owner, number)
	})
	if err != nil {
		return PayoutNumber{}, err
	}
	return getPayoutNumber(ctx, s.DB, owner, saved)
}

// checkPayoutNumbers checks whether the user may save one more number. The caller has locked those
// that they have.
func checkPayoutNumbers(ctx context.Context, tx *postgres.Tx, owner uuid.UUID, number PayoutNumber) error {
	n, err := countPayoutNumbers.One(ctx, tx,
		postgres.Args{"user": owner, "method": number.PaymentMethod, "phone": number.PhoneNumber})
	switch {
	case err != nil:
		return err
	case n.Saved:
		return fault.Taken("phoneNumber", "payout_number_saved_already", "You already saved this number.")
	case n.Count >= maxPayoutNumbers:
		return fault.New(fault.Conflict, "too_many_numbers", "You can save up to 10 numbers.")
	}
	return nil
}

// RequirePayoutNumber fails with NotFound unless the user has saved the number.
func (s *Service) RequirePayoutNumber(ctx context.Context, owner, id uuid.UUID) error {
	_, err := getPayoutNumber(ctx, s.DB, owner, id)
	return err
}

// RenamePayoutNumber renames a number that the user has saved. Codes: NotFound, Invalid for a name
// that is missing or too long.
func (s *Service) RenamePayoutNumber(ctx context.Context, owner, id uuid.UUID, name string) (PayoutNumber, error) {
	name, err := payoutNumberName(name)
	if err != nil {
		return PayoutNumber{}, err
	}
	if err := setPayoutNumberName(ctx, s.DB, owner, id, name); err != nil {
		return PayoutNumber{}, err
	}
	return getPayoutNumber(ctx, s.DB, owner, id)
}

// RemovePayoutNumber removes a number that the user has saved. Code NotFound.
func (s *Service) RemovePayoutNumber(ctx context.Context, owner, id uuid.UUID) error {
	return deletePayoutNumber(ctx, s.DB, owner, id)
}

func payoutNumberName(name string) (string, error) {
	name = sanitize.Line(name)
	switch {
	case name == "":
		return "", fault.Field("name", "payout_number_name_missing", "Please name this number.")
	case utf8.RuneCountInString(name) > maxPayoutNumberName:
		return "", fault.Field("name", "payout_number_name_too_long", "The name may have up to 40 characters.")
	}
	return name, nil
}

func errNoPayoutNumber() error {
	return fault.New(fault.NotFound, "payout_number_not_found", "Number not found.")
}

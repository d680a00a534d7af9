package accounts

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
)

// TermsVersions returns the versions of the terms and the privacy policy, oldest first: the dates
// since when each applies, as the pages show them. Whoever accepts one also says that they are 18
// or older (docs/rules.md#consent).
func TermsVersions() []string { return []string{"2026-11-01"} }

// CurrentTerms returns the version that people accept now.
func CurrentTerms() string { return TermsVersions()[len(TermsVersions())-1] }

// acceptedTerms returns the version that a sign-up accepts: the one it names, or the current one
// if it names none that is known.
func acceptedTerms(version string) string {
	if slices.Contains(TermsVersions(), version) {
		return version
	}
	return CurrentTerms()
}

// Consent is the latest version of the terms that a user accepted.
type Consent struct {
	Version    string
	AcceptedAt time.Time
}

// OutcomeTermsAccepted is the outcome of AcceptTerms.
var OutcomeTermsAccepted = catalog.Outcome{Code: "terms_accepted", Message: "Thank you."}

// AcceptTerms records that the user accepts the current terms. Accepting them again changes
// nothing. Code Conflict for any other version: the user has read terms that no longer apply.
func (s *Service) AcceptTerms(ctx context.Context, userID uuid.UUID, version string, client Client) error {
	if version != CurrentTerms() {
		return fault.New(fault.Conflict, "terms_outdated", "The terms have changed. Please reload the page.")
	}
	return insertConsent(ctx, s.db, userID, Consent{version, s.clock.Now()}, client)
}

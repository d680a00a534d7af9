package accounts

import (
	"context"
	"strings"
	"time"

	"amanat/internal/platform/ratelimit"
)

// Limits are how often people may try. A zero rate bounds nothing.
type Limits struct {
	LoginAccount ratelimit.Rate // failures on one account from all browsers that it does not know
	LoginBrowser ratelimit.Rate // failures on one account from one browser that it knows
	LoginAddress ratelimit.Rate // failures from one address, of browsers that the account does not know
	Password     ratelimit.Rate // wrong entries of one's own password while signed in

	SignupAddress ratelimit.Rate // accounts opened from one address
	ResetAddress  ratelimit.Rate // links for a new password asked for from one address
	ResetMailbox  ratelimit.Rate // links for a new password to one mailbox
	Mailbox       ratelimit.Rate // links that verify an address, of sign-ups and asked for again, to one mailbox
	MailDomain    ratelimit.Rate // links that verify an address, to all mailboxes of one domain
	ResetUnknown  ratelimit.Rate // links for a new password asked for from one address for e-mail addresses of nobody
}

// newFor is how long an account is new.
const newFor = 24 * time.Hour

// IsNew tells whether so little is known of the user that less is allowed: the address is not verified, or the account is younger than a day.
func (u User) IsNew(now time.Time) bool { return !u.IsVerified || now.Sub(u.CreatedAt) < newFor }

// take takes from buckets. Code RateLimited.
func (s *Service) take(ctx context.Context, buckets ...ratelimit.Bucket) error {
	if decision := s.limiter.Allow(ctx, buckets...); !decision.Allowed {
		return tooMany(decision.RetryAfter)
	}
	return nil
}

// verificationBuckets are what a link that verifies an address counts against: the mailbox and its domain.
func (s *Service) verificationBuckets(email string) []ratelimit.Bucket {
	mailbox, domain := mailboxOf(email)
	return []ratelimit.Bucket{
		ratelimit.Limit{Name: "mailbox", Rate: s.limits.Mailbox}.For(mailbox),
		ratelimit.Limit{Name: "mail-domain", Rate: s.limits.MailDomain}.For(domain),
	}
}

// resetBucket is what a link for a new password counts against. The domain is none of it: whoever uses up the bucket of a large one would
// keep all its people from their accounts.
func (s *Service) resetBucket(email string) ratelimit.Bucket {
	mailbox, _ := mailboxOf(email)
	return ratelimit.Limit{Name: "reset-email", Rate: s.limits.ResetMailbox}.For(mailbox)
}

// Domains of Gmail, where dots in the name do not matter.
const (
	gmail      = "gmail.com"
	googleMail = "googlemail.com"
)

// mailboxOf returns where mail to an address arrives, and its domain: the same for all spellings of one mailbox, in any case of letters
// and with any sub-address behind a plus sign.
func mailboxOf(email string) (mailbox, domain string) {
	email = strings.ToLower(strings.TrimSpace(email))
	at := strings.LastIndex(email, "@")
	if at < 0 {
		return email, ""
	}
	name, domain := email[:at], email[at+1:]
	if main, _, tagged := strings.Cut(name, "+"); tagged && main != "" {
		name = main
	}
	if domain == googleMail {
		domain = gmail
	}
	if domain == gmail {
		name = strings.ReplaceAll(name, ".", "")
	}
	return name + "@" + domain, domain
}

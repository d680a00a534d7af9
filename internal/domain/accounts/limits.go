package accounts

import (
	"context"
	"strings"
	"time"

	"amanat/internal/lib/mailer"
	"amanat/internal/lib/ratelimit"
)

// Limits bound the rates of attempts. A zero rate means no limit.
type Limits struct {
	LoginAccount ratelimit.Rate // failures on one account from all unknown browsers
	LoginBrowser ratelimit.Rate // failures on one account from one known browser
	LoginAddress ratelimit.Rate // failures from one address in unknown browsers
	Password     ratelimit.Rate // wrong entries of the current password while signed in
	SecondFactor ratelimit.Rate // wrong codes of the second factor of one account, at logins and while signed in

	SignupAddress ratelimit.Rate // accounts created from one address
	ResetAddress  ratelimit.Rate // password resets requested from one address
	ResetMailbox  ratelimit.Rate // password resets of one mailbox
	Mailbox       ratelimit.Rate // verification links to one mailbox, of sign-ups and resends
	MailDomain    ratelimit.Rate // verification links to all mailboxes of one domain
	ResetUnknown  ratelimit.Rate // resets requested from one address for unknown email addresses
}

// newFor is how long an account counts as new.
const newFor = 24 * time.Hour

// IsNew reports whether stricter limits apply to the user: the account is less than a day old.
func (u User) IsNew(now time.Time) bool { return now.Sub(u.CreatedAt) < newFor }

// take consumes one attempt from each bucket. Code RateLimited if one is exhausted.
func (s *Service) take(ctx context.Context, buckets ...ratelimit.Bucket) error {
	if decision := s.limiter.Allow(ctx, buckets...); !decision.Allowed {
		return tooMany(decision.RetryAfter)
	}
	return nil
}

// verificationBuckets returns the buckets of a verification link: the mailbox and its domain.
func (s *Service) verificationBuckets(email string) []ratelimit.Bucket {
	mailbox, domain := mailboxOf(email)
	return []ratelimit.Bucket{
		ratelimit.Limit{Name: "mailbox", Rate: s.limits.Mailbox}.For(mailbox),
		ratelimit.Limit{Name: "mail-domain", Rate: s.limits.MailDomain}.For(domain),
	}
}

// resetBucket returns the bucket of a reset link. There is none for the domain: an attacker who
// exhausts the bucket of a large domain would lock all its users out of their accounts.
func (s *Service) resetBucket(email string) ratelimit.Bucket {
	mailbox, _ := mailboxOf(email)
	return ratelimit.Limit{Name: "reset-email", Rate: s.limits.ResetMailbox}.For(mailbox)
}

// Mailbox returns the mailbox that receives mail for an address, the same for all its spellings.
func Mailbox(email string) string {
	mailbox, _ := mailboxOf(email)
	return mailbox
}

// Domains of Gmail, which ignores dots in the local part.
const (
	gmail      = "gmail.com"
	googleMail = "googlemail.com"
)

// mailboxOf returns the mailbox that receives mail for an address, and its domain. All spellings of
// one mailbox give the same result, whatever their letter case and sub-address after a plus sign.
func mailboxOf(email string) (mailbox, domain string) {
	email = strings.ToLower(mailer.NormalAddress(email))
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

// Package accounts manages users, their passwords and their sessions.
package accounts

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/passkey"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// User is an account.
type User struct {
	ID           uuid.UUID
	Username     string
	Email        string
	ProfilePic   string // URL, "" when none
	IsAdmin      bool
	IsVerified   bool
	Language     string // "en" or "bn"
	MailNotices  bool   // whether money notifications are also emailed
	ReferralCode string
	CreatedAt    time.Time
	// PasswordStrong reports whether the password is known to meet the minimum length for admins.
	PasswordStrong bool
	// SecondFactor reports whether a login needs the second factor.
	SecondFactor bool
	AwayUntil    string // see user.Ref
}

// Ref returns the part of the user that other users may see.
func (u User) Ref() user.Ref {
	return user.Ref{ID: u.ID, Username: u.Username, ProfilePic: u.ProfilePic, IsStaff: u.IsAdmin, AwayUntil: u.AwayUntil}
}

// Service implements the account use cases. It is safe for concurrent use.
type Service struct {
	db           postgres.DB
	clock        clock.Clock
	sessionClock clock.Clock
	hasher       *hasher
	images       *images.Service
	jobs         jobs.Enqueuer
	limiter      *ratelimit.Limiter
	limits       Limits
	notices      Notices
	worklists    Worklists
	sessions     SessionEnder
	deals        Deals
	strongAdmins bool
	passkeys     *passkey.Site

	factorForAdmins bool
	holdsOff        bool
	trustBrowsers   bool
}

// SessionEnder closes the sockets of ended sessions. It must not block and may lose notifications:
// the sessions of open sockets are rechecked periodically.
type SessionEnder interface {
	// SessionEnded closes the sockets of one session.
	SessionEnded(id uuid.UUID)
	// SessionsEnded closes the sockets of all sessions of a user except one; nil excepts none.
	SessionsEnded(userID uuid.UUID, except *uuid.UUID)
}

// Worklists notifies admins, once the transaction has committed, that a row of one of their lists
// has changed. *realtime.Log implements it.
type Worklists interface {
	WorklistChanged(tx *postgres.Tx, list realtime.Worklist, id uuid.UUID)
}

// Deals changes the deals of a user whose account changes. *deals.Service implements it.
type Deals interface {
	// SyncSuspensions suspends or resumes the open deals after the user was disabled or enabled. It
	// runs in the same transaction, after the user's row is written.
	SyncSuspensions(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error
	// RemovePending withdraws and declines the Pending deals.
	RemovePending(ctx context.Context, userID uuid.UUID) error
}

// Notices notifies a user in the transaction of the event. *notifications.Service implements it.
type Notices interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Options configure a Service. DB and Clock are required.
type Options struct {
	DB    postgres.DB
	Clock clock.Clock
	// SessionClock measures the age of sessions; nil means Clock. The local stack may pass the
	// machine's clock, to api and worker alike, so that advancing business time does not sign all
	// users out.
	SessionClock clock.Clock
	// Images is set by the api only: no other process changes pictures.
	Images *images.Service
	// Jobs is required for sign-ups and password changes, which send email.
	Jobs jobs.Enqueuer
	// Limiter enforces Limits; nil means a limiter private to this Service.
	Limiter *ratelimit.Limiter
	Limits  Limits
	// Notices is required for sign-ups and changes of the second factor.
	Notices Notices
	// Worklists and Sessions are notified of changes to users; nil on the operator's command line,
	// where nothing can be notified.
	Worklists Worklists
	Sessions  SessionEnder
	// Deals is required to close accounts, and to disable and enable users; if nil, their deals
	// follow with the next deadline sweep.
	Deals Deals
	// HashCost is the cost of new password hashes; zero means the minimum that OWASP recommends.
	// Only tests lower it.
	HashCost HashCost
	// Metrics registers the metrics of hashing; nil means nowhere.
	Metrics prometheus.Registerer
	// StrongAdmins requires longer passwords of admins than of other users: set where admins
	// re-enter their password before they move money, and on the operator's command line.
	StrongAdmins bool
	// FactorForAdmins requires a second factor of admins before they act as such.
	FactorForAdmins bool
	// HoldsOff lets users release money whatever is new about their account: set where withdrawals
	// are not held either.
	HoldsOff bool
	// TrustBrowsers makes no browser a new one. Only the local stack sets it, whose people are
	// anybody's.
	TrustBrowsers bool
	// Passkeys is the site that passkeys belong to; nil where it cannot have any.
	Passkeys *passkey.Site
}

// New returns a Service.
func New(options Options) *Service {
	s := &Service{
		db:           options.DB,
		clock:        options.Clock,
		sessionClock: options.SessionClock,
		hasher:       newHasher(cmp.Or(options.HashCost, defaultHashCost)),
		images:       options.Images,
		jobs:         options.Jobs,
		limiter:      options.Limiter,
		limits:       options.Limits,
		notices:      options.Notices,
		worklists:    options.Worklists,
		sessions:     options.Sessions,
		deals:        options.Deals,
		strongAdmins: options.StrongAdmins,
		passkeys:     options.Passkeys,

		factorForAdmins: options.FactorForAdmins,
		holdsOff:        options.HoldsOff,
		trustBrowsers:   options.TrustBrowsers,
	}
	if options.Metrics != nil {
		options.Metrics.MustRegister(s.hasher.queue.metrics()...)
	}
	if s.sessionClock == nil {
		s.sessionClock = s.clock
	}
	if s.limiter == nil {
		s.limiter = ratelimit.New(ratelimit.Options{Clock: s.clock})
	}
	if s.worklists == nil {
		s.worklists = noop{}
	}
	if s.sessions == nil {
		s.sessions = noop{}
	}
	if s.deals == nil {
		s.deals = noop{}
	}
	return s
}

// Cleaner deletes expired data of all accounts. It is for workers.
type Cleaner struct {
	DB    postgres.DB
	Clock clock.Clock
	// SessionClock measures the age of sessions and browsers; see Options.
	SessionClock clock.Clock
}

// noop implements Worklists, SessionEnder and Deals without effect.
type noop struct{}

func (noop) WorklistChanged(*postgres.Tx, realtime.Worklist, uuid.UUID) {}
func (noop) SessionEnded(uuid.UUID)                                     {}
func (noop) SessionsEnded(uuid.UUID, *uuid.UUID)                        {}

func (noop) SyncSuspensions(context.Context, *postgres.Tx, uuid.UUID) error { return nil }
func (noop) RemovePending(context.Context, uuid.UUID) error                 { return nil }

// Lengths of passwords.
const (
	minPassword = 6
	maxPassword = 200
)

var usernamePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// validate checks a normalized sign-up in a fixed order with fixed texts (docs/rules.md#signup).
func (in SignupInput) validate() error {
	switch {
	case in.Username == "":
		return fault.Field("username", "username_missing", "Username is required.")
	case in.Email == "":
		return fault.Field("email", "email_missing", "Email is required.")
	case !mailer.ValidAddress(in.Email):
		return fault.Field("email", "email_invalid", "Invalid email")
	case in.Password == "":
		return fault.Field("password", "password_missing", "Password is required.")
	case utf8.RuneCountInString(in.Password) < minPassword:
		return fault.Field("password", "password_too_short", "Password must be at least 6 characters")
	case !usernamePattern.MatchString(in.Username):
		return fault.Field("username", "username_malformed", "Username may have up to 40 letters, digits, hyphens and underscores.")
	case utf8.RuneCountInString(in.Password) > maxPassword:
		return fault.Field("password", "password_too_long", "Password must be at most 200 characters")
	}
	return validateLanguage(in.Language)
}

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

// normalUsername removes all spaces and dots, as the sign-up form does (docs/rules.md#usernames).
func normalUsername(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// foldReplacer maps lookalike characters to one and removes word separators.
var foldReplacer = strings.NewReplacer("0", "o", "1", "l", "i", "l", "|", "l", "-", "", "_", "")

// skeleton returns the canonical form of a username: lookalike names have the same skeleton. The
// database computes the same for users.username_skeleton.
func skeleton(username string) string { return foldReplacer.Replace(strings.ToLower(username)) }

// Reserved words, which would let a user pose as the provider or as a company that handles its
// payments, or which read like a keyword of the program.
var (
	// reservedParts are refused anywhere in a name.
	reservedParts = skeletons("admin", "bkash", "customercare", "customerservice", "escrow", "helpdesk", "helpline", "moderator", "nagad",
		"nogod", "noreply", "official", "refund", "rocketpay", "support", "trustsafety", "trustandsafety", "webmaster")
	// reservedWords are refused as a whole name or as one of its words, separated by hyphens or
	// underscores, also with digits before or after.
	reservedWords = skeletons("billing", "contact", "dispute", "disputes", "help", "kyc", "mod", "operator", "payment", "payments",
		"security", "staff", "system", "wallet")
	// reservedNames are refused as a whole name only: "Api" and "Info" are also names of people or
	// parts of them.
	reservedNames = skeletons("anonymous", "api", "info", "me", "null", "root", "undefined")
	// harmless words contain a reserved part by chance.
	harmless = skeletons("badminton")
	// roles next to the provider's name suggest an official account: AmanatTeam, Pay-Amanat. Next
	// to other words it is a personal name: Amanatullah.
	roles = skeletons("account", "accounts", "agent", "agents", "app", "bangladesh", "bd", "bot", "care", "ceo", "chat", "com", "customer",
		"customers", "deal", "deals", "deposit", "deposits", "desk", "dispute", "disputes", "founder", "help", "hq", "info", "manager",
		"managers", "money", "my", "office", "online", "original", "owner", "pay", "payment", "payments", "payout", "payouts", "real", "safe",
		"secure", "security", "service", "services", "staff", "team", "the", "trust", "verification", "verified", "verify", "wallet",
		"withdraw", "withdrawal", "withdrawals")
)

const provider = "amanat"

func skeletons(words ...string) []string {
	folded := make([]string, len(words))
	for i, word := range words {
		folded[i] = skeleton(word)
	}
	return folded
}

// disguises are what is written in the place of a letter in reserved words, beside the lookalikes
// that skeleton maps.
var disguises = strings.NewReplacer("3", "e", "4", "a", "5", "s", "7", "t", "8", "b", "rn", "m", "vv", "w")

// isReserved reports whether users may not choose the username.
func isReserved(username string) bool {
	return isReservedAsWritten(username) || isReservedAsWritten(disguises.Replace(strings.ToLower(username)))
}

func isReservedAsWritten(username string) bool {
	whole := skeleton(username)
	if slices.Contains(reservedNames, whole) || isOfficial(whole) || strings.HasPrefix(whole, skeleton(pseudonymPrefix)) {
		return true
	}
	rest := whole
	for _, word := range harmless {
		rest = strings.ReplaceAll(rest, word, " ")
	}
	if slices.ContainsFunc(reservedParts, func(part string) bool { return strings.Contains(rest, part) }) {
		return true
	}
	words := append(strings.FieldsFunc(username, func(r rune) bool { return r == '-' || r == '_' }), username)
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains(reservedWords, skeleton(word)) || slices.Contains(reservedWords, skeleton(strings.Trim(word, "0123456789")))
	})
}

// isOfficial reports whether a skeleton consists only of the provider's name, once or more, and
// roles and digits.
func isOfficial(whole string) bool {
	beside := strings.Split(whole, provider)
	return len(beside) > 1 && !slices.ContainsFunc(beside, func(part string) bool { return !onlyRoles(part) })
}

func onlyRoles(s string) bool {
	if strings.Trim(s, "ol23456789") == "" { // digits: 0 and 1 are folded
		return true
	}
	return slices.ContainsFunc(roles, func(role string) bool {
		rest, found := strings.CutPrefix(s, role)
		return found && onlyRoles(rest)
	})
}

package config

import (
	"errors"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"amanat/internal/lib/ratelimit"
	"amanat/internal/money"
)

// Limits are rate limits such as 5/15m: five at once, then one every three minutes; off means
// unlimited. Limits by address are generous, because the users of a mobile network share addresses.
// Calls that are rejected as invalid are not counted.
type Limits struct {
	// Failed logins: to an account from all untrusted browsers together, from each trusted one, and
	// from an address.
	LoginAccountLimit ratelimit.Rate `env:"LIMIT_LOGIN_ACCOUNT" envDefault:"5/15m"`
	LoginBrowserLimit ratelimit.Rate `env:"LIMIT_LOGIN_BROWSER" envDefault:"5/15m"`
	LoginAddressLimit ratelimit.Rate `env:"LIMIT_LOGIN_ADDRESS" envDefault:"100/15m"`
	// Wrong passwords of a signed-in user.
	PasswordLimit ratelimit.Rate `env:"LIMIT_PASSWORD" envDefault:"5/15m"`
	// Wrong codes of the second factor of an account, at logins and of a signed-in user.
	SecondFactorLimit ratelimit.Rate `env:"LIMIT_SECOND_FACTOR" envDefault:"5/15m"`

	// Emails: password reset links by client address and by mailbox, and by client address for
	// unknown emails; verification links by user; verification links and sign-ups by mailbox and by
	// its domain.
	ForgotAddressLimit   ratelimit.Rate `env:"LIMIT_FORGOT_ADDRESS" envDefault:"60/1h"`
	ForgotUnknownLimit   ratelimit.Rate `env:"LIMIT_FORGOT_UNKNOWN" envDefault:"300/1h"`
	ForgotEmailLimit     ratelimit.Rate `env:"LIMIT_FORGOT_EMAIL" envDefault:"3/1h"`
	VerificationLimit    ratelimit.Rate `env:"LIMIT_VERIFICATION" envDefault:"1/1m"`
	VerificationDayLimit ratelimit.Rate `env:"LIMIT_VERIFICATION_DAY" envDefault:"5/24h"`
	MailboxLimit         ratelimit.Rate `env:"LIMIT_MAILBOX" envDefault:"6/24h"`
	MailDomainLimit      ratelimit.Rate `env:"LIMIT_MAIL_DOMAIN" envDefault:"2000/1h"`

	// Calls by client address that need no session.
	SignupLimit   ratelimit.Rate `env:"LIMIT_SIGNUP" envDefault:"200/1h"`
	FeedbackLimit ratelimit.Rate `env:"LIMIT_FEEDBACK" envDefault:"60/1h"`
	// Logins by passkey that are started at one address: each keeps a row for ten minutes.
	PasskeyLoginLimit ratelimit.Rate `env:"LIMIT_PASSKEY_LOGIN" envDefault:"600/15m"`
	// Public reads without a session, except images.
	AnonymousReadLimit ratelimit.Rate `env:"LIMIT_ANONYMOUS_READS" envDefault:"1200/1m"`

	// User searches by one user.
	SearchLimit ratelimit.Rate `env:"LIMIT_SEARCH" envDefault:"300/1m"`
	// How often one user blocks or unblocks others: each time changes both users' screens.
	BlockLimit ratelimit.Rate `env:"LIMIT_BLOCKS" envDefault:"60/1h"`

	// Archives of their data that one user may have made.
	DataExportLimit ratelimit.Rate `env:"LIMIT_DATA_EXPORT" envDefault:"1/24h"`

	// Statements that one user may download: each takes up to a second of CPU time.
	FileLimit ratelimit.Rate `env:"LIMIT_FILES" envDefault:"60/1h"`

	// Browsers that a user has notices sent to, and tests of it: each calls the push services.
	PushSubscriptionLimit ratelimit.Rate `env:"LIMIT_PUSH_SUBSCRIPTIONS" envDefault:"30/1h"`
	PushTestLimit         ratelimit.Rate `env:"LIMIT_PUSH_TESTS" envDefault:"5/10m"`

	// What one user creates. New users have a part of each limit, see NewDivisor.
	PostLimit            ratelimit.Rate `env:"LIMIT_POSTS" envDefault:"20/1h"`
	PostDayLimit         ratelimit.Rate `env:"LIMIT_POSTS_DAY" envDefault:"60/24h"`
	PostEditLimit        ratelimit.Rate `env:"LIMIT_POST_EDITS" envDefault:"120/1h"`
	MessageLimit         ratelimit.Rate `env:"LIMIT_MESSAGES" envDefault:"60/1m"`
	ConversationLimit    ratelimit.Rate `env:"LIMIT_CONVERSATIONS" envDefault:"20/1h"`
	ConversationDayLimit ratelimit.Rate `env:"LIMIT_CONVERSATIONS_DAY" envDefault:"60/24h"`
	DealLimit            ratelimit.Rate `env:"LIMIT_DEALS" envDefault:"30/1h"`
	DealDayLimit         ratelimit.Rate `env:"LIMIT_DEALS_DAY" envDefault:"100/24h"`
	// Emails with links to deals: of one user, and to one mailbox from everybody.
	InviteMailLimit    ratelimit.Rate `env:"LIMIT_INVITE_MAILS" envDefault:"10/24h"`
	InviteMailboxLimit ratelimit.Rate `env:"LIMIT_INVITE_MAILBOX" envDefault:"3/24h"`
	DepositLimit       ratelimit.Rate `env:"LIMIT_DEPOSIT" envDefault:"60/1h"`
	// Deposits that a user takes back: each report of one notifies the admins.
	RetractLimit    ratelimit.Rate `env:"LIMIT_DEPOSIT_RETRACTIONS" envDefault:"12/24h"`
	WithdrawalLimit ratelimit.Rate `env:"LIMIT_WITHDRAWALS" envDefault:"20/1h"`
	ReviewLimit     ratelimit.Rate `env:"LIMIT_REVIEWS" envDefault:"30/1h"`
	SupportLimit    ratelimit.Rate `env:"LIMIT_SUPPORT" envDefault:"60/1h"`
	ProfileLimit    ratelimit.Rate `env:"LIMIT_PROFILE" envDefault:"30/1h"`
	ReportLimit     ratelimit.Rate `env:"LIMIT_REPORTS" envDefault:"10/1h"`
	// Pictures of one user, in any call: each takes a second of CPU time, and permanent storage. A
	// large one counts up to four times.
	PictureLimit ratelimit.Rate `env:"LIMIT_PICTURES" envDefault:"30/10m"`

	// NewDivisor divides the limits of what a user creates while their account is younger than a
	// day.
	NewDivisor int `env:"LIMIT_NEW_DIVISOR" envDefault:"4"`

	// The maximum number of a user's posts, of a new user's, and of a user's pending deposits.
	MaxPosts           int `env:"MAX_POSTS" envDefault:"200"`
	MaxPostsNew        int `env:"MAX_POSTS_NEW" envDefault:"20"`
	MaxPendingDeposits int `env:"MAX_PENDING_DEPOSITS" envDefault:"10"`

	// WebSockets: open ones of a user per api process, and the size and rate of their frames.
	Sockets           int            `env:"LIMIT_SOCKETS" envDefault:"10"`
	SocketFrameBytes  int64          `env:"LIMIT_SOCKET_FRAME_BYTES" envDefault:"4096"`
	SocketFramesLimit ratelimit.Rate `env:"LIMIT_SOCKET_FRAMES" envDefault:"20/2s"`
}

// validate checks the limits of an API, which embeds them.
func (l Limits) validate(p *problems) {
	p.check("LIMIT_NEW_DIVISOR", atLeast(l.NewDivisor, 1))
	p.check("MAX_POSTS", atLeast(l.MaxPosts, 1))
	p.check("MAX_POSTS_NEW", atLeast(l.MaxPostsNew, 1))
	p.check("MAX_PENDING_DEPOSITS", atLeast(l.MaxPendingDeposits, 1))
	p.check("LIMIT_SOCKETS", atLeast(l.Sockets, 1))
	p.check("LIMIT_SOCKET_FRAME_BYTES", atLeast(l.SocketFrameBytes, 128))
}

// relaxedLimits returns the default per-user limits times ten, by variable: people who try
// the product out, and automated browsers, are faster than real users.
func relaxedLimits() (map[string]string, error) {
	l, err := env.ParseAsWithOptions[Limits](env.Options{Environment: map[string]string{}})
	if err != nil {
		return nil, err
	}
	relaxed := map[string]string{}
	for name, rate := range map[string]ratelimit.Rate{
		"LIMIT_SEARCH": l.SearchLimit, "LIMIT_POSTS": l.PostLimit, "LIMIT_POSTS_DAY": l.PostDayLimit, "LIMIT_POST_EDITS": l.PostEditLimit,
		"LIMIT_MESSAGES": l.MessageLimit, "LIMIT_CONVERSATIONS": l.ConversationLimit, "LIMIT_CONVERSATIONS_DAY": l.ConversationDayLimit,
		"LIMIT_DEALS": l.DealLimit, "LIMIT_DEALS_DAY": l.DealDayLimit, "LIMIT_DEPOSIT": l.DepositLimit,
		"LIMIT_DEPOSIT_RETRACTIONS": l.RetractLimit, "LIMIT_INVITE_MAILS": l.InviteMailLimit, "LIMIT_FILES": l.FileLimit,
		"LIMIT_WITHDRAWALS": l.WithdrawalLimit, "LIMIT_REVIEWS": l.ReviewLimit, "LIMIT_SUPPORT": l.SupportLimit,
		"LIMIT_PROFILE": l.ProfileLimit, "LIMIT_BLOCKS": l.BlockLimit, "LIMIT_REPORTS": l.ReportLimit, "LIMIT_PICTURES": l.PictureLimit,
		"LIMIT_PUSH_SUBSCRIPTIONS": l.PushSubscriptionLimit, "LIMIT_PUSH_TESTS": l.PushTestLimit,
	} {
		relaxed[name] = rate.Times(10).String()
	}
	return relaxed, nil
}

// TrustLimit is what an account of one level of trust may do; 0 means no limit.
type TrustLimit struct {
	Deal      money.Cents // price of one deal that it pays
	Paid      money.Cents // sum paid in 24 hours
	Withdrawn money.Cents // sum withdrawn in 24 hours
}

// TrustLimits are the limits of the levels of trust. The zero value sets none.
type TrustLimits struct {
	New, Basic, Established, Trusted TrustLimit
}

// trustOff is the text of TrustLimits without any limit.
const trustOff = "off"

var errTrustLimits = errors.New(
	`must be "off" or dollars per deal, paid and withdrawn in a day for each level, as in ` +
		`new=1000/2000/500,basic=5000/15000/5000,established=25000/50000/25000,trusted=0/0/0`)

// UnmarshalText parses "off" or the limits of all four levels.
func (l *TrustLimits) UnmarshalText(text []byte) error {
	*l = TrustLimits{}
	if string(text) == trustOff {
		return nil
	}
	missing := map[string]*TrustLimit{
		"new": &l.New, "basic": &l.Basic, "established": &l.Established, "trusted": &l.Trusted,
	}
	for _, part := range strings.Split(string(text), ",") {
		name, amounts, _ := strings.Cut(strings.TrimSpace(part), "=")
		limit := missing[name]
		if limit == nil {
			return errTrustLimits
		}
		if err := limit.parse(amounts); err != nil {
			return err
		}
		delete(missing, name)
	}
	if len(missing) > 0 {
		return errTrustLimits
	}
	return l.checkRising()
}

func (l *TrustLimit) parse(text string) error {
	amounts := strings.Split(text, "/")
	if len(amounts) != 3 {
		return errTrustLimits
	}
	for i, amount := range []*money.Cents{&l.Deal, &l.Paid, &l.Withdrawn} {
		cents, err := money.Parse(amounts[i])
		if err != nil || cents < 0 {
			return errTrustLimits
		}
		*amount = money.Cents(cents)
	}
	return nil
}

// checkRising refuses limits that fall from one level to the next: the pages tell users what the
// next level allows.
func (l *TrustLimits) checkRising() error {
	levels := []TrustLimit{l.New, l.Basic, l.Established, l.Trusted}
	for i, higher := range levels[1:] {
		lower := levels[i]
		if falls(lower.Deal, higher.Deal) || falls(lower.Paid, higher.Paid) || falls(lower.Withdrawn, higher.Withdrawn) {
			return errors.New("must be at least as high in each level as in the one before")
		}
	}
	return nil
}

func falls(lower, higher money.Cents) bool {
	return higher != 0 && (lower == 0 || higher < lower)
}

// Withdrawals are the rules for withdrawals. The api checks them on request; workers enforce them
// when they settle.
type Withdrawals struct {
	// WithdrawalHold is how long a withdrawal in new circumstances is held unless its owner
	// confirms it; 0 disables holds.
	WithdrawalHold time.Duration `env:"WITHDRAWAL_HOLD" envDefault:"24h"`
	// MinWithdrawal is the minimum amount of a withdrawal: each is paid out by hand.
	MinWithdrawal USD `env:"MIN_WITHDRAWAL" envDefault:"1.00"`
	// MaxPendingWithdrawals is the maximum number of a user's withdrawals waiting for an admin.
	MaxPendingWithdrawals int `env:"MAX_PENDING_WITHDRAWALS" envDefault:"5"`
}

func (c Withdrawals) check(p *problems) {
	p.check("WITHDRAWAL_HOLD", atLeast(c.WithdrawalHold, 0))
	p.check("MIN_WITHDRAWAL", atLeast(c.MinWithdrawal, 1))
	p.check("MAX_PENDING_WITHDRAWALS", atLeast(c.MaxPendingWithdrawals, 1))
}

// USD is an amount as written by an operator, such as 1.00.
type USD money.Cents

// String returns the amount with two decimals.
func (u USD) String() string { return money.Cents(u).String() }

// UnmarshalText parses the amount without a float.
func (u *USD) UnmarshalText(text []byte) error {
	cents, err := money.Parse(string(text))
	if err != nil {
		return errors.New("must be dollars and cents, as in 1.00")
	}
	*u = USD(cents)
	return nil
}

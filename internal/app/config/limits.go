package config

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"amanat/internal/lib/ratelimit"
	"amanat/internal/money"
)

// Limits are rate limits such as 5/15m: five at once, then one every three minutes; off means
// unlimited. Limits by address are generous, because the users of a mobile network share addresses.
// Calls that are rejected as invalid are not counted. The tags have each limit's name in LIMITS and
// its default.
type Limits struct {
	// Failed logins: to an account from all untrusted browsers together, from each trusted one, and
	// from an address.
	LoginAccountLimit ratelimit.Rate `limit:"login-account" default:"5/15m"`
	LoginBrowserLimit ratelimit.Rate `limit:"login-browser" default:"5/15m"`
	LoginAddressLimit ratelimit.Rate `limit:"login-address" default:"100/15m"`
	// Wrong passwords of a signed-in user.
	PasswordLimit ratelimit.Rate `limit:"password" default:"5/15m"`
	// Wrong codes of the second factor of an account, at logins and of a signed-in user.
	SecondFactorLimit ratelimit.Rate `limit:"second-factor" default:"5/15m"`

	// Emails: password reset links by client address and by mailbox, and by client address for
	// unknown emails; verification links by user; verification links and sign-ups by mailbox and by
	// its domain.
	ForgotAddressLimit   ratelimit.Rate `limit:"forgot-address" default:"60/1h"`
	ForgotUnknownLimit   ratelimit.Rate `limit:"forgot-unknown" default:"300/1h"`
	ForgotEmailLimit     ratelimit.Rate `limit:"reset-email" default:"3/1h"`
	VerificationLimit    ratelimit.Rate `limit:"verification" default:"1/1m"`
	VerificationDayLimit ratelimit.Rate `limit:"verification-day" default:"5/24h"`
	MailboxLimit         ratelimit.Rate `limit:"mailbox" default:"6/24h"`
	MailDomainLimit      ratelimit.Rate `limit:"mail-domain" default:"2000/1h"`

	// Calls by client address that need no session.
	SignupLimit   ratelimit.Rate `limit:"signup" default:"200/1h"`
	FeedbackLimit ratelimit.Rate `limit:"feedback" default:"60/1h"`
	// Logins by passkey that are started at one address: each keeps a row for ten minutes.
	PasskeyLoginLimit ratelimit.Rate `limit:"passkey-login" default:"600/15m"`
	// Public reads without a session, except images.
	AnonymousReadLimit ratelimit.Rate `limit:"anonymous-reads" default:"1200/1m"`

	// User searches by one user.
	SearchLimit ratelimit.Rate `limit:"search" default:"300/1m"`
	// How often one user blocks or unblocks others: each time changes both users' screens.
	BlockLimit ratelimit.Rate `limit:"blocks" default:"60/1h"`

	// Archives of their data that one user may have made.
	DataExportLimit ratelimit.Rate `limit:"data-export" default:"1/24h"`

	// Statements that one user may download: each takes up to a second of CPU time.
	FileLimit ratelimit.Rate `limit:"files" default:"60/1h"`

	// Browsers that a user has notices sent to, and tests of it: each calls the push services.
	PushSubscriptionLimit ratelimit.Rate `limit:"push-subscriptions" default:"30/1h"`
	PushTestLimit         ratelimit.Rate `limit:"push-tests" default:"5/10m"`

	// What one user creates. New users have a part of each limit, see NewDivisor.
	PostLimit            ratelimit.Rate `limit:"posts" default:"20/1h"`
	PostDayLimit         ratelimit.Rate `limit:"posts-day" default:"60/24h"`
	PostEditLimit        ratelimit.Rate `limit:"post-edits" default:"120/1h"`
	MessageLimit         ratelimit.Rate `limit:"messages" default:"60/1m"`
	ConversationLimit    ratelimit.Rate `limit:"conversations" default:"20/1h"`
	ConversationDayLimit ratelimit.Rate `limit:"conversations-day" default:"60/24h"`
	DealLimit            ratelimit.Rate `limit:"deals" default:"30/1h"`
	DealDayLimit         ratelimit.Rate `limit:"deals-day" default:"100/24h"`
	// Emails with links to deals: of one user, and to one mailbox from everybody.
	InviteMailLimit    ratelimit.Rate `limit:"invite-mails" default:"10/24h"`
	InviteMailboxLimit ratelimit.Rate `limit:"invite-mailbox" default:"3/24h"`
	DepositLimit       ratelimit.Rate `limit:"deposit" default:"60/1h"`
	// Deposits that a user takes back: each report of one notifies the admins.
	RetractLimit    ratelimit.Rate `limit:"deposit-retract" default:"12/24h"`
	WithdrawalLimit ratelimit.Rate `limit:"withdrawals" default:"20/1h"`
	ReviewLimit     ratelimit.Rate `limit:"reviews" default:"30/1h"`
	SupportLimit    ratelimit.Rate `limit:"support" default:"60/1h"`
	ProfileLimit    ratelimit.Rate `limit:"profile" default:"30/1h"`
	ReportLimit     ratelimit.Rate `limit:"reports" default:"10/1h"`
	// Pictures of one user, in any call: each takes a second of CPU time, and permanent storage. A
	// large one counts up to four times.
	PictureLimit ratelimit.Rate `limit:"pictures" default:"30/10m"`

	// NewDivisor divides the limits of what a user creates while their account is younger than a
	// day.
	NewDivisor int `limit:"new-divisor" default:"4"`

	// The maximum number of a user's posts, of a new user's, and of a user's pending deposits.
	MaxPosts           int `limit:"max-posts" default:"200"`
	MaxPostsNew        int `limit:"max-posts-new" default:"20"`
	MaxPendingDeposits int `limit:"max-pending-deposits" default:"10"`

	// WebSockets: open ones of a user per api process, and the size and rate of their frames.
	Sockets           int            `limit:"sockets" default:"10"`
	SocketFrameBytes  int64          `limit:"socket-frame-bytes" default:"4096"`
	SocketFramesLimit ratelimit.Rate `limit:"socket-frames" default:"20/2s"`
}

// defaultLimits is the text of Limits without a change.
const defaultLimits = "default"

// UnmarshalText parses changes of the defaults such as "posts=10/1h,search=off". The last value of
// a name counts.
func (l *Limits) UnmarshalText(text []byte) error {
	names := limitNames()
	values := map[string]string{}
	for part := range strings.SplitSeq(string(text), ",") {
		part = strings.TrimSpace(part)
		if part == "" || part == defaultLimits {
			continue
		}
		name, value, found := strings.Cut(part, "=")
		if !found {
			return fmt.Errorf("must be name=limit, as in posts=10/1h, and not %q", part)
		}
		if !slices.Contains(names, name) {
			return fmt.Errorf("must not have %q; the nearest name is %q", name, nearest(name, names))
		}
		values[name] = value
	}
	type fields Limits // without this method
	options := env.Options{Environment: values, TagName: limitTag, DefaultValueTagName: "default"}
	parsed, err := env.ParseAsWithOptions[fields](options)
	if err != nil {
		return explain(reflect.TypeFor[Limits](), limitTag, err)
	}
	*l = Limits(parsed)
	return l.validate()
}

const limitTag = "limit"

func limitNames() []string {
	var names []string
	for field := range reflect.TypeFor[Limits]().Fields() {
		names = append(names, field.Tag.Get(limitTag))
	}
	return names
}

// nearest returns the name that shares the most pairs of letters with the wrong one.
func nearest(wrong string, names []string) string {
	shared := func(name string) (n int) {
		for i := range len(name) - 1 {
			if strings.Contains(wrong, name[i:i+2]) {
				n++
			}
		}
		return 2*n - len(name)
	}
	return slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(shared(a), shared(b)) })
}

func (l *Limits) validate() error {
	var p problems
	p.check("new-divisor", atLeast(l.NewDivisor, 1))
	p.check("max-posts", atLeast(l.MaxPosts, 1))
	p.check("max-posts-new", atLeast(l.MaxPostsNew, 1))
	p.check("max-pending-deposits", atLeast(l.MaxPendingDeposits, 1))
	p.check("sockets", atLeast(l.Sockets, 1))
	p.check("socket-frame-bytes", atLeast(l.SocketFrameBytes, 128))
	return p.err()
}

// localLimits are those of the local stack: all its visitors come from one address, and people who
// try the product out, and automated browsers, are faster than real users.
const localLimits = "anonymous-reads=off,feedback=off,forgot-address=off,forgot-unknown=off,login-address=off,passkey-login=off," +
	"signup=off,search=3000/1m,posts=200/1h,posts-day=600/24h,post-edits=1200/1h,messages=600/1m,conversations=200/1h," +
	"conversations-day=600/24h,deals=300/1h,deals-day=1000/24h,deposit=600/1h,deposit-retract=120/24h,invite-mails=100/24h," +
	"files=600/1h,withdrawals=200/1h,reviews=300/1h,support=600/1h,profile=300/1h,blocks=600/1h,reports=100/1h," +
	"pictures=300/10m,push-subscriptions=300/1h,push-tests=50/10m"

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

package config

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"

	"amanat/internal/lib/ratelimit"
	"amanat/internal/money"
)

// Limits are rate limits such as 5/15m, and numbers of things that may exist. Limits by address are
// generous, because the users of a mobile network share addresses. The tags have each limit's name
// in LIMITS and its default, the comments its text in docs/configuration.md.
type Limits struct {
	// Failed logins to one account from all browsers that its owner has never signed in with.
	LoginAccountLimit ratelimit.Rate `limit:"login-account" default:"5/15m"`
	// Failed logins to one account from a browser that its owner has signed in with.
	LoginBrowserLimit ratelimit.Rate `limit:"login-browser" default:"5/15m"`
	// Failed logins from one IP address; browsers known to the account do not count.
	LoginAddressLimit ratelimit.Rate `limit:"login-address" default:"100/15m"`
	// Failed password confirmations of a signed-in user.
	PasswordLimit ratelimit.Rate `limit:"password" default:"5/15m"`
	// Wrong codes of the second factor of one account, at logins and of a signed-in user.
	SecondFactorLimit ratelimit.Rate `limit:"second-factor" default:"5/15m"`
	// Logins by passkey started from one IP address: each keeps a row for ten minutes.
	PasskeyLoginLimit ratelimit.Rate `limit:"passkey-login" default:"600/15m"`

	// Password reset links mailed at the request of one IP address.
	ForgotAddressLimit ratelimit.Rate `limit:"forgot-address" default:"60/1h"`
	// Password resets requested from one IP address for email addresses without an account.
	ForgotUnknownLimit ratelimit.Rate `limit:"forgot-unknown" default:"300/1h"`
	// Password reset links to one mailbox; a link is valid for 30 minutes.
	ForgotEmailLimit ratelimit.Rate `limit:"reset-email" default:"3/1h"`
	// Verification emails sent again to one user.
	VerificationLimit ratelimit.Rate `limit:"verification" default:"1/1m"`
	// The same in a day.
	VerificationDayLimit ratelimit.Rate `limit:"verification-day" default:"5/24h"`
	// Verification emails to one mailbox, at sign-up and sent again; `a+1@x` and `A@x` count as one
	// mailbox, and dots in Gmail addresses are ignored.
	MailboxLimit ratelimit.Rate `limit:"mailbox" default:"6/24h"`
	// Verification emails to all mailboxes of one domain; a sign-up beyond this limit or `mailbox`
	// creates the account but sends no email yet.
	MailDomainLimit ratelimit.Rate `limit:"mail-domain" default:"2000/1h"`

	// Sign-ups from one IP address.
	SignupLimit ratelimit.Rate `limit:"signup" default:"200/1h"`
	// Bug reports and contact messages from one IP address.
	FeedbackLimit ratelimit.Rate `limit:"feedback" default:"60/1h"`
	// Anonymous reads of posts, profiles, reviews and so on from one IP address, not counting
	// images.
	AnonymousReadLimit ratelimit.Rate `limit:"anonymous-reads" default:"1200/1m"`
	// Posts seen from one IP address, for the counts that sellers read.
	PostViewLimit ratelimit.Rate `limit:"post-views" default:"600/1h"`
	// Searches for users by one user.
	SearchLimit ratelimit.Rate `limit:"search" default:"300/1m"`
	// Users blocked or unblocked by one user: each time changes both users' screens.
	BlockLimit ratelimit.Rate `limit:"blocks" default:"60/1h"`
	// Archives of their data that a user has made; failed ones do not count.
	DataExportLimit ratelimit.Rate `limit:"data-export" default:"1/24h"`
	// Statements that a user downloads: each takes up to a second of CPU time.
	FileLimit ratelimit.Rate `limit:"files" default:"60/1h"`
	// How often one user turns on pushes in browsers, or renews them.
	PushSubscriptionLimit ratelimit.Rate `limit:"push-subscriptions" default:"30/1h"`
	// Tests of pushes by one user.
	PushTestLimit ratelimit.Rate `limit:"push-tests" default:"5/10m"`

	// Divisor of the limits from here to `pictures` for new users, whose account is younger than a
	// day; each limit remains at least one.
	NewDivisor int `limit:"new-divisor" default:"4"`
	// Posts published.
	PostLimit ratelimit.Rate `limit:"posts" default:"20/1h"`
	// Posts published in a day.
	PostDayLimit ratelimit.Rate `limit:"posts-day" default:"60/24h"`
	// Changes to posts.
	PostEditLimit ratelimit.Rate `limit:"post-edits" default:"120/1h"`
	// Messages sent.
	MessageLimit ratelimit.Rate `limit:"messages" default:"60/1m"`
	// Conversations started.
	ConversationLimit ratelimit.Rate `limit:"conversations" default:"20/1h"`
	// Conversations started in a day.
	ConversationDayLimit ratelimit.Rate `limit:"conversations-day" default:"60/24h"`
	// Deals proposed, counter-offers, and offers to divide a price.
	DealLimit ratelimit.Rate `limit:"deals" default:"30/1h"`
	// The same in a day.
	DealDayLimit ratelimit.Rate `limit:"deals-day" default:"100/24h"`
	// Emails with links to deals, of one user.
	InviteMailLimit ratelimit.Rate `limit:"invite-mails" default:"10/24h"`
	// Emails with links to deals, to one mailbox from everybody.
	InviteMailboxLimit ratelimit.Rate `limit:"invite-mailbox" default:"3/24h"`
	// Deposits reported.
	DepositLimit ratelimit.Rate `limit:"deposit" default:"60/1h"`
	// Reports of deposits that are withdrawn: each report notifies the admins.
	RetractLimit ratelimit.Rate `limit:"deposit-retract" default:"12/24h"`
	// Calls of phones that forward SMS, from one IP address.
	PhoneLimit ratelimit.Rate `limit:"phones" default:"600/1m"`
	// Withdrawals requested.
	WithdrawalLimit ratelimit.Rate `limit:"withdrawals" default:"20/1h"`
	// Reviews written or changed.
	ReviewLimit ratelimit.Rate `limit:"reviews" default:"30/1h"`
	// Support requests, and disputes with their messages.
	SupportLimit ratelimit.Rate `limit:"support" default:"60/1h"`
	// Changes to the profile.
	ProfileLimit ratelimit.Rate `limit:"profile" default:"30/1h"`
	// Reports of users, posts, messages and reviews.
	ReportLimit ratelimit.Rate `limit:"reports" default:"10/1h"`
	// Images uploaded in messages, with posts or as profile picture; every 4 megapixels or part
	// thereof count as one. Each takes a second of CPU time, and permanent storage. New users can
	// still add the eight pictures of a post.
	PictureLimit ratelimit.Rate `limit:"pictures" default:"32/10m"`

	// Posts of one user.
	MaxPosts int `limit:"max-posts" default:"200"`
	// Posts of a new user.
	MaxPostsNew int `limit:"max-posts-new" default:"20"`
	// Pending deposits of one user of whom one was credited before; others may have one.
	MaxPendingDeposits int `limit:"max-pending-deposits" default:"10"`
	// Pending withdrawals of one user.
	MaxPendingWithdrawals int `limit:"max-pending-withdrawals" default:"5"`

	// WebSockets of one user on one api instance; opening another closes the oldest.
	Sockets int `limit:"sockets" default:"10"`
	// Rate of the frames that a WebSocket may send.
	SocketFramesLimit ratelimit.Rate `limit:"socket-frames" default:"20/2s"`
	// Size of the frames that a WebSocket may send.
	SocketFrameBytes int64 `limit:"socket-frame-bytes" default:"4096"`
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
	p.check("max-pending-withdrawals", atLeast(l.MaxPendingWithdrawals, 1))
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

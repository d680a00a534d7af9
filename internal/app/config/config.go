// Package config reads the environment of a process into structs, once. Every error names the
// variable it concerns.
package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net/mail"
	"net/netip"
	"net/url"
	"time"

	"amanat/internal/lib/webpush"
	"amanat/internal/money"
)

// API is the environment of cmd/api.
type API struct {
	Addr string `env:"ADDR" envDefault:"127.0.0.1:8080"`
	// OpsAddr serves health and metrics. It must not be reachable from the internet.
	OpsAddr string `env:"OPS_ADDR" envDefault:"127.0.0.1:9090"`
	// DatabaseURL logs in as amanat_api.
	DatabaseURL      string `env:"DATABASE_URL,required,notEmpty"`
	DatabaseMaxConns int32  `env:"DATABASE_MAX_CONNS" envDefault:"16"`
	// DatabasePooled is whether the connections go through a pooler such as PgBouncer.
	DatabasePooled bool   `env:"DATABASE_POOLED" envDefault:"false"`
	RedisURL       string `env:"REDIS_URL,required,notEmpty"`
	// RedisCAFile has the certificates in PEM that sign that of Redis; empty: those of the system.
	RedisCAFile string     `env:"REDIS_CA_FILE"`
	LogLevel    slog.Level `env:"LOG_LEVEL" envDefault:"info"`

	// PublicURL is the site's address for browsers. With https, cookies are Secure and have the
	// __Host- prefix.
	PublicURL string `env:"PUBLIC_URL" envDefault:"http://localhost:8080"`
	// TrustedProxies are the networks whose X-Forwarded-For is trusted; without any, the peer is
	// the client.
	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"`

	// BkashNumber and NagadNumber are the platform's personal numbers that deposits are sent to.
	BkashNumber string `env:"BKASH_NUMBER,required,notEmpty"`
	NagadNumber string `env:"NAGAD_NUMBER,required,notEmpty"`

	// DepositHours are the hours of the day in which admins check deposits, in Dhaka. They may go
	// past midnight.
	DepositHours Hours `env:"DEPOSIT_HOURS" envDefault:"09:00-23:00"`

	// PublicUserOffset and PublicUSDOffset are added to the public statistics by the UI.
	PublicUserOffset int64 `env:"PUBLIC_USER_OFFSET" envDefault:"12499"`
	PublicUSDOffset  int64 `env:"PUBLIC_USD_OFFSET" envDefault:"45499"`

	// ChatWarningWords are the words of payments outside Amanat that received messages are marked
	// for; empty: a list in English and Bangla; "off": none. Read them with WarningWords.
	ChatWarningWords []string `env:"CHAT_WARNING_WORDS"`

	// AdminReauth is how long an admin's re-authentication is valid for actions on money; 0
	// disables re-authentication.
	AdminReauth time.Duration `env:"ADMIN_REAUTH" envDefault:"15m"`
	// AdminSecondFactor is whether admins need a second factor before they act as such.
	AdminSecondFactor bool `env:"ADMIN_SECOND_FACTOR" envDefault:"true"`
	// CreditSecondAdmin is the largest credit of a deposit, in USD, that one admin may give alone;
	// 0: unlimited.
	CreditSecondAdmin int64 `env:"CREDIT_SECOND_ADMIN" envDefault:"1000"`
	// TrustLimits are what an account may pay and withdraw, by its level of trust: USD per deal,
	// paid and withdrawn in 24 hours, 0 for no limit; "off": nothing is limited.
	TrustLimits TrustLimits `env:"TRUST_LIMITS" envDefault:"new=1000/2000/500,basic=5000/15000/5000,established=25000/50000/25000,trusted=0/0/0"`
	// CommonPasswords is whether users may choose one of the most common passwords: refuse or
	// allow.
	CommonPasswords string `env:"COMMON_PASSWORDS" envDefault:"refuse"`
	// VAPIDPublicKey is the public one of the keys of pushes, which `amanat vapid-keys` makes;
	// empty: there are no pushes.
	VAPIDPublicKey string `env:"VAPID_PUBLIC_KEY"`
	// OperationWait is how long a request waits for its money operation to settle before it answers
	// 202.
	OperationWait time.Duration `env:"OPERATION_WAIT" envDefault:"2s"`

	Limits
	Tracing
	Withdrawals
	Blobs
}

// Worker is the environment of cmd/worker.
type Worker struct {
	// OpsAddr is as in API.
	OpsAddr string `env:"OPS_ADDR" envDefault:"127.0.0.1:9091"`
	// DatabaseURL logs in as amanat_worker.
	DatabaseURL      string `env:"DATABASE_URL,required,notEmpty"`
	DatabaseMaxConns int32  `env:"DATABASE_MAX_CONNS" envDefault:"16"`
	// DatabasePooled is as in API.
	DatabasePooled bool   `env:"DATABASE_POOLED" envDefault:"false"`
	RedisURL       string `env:"REDIS_URL,required,notEmpty"`
	// RedisCAFile is as in API.
	RedisCAFile string     `env:"REDIS_CA_FILE"`
	LogLevel    slog.Level `env:"LOG_LEVEL" envDefault:"info"`

	// Queues are the queues to serve.
	Queues Queues `env:"QUEUES"`

	// SMTPURL is smtp://user:password@host:port or smtps://.
	SMTPURL string `env:"SMTP_URL,required,notEmpty"`
	// MailFrom is an address such as "Amanat <no-reply@example.com>".
	MailFrom  string `env:"MAIL_FROM,required,notEmpty"`
	PublicURL string `env:"PUBLIC_URL" envDefault:"http://localhost:8080"`
	// SupportEmail receives bug reports and messages of the contact form.
	SupportEmail string `env:"SUPPORT_EMAIL,required,notEmpty"`

	// VAPIDPublicKey and VAPIDPrivateKey are the keys of pushes; empty: none are sent.
	VAPIDPublicKey  string `env:"VAPID_PUBLIC_KEY"`
	VAPIDPrivateKey string `env:"VAPID_PRIVATE_KEY"`

	// ReferralShare is the maximum percentage of a deal's fee that the referral rewards of both
	// parties may take together.
	ReferralShare int `env:"REFERRAL_SHARE" envDefault:"50"`
	// CreditSecondAdmin is as in API, and must be the same.
	CreditSecondAdmin int64 `env:"CREDIT_SECOND_ADMIN" envDefault:"1000"`
	// DepositClaimTTL is how long a reported deposit waits for an admin before it expires; 0:
	// never.
	DepositClaimTTL time.Duration `env:"DEPOSIT_CLAIM_TTL" envDefault:"72h"`

	// SoftStop is how long running jobs may continue after a stop signal.
	SoftStop time.Duration `env:"SOFT_STOP" envDefault:"20s"`

	// MailConnections is how many connections to the mail server are open at most, and so how many
	// emails of any kind are sent at the same time.
	MailConnections int `env:"MAIL_CONNECTIONS" envDefault:"20"`

	RiverUI
	Tracing
	Withdrawals
	Blobs
}

// Migrate is the environment of `amanat migrate`.
type Migrate struct {
	// DatabaseURL logs in as the owner of the database.
	DatabaseURL      string `env:"DATABASE_URL,required,notEmpty"`
	APIDBPassword    string `env:"API_DB_PASSWORD,required,notEmpty"`
	WorkerDBPassword string `env:"WORKER_DB_PASSWORD,required,notEmpty"`
	PublicURL        string `env:"PUBLIC_URL"` // with https, passwords of compose.yaml are rejected
}

// Values of API.CommonPasswords.
const (
	RefuseCommonPasswords = "refuse"
	AllowCommonPasswords  = "allow"
)

// Validate reports all invalid values. LoadAPI calls it, and code that builds the struct itself.
func (c API) Validate() error {
	var p problems
	p.check("ADDR", address(c.Addr))
	p.check("OPS_ADDR", address(c.OpsAddr))
	p.check("DATABASE_URL", databaseURL(c.DatabaseURL))
	p.check("DATABASE_MAX_CONNS", atLeast(int64(c.DatabaseMaxConns), 2))
	p.check("REDIS_URL", redisURL(c.RedisURL))
	p.check("PUBLIC_URL", origin(c.PublicURL))
	p.check("BKASH_NUMBER", receiver(c.BkashNumber))
	p.check("NAGAD_NUMBER", receiver(c.NagadNumber))
	p.check("PUBLIC_USER_OFFSET", atLeast(c.PublicUserOffset, 0))
	p.check("PUBLIC_USD_OFFSET", atLeast(c.PublicUSDOffset, 0))
	p.check("CHAT_WARNING_WORDS", warningWords(c.WarningWords()))
	p.check("ADMIN_REAUTH", atLeast(c.AdminReauth, 0))
	p.check("CREDIT_SECOND_ADMIN", creditLimit(c.CreditSecondAdmin))
	p.check("COMMON_PASSWORDS", oneOf(c.CommonPasswords, RefuseCommonPasswords, AllowCommonPasswords))
	if c.VAPIDPublicKey != "" {
		p.check("VAPID_PUBLIC_KEY", webpush.CheckPublic(c.VAPIDPublicKey))
	}
	p.check("OPERATION_WAIT", atLeast(c.OperationWait, 0))
	p.check("OPERATION_WAIT", atMost(c.OperationWait, 10*time.Second)) // the request's own deadline
	c.validate(&p)
	c.checkTracing(&p)
	c.Withdrawals.check(&p)
	c.Blobs.check(&p)
	if c.Secure() {
		p.check("DATABASE_URL", rejectExamplePassword(c.DatabaseURL))
		p.check("REDIS_URL", requirePassword(c.RedisURL))
	}
	return p.err()
}

// Secure reports whether browsers use HTTPS.
func (c API) Secure() bool { return secure(c.PublicURL) }

// SecondAdminAbove returns CreditSecondAdmin as an amount.
func (c API) SecondAdminAbove() money.Cents { return money.Cents(c.CreditSecondAdmin * 100) }

// SecondAdminAbove returns CreditSecondAdmin as an amount.
func (c Worker) SecondAdminAbove() money.Cents { return money.Cents(c.CreditSecondAdmin * 100) }

// PushKeys returns the keys of pushes, the zero value for none.
func (c Worker) PushKeys() webpush.Keys {
	return webpush.Keys{Public: c.VAPIDPublicKey, Private: c.VAPIDPrivateKey}
}

// Validate reports all invalid values. LoadWorker calls it, and code that builds the struct itself.
func (c Worker) Validate() error {
	var p problems
	p.check("OPS_ADDR", address(c.OpsAddr))
	p.check("DATABASE_URL", databaseURL(c.DatabaseURL))
	p.check("DATABASE_MAX_CONNS", atLeast(int64(c.DatabaseMaxConns), 2))
	p.check("REDIS_URL", redisURL(c.RedisURL))
	p.check("SMTP_URL", smtpURL(c.SMTPURL))
	p.check("MAIL_FROM", mailbox(c.MailFrom))
	p.check("SUPPORT_EMAIL", plainAddress(c.SupportEmail))
	p.check("PUBLIC_URL", origin(c.PublicURL))
	if c.VAPIDPublicKey != "" || c.VAPIDPrivateKey != "" {
		p.check("VAPID_PRIVATE_KEY", c.PushKeys().Check())
	}
	p.check("REFERRAL_SHARE", atLeast(c.ReferralShare, 0))
	p.check("REFERRAL_SHARE", atMost(c.ReferralShare, 100))
	p.check("CREDIT_SECOND_ADMIN", creditLimit(c.CreditSecondAdmin))
	p.check("DEPOSIT_CLAIM_TTL", claimTTL(c.DepositClaimTTL))
	p.check("SOFT_STOP", atLeast(c.SoftStop, time.Second))
	c.checkRiverUI(&p)
	c.checkTracing(&p)
	p.check("MAIL_CONNECTIONS", atLeast(c.MailConnections, 1))
	p.check("MAIL_CONNECTIONS", atMost(c.MailConnections, 256))
	c.Withdrawals.check(&p)
	c.Blobs.check(&p)
	if secure(c.PublicURL) {
		p.check("DATABASE_URL", rejectExamplePassword(c.DatabaseURL))
		p.check("REDIS_URL", requirePassword(c.RedisURL))
	}
	return p.err()
}

// Validate reports all invalid values.
func (c Migrate) Validate() error {
	var p problems
	p.check("DATABASE_URL", databaseURL(c.DatabaseURL))
	if c.APIDBPassword == c.WorkerDBPassword {
		p.check("WORKER_DB_PASSWORD", fmt.Errorf("must differ from API_DB_PASSWORD: the api must not be able to log in as the worker"))
	}
	if secure(c.PublicURL) {
		p.check("DATABASE_URL", rejectExamplePassword(c.DatabaseURL))
		p.check("API_DB_PASSWORD", checkNotExample(c.APIDBPassword))
		p.check("WORKER_DB_PASSWORD", checkNotExample(c.WorkerDBPassword))
	}
	return p.err()
}

// creditLimit checks that the amount is possible for one credit.
func creditLimit(usd int64) error {
	return errors.Join(atLeast(usd, 0), atMost(usd, 1_000_000))
}

// claimTTL checks that admins have enough time to see a deposit.
func claimTTL(ttl time.Duration) error {
	if ttl == 0 {
		return nil
	}
	return atLeast(ttl, time.Hour)
}

func secure(publicURL string) bool {
	u, err := url.Parse(publicURL)
	return err == nil && u.Scheme == "https"
}

func mailbox(value string) error {
	if _, err := mail.ParseAddress(value); err != nil {
		return fmt.Errorf("must be a mail address, as in Amanat <no-reply@example.com>")
	}
	return nil
}

func plainAddress(value string) error {
	if parsed, err := mail.ParseAddress(value); err != nil || parsed.Address != value {
		return fmt.Errorf("must be a mail address without a name, as in support@example.com")
	}
	return nil
}

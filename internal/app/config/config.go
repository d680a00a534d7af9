// Package config reads the environment of a process into structs, once. Every error names the
// variable it concerns.
package config

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/mail"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"amanat/internal/lib/redisclient"
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

	// Limits are changes of the default limits, as in posts=10/1h,search=off.
	Limits Limits `env:"LIMITS" envDefault:"default"`
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

// secretVariables may hold a password or a key. Each has a variant NAME_FILE that names a file with
// the value, as orchestrators mount secrets: the environment of a process is easier to read than
// its files.
var secretVariables = []string{
	"API_DB_PASSWORD", "BLOBS_S3_ACCESS_KEY", "BLOBS_S3_SECRET_KEY", "DATABASE_URL", "OTEL_EXPORTER_OTLP_HEADERS",
	"REDIS_URL", "RIVER_UI_TOKEN", "SMTP_URL", "VAPID_PRIVATE_KEY", "WORKER_DB_PASSWORD",
}

const (
	fileSuffix     = "_FILE"
	maxSecretBytes = 64 << 10
)

// withFiles returns the environment with the values of the files that it names, for the variables
// of a struct.
func withFiles(of reflect.Type, environment map[string]string) (map[string]string, error) {
	var p problems
	filled := maps.Clone(environment)
	for _, field := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
		path := environment[name+fileSuffix]
		if path == "" || !slices.Contains(secretVariables, name) {
			continue
		}
		if environment[name] != "" {
			p.check(name, fmt.Errorf("is set, and so is %s: set one of them", name+fileSuffix))
			continue
		}
		value, err := readSecret(path)
		p.check(name+fileSuffix, err)
		filled[name] = value
	}
	return filled, p.err()
}

// readSecret returns the content of a file without the line break that editors put at its end.
func readSecret(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, maxSecretBytes+1))
	if err != nil {
		return "", err
	}
	if len(content) > maxSecretBytes {
		return "", fmt.Errorf("%s has more than %d bytes", path, maxSecretBytes)
	}
	value := strings.TrimRight(string(content), "\r\n")
	if value == "" {
		return "", fmt.Errorf("%s is empty", path)
	}
	if strings.ContainsAny(value, "\r\n\x00") {
		return "", errors.New(path + " has more than one line")
	}
	return value, nil
}

// examplePasswords are the public ones of compose.yaml: acceptable on a development machine without
// https.
var examplePasswords = []string{"api-demo", "owner-demo", "redis-demo", "worker-demo"}

func checkNotExample(password string) error {
	if slices.Contains(examplePasswords, password) {
		return errors.New("must not be the example's password where PUBLIC_URL has https: choose one of your own")
	}
	return nil
}

// rejectExamplePassword rejects a URL with a password of compose.yaml.
func rejectExamplePassword(value string) error {
	return checkNotExample(passwordIn(value))
}

// requirePassword rejects a Redis without a password, unless it is on this machine.
func requirePassword(value string) error {
	address, err := redisclient.Parse(value)
	if err == nil && address.Password == "" && !redisclient.Local(address) {
		return errors.New("must hold a password where PUBLIC_URL has https, as in redis://:password@host:6379/0")
	}
	return errors.Join(checkNotExample(address.Password), checkNotExample(address.SentinelPassword))
}

func passwordIn(value string) string {
	u, err := url.Parse(value)
	if err != nil {
		return ""
	}
	if password, given := u.User.Password(); given {
		return password
	}
	return u.Query().Get("password") // PostgreSQL's URLs allow it there
}

const (
	noWarningWords = "off"

	maxWarningWords   = 200
	minWarningLetters = 2
	maxWarningLetters = 60
)

// defaultWarningWords are what people write who want to be paid, or written to, outside Amanat: in
// English, in Bangla, and in Bangla with Latin letters.
var defaultWarningWords = []string{
	"send money", "send the money", "send taka", "send payment", "send me the money", "cash out", "pay outside", "pay directly",
	"pay me directly", "direct payment", "outside amanat", "without amanat", "outside the site", "outside the platform", "off platform",
	"bank transfer", "personal number", "personal account", "agent number", "merchant number", "bkash number", "nagad number",
	"rocket number", "bkash me", "nagad me", "advance", "security deposit", "gift card", "western union",
	"bkash koren", "bkash korun", "bkash korben", "bkash kore den", "bkash kore dao", "bkash e pathan", "bkash e den", "bkash den",
	"nagad koren", "nagad korun", "nagad korben", "nagad kore den", "nagad e pathan", "nagad e den", "nagad den",
	"taka pathan", "taka pathao", "taka pathaben", "send money koren", "send money korun", "send money korben", "otp", "pin number",
	"whatsapp", "whats app", "wa.me", "telegram", "t.me", "imo number", "messenger e asen", "call me", "call den", "inbox koren",
	"বিকাশ করেন", "বিকাশ করুন", "বিকাশ করবেন", "বিকাশ করে দেন", "বিকাশ করে দিন", "বিকাশ কর", "বিকাশে পাঠান", "বিকাশে দেন", "বিকাশে দিন",
	"বিকাশ নম্বর", "বিকাশ নাম্বার", "নগদ করেন", "নগদ করুন", "নগদ করবেন", "নগদে পাঠান", "নগদে দেন", "নগদে দিন", "নগদ নম্বর", "নগদ নাম্বার",
	"রকেট নম্বর", "রকেট নাম্বার", "রকেটে পাঠান", "টাকা পাঠান", "টাকা পাঠাও", "টাকা পাঠাবেন", "টাকা পাঠিয়ে দেন", "টাকা পাঠিয়ে দিন",
	"সেন্ড মানি", "ক্যাশ আউট", "সরাসরি টাকা", "সরাসরি পেমেন্ট", "বাইরে পেমেন্ট", "বাইরে টাকা", "আমানতের বাইরে", "আমানত ছাড়া",
	"পার্সোনাল নম্বর", "পার্সোনাল নাম্বার", "এজেন্ট নম্বর", "এজেন্ট নাম্বার", "অগ্রিম", "অ্যাডভান্স", "এডভান্স", "ওটিপি", "পিন নম্বর",
	"পিন নাম্বার", "হোয়াটসঅ্যাপ", "হোয়াটসঅ্যাপে", "হোয়াটসএপ", "টেলিগ্রাম", "টেলিগ্রামে", "ইমো", "ইমোতে", "কল দেন", "কল দিন",
}

// WarningWords returns the words and phrases that a received message is marked for.
func (c API) WarningWords() []string {
	words := []string{}
	for _, word := range c.ChatWarningWords {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	switch {
	case len(words) == 0:
		return slices.Clone(defaultWarningWords)
	case len(words) == 1 && words[0] == noWarningWords:
		return []string{}
	}
	return words
}

// warningWords checks the list that clients search every message for.
func warningWords(words []string) error {
	if len(words) > maxWarningWords {
		return fmt.Errorf("must be at most %d words; got %d", maxWarningWords, len(words))
	}
	for _, word := range words {
		if n := utf8.RuneCountInString(word); n < minWarningLetters || n > maxWarningLetters {
			return fmt.Errorf("must be words of %d to %d characters; got %q", minWarningLetters, maxWarningLetters, word)
		}
	}
	return nil
}

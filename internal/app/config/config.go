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
	"unicode"
	"unicode/utf8"

	"amanat/internal/lib/checkout"
	"amanat/internal/lib/redisclient"
	"amanat/internal/lib/webpush"
	"amanat/internal/money"
)

// Shared are the settings of cmd/api and cmd/worker, which must have the same values but for the
// login, the pool and the level of the log. The comments of settings are the text of
// docs/configuration.md.
type Shared struct {
	// The database, with the login amanat_api or amanat_worker.
	DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
	// Connections of the main pool.
	DatabaseMaxConns int32 `env:"DATABASE_MAX_CONNS" envDefault:"16"`
	// Whether the connections go through a pooler in transaction mode, such as PgBouncer.
	DatabasePooled bool `env:"DATABASE_POOLED" envDefault:"false"`
	// As in `redis://:password@host:6379/0`, or one of the forms below. With an `https` PUBLIC_URL,
	// only a Redis on the same machine may have no password.
	RedisURL string `env:"REDIS_URL,required,notEmpty"`
	// With TLS: a file in PEM with the certificates that sign those of Redis, instead of the
	// system's.
	RedisCAFile string `env:"REDIS_CA_FILE"`
	// The address of the site as browsers write it: lower case, without the scheme's default port.
	// With `https`, cookies are Secure, browsers use only https for this host and its subdomains
	// for a year (HSTS), and processes refuse to start with a password from `compose.yaml`.
	PublicURL string `env:"PUBLIC_URL" envDefault:"http://localhost:8080"`
	// `debug`, `info`, `warn` or `error`.
	LogLevel slog.Level `env:"LOG_LEVEL" envDefault:"info"`
	// The object storage of new pictures, as in
	// `https://KEY:SECRET@s3.example.com/bucket/prefix/?region=eu-central-1`; without it, they are
	// in the database. See docs/deployment.md#object-storage.
	Bucket Bucket `env:"BLOBS_URL"`
	// Pushes to browsers while no page is open; without it, there are none. `amanat vapid-keys`
	// makes the pair of keys. With other keys, users have to turn pushes on again.
	VAPIDPublicKey string `env:"VAPID_PUBLIC_KEY"`
	// The largest deposit credit, in US dollars, that does not require a second admin; `0` never
	// requires one.
	CreditSecondAdmin int64 `env:"CREDIT_SECOND_ADMIN" envDefault:"1000"`
	// How long a withdrawal is held if it goes to a new number, follows a reset of the password, a
	// change of the second factor or of the address, or comes from a new browser, unless its owner
	// confirms it through the mailed link or with the second factor. `0` disables holds, and lets
	// money be released in such circumstances without a proof, see docs/rules.md#ownership.
	WithdrawalHold time.Duration `env:"WITHDRAWAL_HOLD" envDefault:"24h"`
	// Minimum withdrawal, in US dollars: each is paid out by hand.
	MinWithdrawal USD `env:"MIN_WITHDRAWAL" envDefault:"1.00"`
	// Limits of accounts by their level of trust: US dollars per deal, paid in 24 hours and
	// withdrawn in 24 hours. All four levels are named, and none has less than the one before. `0`
	// sets no limit, `off` none at all. See docs/rules.md#trust-limits.
	TrustLimits TrustLimits `env:"TRUST_LIMITS" envDefault:"new=1000/2000/500,basic=5000/15000/5000,established=25000/50000/25000,trusted=0/0/0"`
	// Changes of the limits below, as in `posts=10/1h,search=off`.
	Limits Limits `env:"LIMITS" envDefault:"default"`
	Tracing
}

// API is the environment of cmd/api.
type API struct {
	// Address to serve the site on.
	Addr string `env:"ADDR" envDefault:"127.0.0.1:8080"`
	// Health checks and metrics. Do not expose it to the internet.
	OpsAddr string `env:"OPS_ADDR" envDefault:"127.0.0.1:9090"`
	// Networks whose `X-Forwarded-For` is trusted, as in `10.0.0.0/8,fd00::/8`. Without any, the
	// peer of a connection is the client.
	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"`
	// The numbers that users send deposits to, at least one of each method, and how many taka each
	// takes a day and a month, as in `Bkash:01700000000:50000/300000,Nagad:01900000000`; without
	// caps, these, the limits of personal accounts. `merchant` in their place sets none. See
	// docs/rules.md#receivers.
	Receivers Receivers `env:"RECEIVERS,required,notEmpty"`
	// The hours, every day in Dhaka, in which admins check deposits, as users are told. They may go
	// past midnight, as in `18:00-02:00`, and `00:00-24:00` is the whole day.
	DepositHours Hours `env:"DEPOSIT_HOURS" envDefault:"09:00-23:00"`
	// Who operates the site, on receipts and statements: the name and, after the first comma, the
	// address, as in `Amanat Ltd, 12 Lake Road, Dhaka 1212`. The host of PUBLIC_URL by default.
	Operator string `env:"OPERATOR"`
	// Added to the number of users on the landing page.
	PublicUserOffset int64 `env:"PUBLIC_USER_OFFSET" envDefault:"12499"`
	// Added to the dollars on the landing page.
	PublicUSDOffset int64 `env:"PUBLIC_USD_OFFSET" envDefault:"45499"`
	// Words and phrases, separated by commas, below which a page warns of payments outside Amanat
	// when they are in a message received; empty for a list in English and Bangla, `off` for none.
	// Phone numbers and payment links are warned of in any case.
	ChatWarningWords []string `env:"CHAT_WARNING_WORDS"` // read them with WarningWords
	// How long after entering their password an admin may act on money. With `0`, it is never
	// requested again, and admins' passwords may be as short as other users'; `grant-admin` still
	// requires 12 characters.
	AdminReauth time.Duration `env:"ADMIN_REAUTH" envDefault:"15m"`
	// Whether admins need a second factor: without one, they can sign in but not use the admin
	// area.
	AdminSecondFactor bool `env:"ADMIN_SECOND_FACTOR" envDefault:"true"`
	// How long a call waits for the outcome of a money operation before it returns 202.
	OperationWait time.Duration `env:"OPERATION_WAIT" envDefault:"2s"`
	Shared
}

// Worker is the environment of cmd/worker.
type Worker struct {
	// Health checks, metrics and River UI. Do not expose it to the internet.
	OpsAddr string `env:"OPS_ADDR" envDefault:"127.0.0.1:9091"`
	// The queues to serve, each with or without a number of workers, as in `money=12,mail=20`;
	// without, all. A queue has at most four workers for each of
	// DATABASE_MAX_CONNS, `money` one. The workers of `mail` are also the connections to the mail
	// server, which stay open; Postfix accepts 50 from one address unless it is told otherwise.
	Queues Queues `env:"QUEUES"`
	// `smtp://user:password@host:587` or `smtps://`.
	SMTPURL string `env:"SMTP_URL,required,notEmpty"`
	// As in `Amanat <no-reply@amanat.example>`.
	MailFrom string `env:"MAIL_FROM,required,notEmpty"`
	// Receives bug reports, messages from the contact form and each night's heads of the chains.
	SupportEmail string `env:"SUPPORT_EMAIL,required,notEmpty"`
	// Signs pushes; keep it secret.
	VAPIDPrivateKey string `env:"VAPID_PRIVATE_KEY"`
	// Maximum share of a deal's fee, in percent, that its referral rewards may use together. With
	// `100`, the rewards of a deal whose parties have different referrers use the whole fee, and
	// such deals are free for people who refer each other.
	ReferralShare int `env:"REFERRAL_SHARE" envDefault:"50"`
	// How long a reported deposit waits for an admin before it expires. With `0`, it never does.
	DepositClaimTTL time.Duration `env:"DEPOSIT_CLAIM_TTL" envDefault:"72h"`
	// The phones that forward the SMS of bKash and Nagad, each with the key that its app signs
	// with, as in `shop=KEY,spare=KEY`. Without any, admins credit all deposits. See
	// docs/deployment.md#phones.
	PhoneKeys PhoneKeys `env:"PHONE_KEYS"`
	// How much is credited to one user in 24 hours without an admin, in US dollars.
	AutoCreditMax USD `env:"AUTO_CREDIT_MAX" envDefault:"200.00"`
	// The merchant account for payments on the page of bKash: the URL of its API, with the
	// credentials, as in `https://USER:PASSWORD@host/path?app_key=KEY&app_secret=SECRET`. Without
	// it, users send the money themselves. See docs/deployment.md#checkout.
	BkashCheckout checkout.BkashAccount `env:"BKASH_CHECKOUT"`
	// How long running jobs may continue after a stop signal.
	SoftStop time.Duration `env:"SOFT_STOP" envDefault:"20s"`
	// The password of River UI at `/river/` of the ops port, at least 16 characters; without, there
	// is none. See docs/runbook.md#river-ui.
	RiverUIToken string `env:"RIVER_UI_TOKEN"`
	Shared
}

// Migrate is the environment of `amanat migrate`.
type Migrate struct {
	// The database, with the login of its owner.
	DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
	// The password that the login amanat_api gets.
	APIDBPassword string `env:"API_DB_PASSWORD,required,notEmpty"`
	// The password that the login amanat_worker gets.
	WorkerDBPassword string `env:"WORKER_DB_PASSWORD,required,notEmpty"`
	// As above: with `https`, passwords from `compose.yaml` are refused.
	PublicURL string `env:"PUBLIC_URL"`
}

// minRiverUIToken is the least length of a token, which is not slowed down by a limit.
const minRiverUIToken = 16

func (c Shared) checkShared(p *problems) {
	p.check("DATABASE_URL", databaseURL(c.DatabaseURL))
	p.check("DATABASE_MAX_CONNS", errors.Join(atLeast(int64(c.DatabaseMaxConns), 2), atMost(int64(c.DatabaseMaxConns), maxConns)))
	p.check("REDIS_URL", redisURL(c.RedisURL))
	p.check("PUBLIC_URL", origin(c.PublicURL))
	p.check("CREDIT_SECOND_ADMIN", errors.Join(atLeast(c.CreditSecondAdmin, 0), atMost(c.CreditSecondAdmin, maxSecondAdmin)))
	p.check("WITHDRAWAL_HOLD", atLeast(c.WithdrawalHold, 0))
	p.check("MIN_WITHDRAWAL", atLeast(c.MinWithdrawal, 1))
	c.checkTracing(p)
	if secure(c.PublicURL) {
		p.check("DATABASE_URL", rejectExamplePassword(c.DatabaseURL))
		p.check("REDIS_URL", requirePassword(c.RedisURL))
	}
}

// maxConns is more than PostgreSQL serves well.
const maxConns = 1000

// maxSecondAdmin is the largest amount of one credit, in USD.
const maxSecondAdmin = 1_000_000

// Secure reports whether browsers use HTTPS.
func (c Shared) Secure() bool { return secure(c.PublicURL) }

// SecondAdminAbove returns CreditSecondAdmin as an amount.
func (c Shared) SecondAdminAbove() money.Cents { return money.Cents(c.CreditSecondAdmin * 100) }

// AutoCredit returns AutoCreditMax as an amount.
func (c Worker) AutoCredit() money.Cents { return money.Cents(c.AutoCreditMax) }

// Validate reports all invalid values. LoadAPI calls it, and code that builds the struct itself.
func (c API) Validate() error {
	var p problems
	p.check("ADDR", address(c.Addr))
	p.check("OPS_ADDR", address(c.OpsAddr))
	p.check("TRUSTED_PROXIES", trusted(c.TrustedProxies))
	p.check("RECEIVERS", c.Receivers.check())
	p.check("OPERATOR", oneLine(c.Operator))
	p.check("PUBLIC_USER_OFFSET", atLeast(c.PublicUserOffset, 0))
	p.check("PUBLIC_USD_OFFSET", atLeast(c.PublicUSDOffset, 0))
	p.check("CHAT_WARNING_WORDS", warningWords(c.WarningWords()))
	p.check("ADMIN_REAUTH", atLeast(c.AdminReauth, 0))
	if c.VAPIDPublicKey != "" {
		p.check("VAPID_PUBLIC_KEY", webpush.CheckPublic(c.VAPIDPublicKey))
	}
	p.check("OPERATION_WAIT", atLeast(c.OperationWait, 0))
	p.check("OPERATION_WAIT", atMost(c.OperationWait, 10*time.Second)) // the request's own deadline
	c.checkShared(&p)
	return p.err()
}

// oneLine accepts what fits on the head of a paper.
func oneLine(text string) error {
	const longest = 200
	if utf8.RuneCountInString(text) > longest || strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Errorf("must be one line of at most %d characters", longest)
	}
	return nil
}

// trusted rejects networks of all addresses: every client could say which address it has.
func trusted(proxies []netip.Prefix) error {
	for _, network := range proxies {
		if network.Bits() == 0 {
			return fmt.Errorf("must not be everybody (%s): a client could then choose its address", network)
		}
	}
	return nil
}

// PushKeys returns the keys of pushes, the zero value for none.
func (c Worker) PushKeys() webpush.Keys {
	return webpush.Keys{Public: c.VAPIDPublicKey, Private: c.VAPIDPrivateKey}
}

// Validate reports all invalid values. LoadWorker calls it, and code that builds the struct itself.
func (c Worker) Validate() error {
	var p problems
	p.check("OPS_ADDR", address(c.OpsAddr))
	p.check("SMTP_URL", smtpURL(c.SMTPURL))
	p.check("MAIL_FROM", mailbox(c.MailFrom))
	p.check("SUPPORT_EMAIL", plainAddress(c.SupportEmail))
	if c.VAPIDPublicKey != "" || c.VAPIDPrivateKey != "" {
		p.check("VAPID_PRIVATE_KEY", c.PushKeys().Check())
	}
	p.check("REFERRAL_SHARE", errors.Join(atLeast(c.ReferralShare, 0), atMost(c.ReferralShare, 100)))
	p.check("DEPOSIT_CLAIM_TTL", claimTTL(c.DepositClaimTTL))
	p.check("SOFT_STOP", atLeast(c.SoftStop, time.Second))
	if c.RiverUIToken != "" && len(c.RiverUIToken) < minRiverUIToken {
		p.check("RIVER_UI_TOKEN", errors.New("must be at least 16 characters long"))
	}
	c.checkShared(&p)
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
	"API_DB_PASSWORD", "BKASH_CHECKOUT", "BLOBS_URL", "DATABASE_URL", "OTEL_EXPORTER_OTLP_HEADERS", "PHONE_KEYS", "REDIS_URL",
	"RIVER_UI_TOKEN", "SMTP_URL", "VAPID_PRIVATE_KEY", "WORKER_DB_PASSWORD",
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

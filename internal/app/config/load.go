package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
	"golang.org/x/net/http/httpguts"

	"amanat/internal/lib/blobs"
	"amanat/internal/lib/redisclient"
)

// LoadAPI reads and checks the environment of cmd/api.
func LoadAPI() (API, error) { return load[API]() }

// LoadWorker reads and checks the environment of cmd/worker.
func LoadWorker() (Worker, error) { return load[Worker]() }

// LoadMigrate reads and checks the environment of `amanat migrate`.
func LoadMigrate() (Migrate, error) { return load[Migrate]() }

// DatabaseURL reads DATABASE_URL alone, for tools that need nothing else.
func DatabaseURL() (string, error) {
	c, err := load[onlyDatabase]()
	return c.DatabaseURL, err
}

type onlyDatabase struct {
	DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
}

func (c onlyDatabase) Validate() error {
	var p problems
	p.check("DATABASE_URL", databaseURL(c.DatabaseURL))
	return p.err()
}

// SudoUser returns who has run this command through sudo, "" if nobody has.
func SudoUser() string { return os.Getenv("SUDO_USER") }

// Redis reads REDIS_URL and REDIS_CA_FILE alone, for tools that can do without Redis: the URL is
// empty if the variable is not set.
func Redis() (url, caFile string, err error) {
	c, err := load[onlyRedis]()
	return c.RedisURL, c.RedisCAFile, err
}

type onlyRedis struct {
	RedisURL    string `env:"REDIS_URL"`
	RedisCAFile string `env:"REDIS_CA_FILE"`
}

func (c onlyRedis) Validate() error {
	var p problems
	if c.RedisURL != "" {
		p.check("REDIS_URL", redisURL(c.RedisURL))
	}
	return p.err()
}

func load[T interface{ Validate() error }]() (T, error) {
	c, err := parse[T](env.ToMap(os.Environ()))
	if err != nil {
		return c, fmt.Errorf("environment: %w", err)
	}
	return c, nil
}

// parse reports all errors at once, so that a deployment can be fixed in one go.
func parse[T interface{ Validate() error }](environment map[string]string) (T, error) {
	filled, err := withFiles(reflect.TypeFor[T](), environment)
	if err = errors.Join(err, misspelt(environment)); err != nil {
		var none T
		return none, err
	}
	c, err := env.ParseAsWithOptions[T](env.Options{Environment: filled})
	if err != nil {
		return c, explain(reflect.TypeFor[T](), "env", err)
	}
	return c, c.Validate()
}

// explain converts the parser's errors to the names in the tags: it names struct fields for values
// that it cannot parse.
func explain(of reflect.Type, tag string, err error) error {
	var all env.AggregateError
	if !errors.As(err, &all) {
		return err
	}
	var p problems
	for _, err := range all.Errors {
		var unset env.VarIsNotSetError
		var empty env.EmptyVarError
		var parse env.ParseError
		switch {
		case errors.As(err, &unset):
			p.check(unset.Key, errors.New("is required"))
		case errors.As(err, &empty):
			p.check(empty.Key, errors.New("is required"))
		case errors.As(err, &parse):
			field, _ := of.FieldByName(parse.Name)
			p.check(tagged(of, parse.Name, tag), plain(field.Type, parse.Err))
		default:
			p.list = append(p.list, err)
		}
	}
	return p.err()
}

func tagged(of reflect.Type, field, tag string) string {
	found, _ := of.FieldByName(field)
	name, _, _ := strings.Cut(found.Tag.Get(tag), ",")
	return name
}

type problems struct{ list []error }

func (p *problems) check(name string, err error) {
	if err != nil {
		p.list = append(p.list, fmt.Errorf("%s: %w", name, err))
	}
}

func (p *problems) err() error { return errors.Join(p.list...) }

func address(value string) error {
	_, port, err := net.SplitHostPort(value)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return errors.New("must be host:port, as in 127.0.0.1:8080")
	}
	return nil
}

// Errors never contain the value of a URL that may hold a password, because they end up in logs.

func databaseURL(value string) error {
	return anyURL(value, "as in postgres://user:password@host:5432/database", "postgres", "postgresql")
}

func redisURL(value string) error {
	_, err := redisclient.Parse(value)
	return err
}

func smtpURL(value string) error {
	return anyURL(value, "as in smtp://user:password@host:587", "smtp", "smtps")
}

func anyURL(value, example string, schemes ...string) error {
	u, err := url.Parse(value)
	if err != nil || !slices.Contains(schemes, u.Scheme) || (u.Host == "" && u.Path == "") {
		return fmt.Errorf("must be a URL, %s; %s", example, escaping)
	}
	// The rest of an unescaped password ends up in these parts, and from there in the errors of
	// drivers and in DNS queries.
	if u.Fragment != "" || strings.Contains(u.Host+u.Path, "@") {
		return fmt.Errorf("must be a URL, %s; %s", example, escaping)
	}
	return nil
}

const escaping = "in a password, %2F stands for /, %23 for #, %3F for ?, %40 for @ and %25 for %"

// origin requires the form in which browsers send the Origin header, because the value is compared
// with it.
func origin(value string) error {
	u, err := url.Parse(value)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || value != u.Scheme+"://"+u.Host {
		return fmt.Errorf("must be scheme and host without a path or slash at the end, as in https://amanat.example; got %q", value)
	}
	if browsers := u.Scheme + "://" + shortHost(u.Scheme, strings.ToLower(u.Host)); value != browsers {
		return fmt.Errorf("must be in lower case and without the port that %s has anyway, as browsers send it: %s; got %q",
			u.Scheme, browsers, value)
	}
	return nil
}

// shortHost removes the port if it is empty or the scheme's default.
func shortHost(scheme, host string) string {
	port := map[string]string{"http": ":80", "https": ":443"}[scheme]
	return strings.TrimSuffix(strings.TrimSuffix(host, port), ":")
}

func atLeast[T cmp.Ordered](value, least T) error {
	if value < least {
		return fmt.Errorf("must be at least %v; got %v", least, value)
	}
	return nil
}

func atMost[T cmp.Ordered](value, most T) error {
	if value > most {
		return fmt.Errorf("must be at most %v; got %v", most, value)
	}
	return nil
}

// Local is the environment of cmd/local. Every variable of API and Worker may be set too, except
// the addresses of the servers.
type Local struct {
	// Port to listen on, on 127.0.0.1 only; `0` for a free one.
	Port int `env:"PORT" envDefault:"8080"`
	// Data directory.
	DataDir string `env:"AMANAT_DATA" envDefault:".local"`
	// A PostgreSQL instead of the built-in one, with the login of the database's owner.
	DatabaseURL string `env:"DATABASE_URL"`
	// A Redis instead of the built-in one.
	RedisURL string `env:"REDIS_URL"`
	// A mail server instead of the built-in one.
	SMTPURL string `env:"SMTP_URL"`
}

// LoadLocal reads and checks the environment of cmd/local.
func LoadLocal() (Local, error) { return load[Local]() }

// Validate reports all invalid values.
func (c Local) Validate() error {
	var p problems
	if c.Port < 0 || c.Port > 65535 {
		p.check("PORT", errors.New("must be 0 (any) to 65535"))
	}
	if c.DatabaseURL != "" {
		p.check("DATABASE_URL", databaseURL(c.DatabaseURL))
	}
	if c.RedisURL != "" {
		p.check("REDIS_URL", redisURL(c.RedisURL))
	}
	if c.SMTPURL != "" {
		p.check("SMTP_URL", smtpURL(c.SMTPURL))
	}
	return p.err()
}

// localDefaults are values that a deployment must set and the local stack provides.
func localDefaults(port int) map[string]string {
	return map[string]string{
		"ADMIN_REAUTH":        "0",     // the demo admin need not re-authenticate
		"ADMIN_SECOND_FACTOR": "false", // nor have a second factor
		"LOG_LEVEL":           "warn",
		"MAIL_FROM":           "Amanat <no-reply@amanat.example>",
		"OPERATOR":            "Amanat Demo Ltd, 12 Lake Road, Gulshan, Dhaka 1212",
		"PUBLIC_URL":          LocalOrigin("localhost", port),
		"RECEIVERS":           "Bkash:01700000000:merchant,Nagad:01800000000:merchant",
		"SOFT_STOP":           "5s",
		"SUPPORT_EMAIL":       "support@amanat.example",
	}
}

// LocalOrigin returns the origin of cmd/local under a host name, as browsers write it.
func LocalOrigin(host string, port int) string {
	return "http://" + shortHost("http", net.JoinHostPort(host, strconv.Itoa(port)))
}

// LocalAPI returns the configuration of an api inside cmd/local that listens on the port.
func LocalAPI(port int, databaseURL, redisURL string) (API, error) {
	return local[API](port, map[string]string{"DATABASE_URL": databaseURL, "REDIS_URL": redisURL})
}

// LocalWorker returns the configuration of a worker inside cmd/local.
func LocalWorker(port int, databaseURL, redisURL, smtpURL string) (Worker, error) {
	return local[Worker](port, map[string]string{"DATABASE_URL": databaseURL, "REDIS_URL": redisURL, "SMTP_URL": smtpURL})
}

func local[T interface{ Validate() error }](port int, servers map[string]string) (T, error) {
	environment := localDefaults(port)
	for name, value := range env.ToMap(os.Environ()) {
		if value != "" {
			environment[name] = value
		}
	}
	environment["LIMITS"] = localLimits + "," + environment["LIMITS"]
	maps.Copy(environment, servers)
	for name := range servers {
		delete(environment, name+fileSuffix)
	}
	c, err := parse[T](environment)
	if err != nil {
		return c, fmt.Errorf("environment: %w", err)
	}
	return c, nil
}

const wholeDay = 24 * time.Hour

// Hours are hours of every day in Dhaka. With To before From they go past midnight. The zero value
// is the whole day.
type Hours struct {
	From, To time.Duration // since midnight
}

var errHours = errors.New("must be two times of a day, as in 09:00-23:00 or 18:00-02:00; 00:00-24:00 is the whole day")

// UnmarshalText parses "09:00-23:00".
func (h *Hours) UnmarshalText(text []byte) error {
	from, to, found := strings.Cut(string(text), "-")
	start, startErr := timeOfDay(from)
	end, endErr := timeOfDay(to)
	if !found || startErr != nil || endErr != nil || start == end || start == wholeDay {
		return errHours
	}
	*h = Hours{From: start, To: end}
	return nil
}

// timeOfDay parses a time from 00:00 to 24:00.
func timeOfDay(text string) (time.Duration, error) {
	if text == "24:00" {
		return wholeDay, nil
	}
	at, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return 0, errHours
	}
	return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute, nil
}

// Bounds returns the first and the last moment of the hours, since the midnight of the day on which
// they begin.
func (h Hours) Bounds() (from, to time.Duration) {
	if h.To <= h.From {
		return h.From, h.To + wholeDay
	}
	return h.From, h.To
}

// String returns the format that UnmarshalText parses.
func (h Hours) String() string {
	from, to := h.Texts()
	return from + "-" + to
}

// Texts returns the beginning and the end in the format HH:MM.
func (h Hours) Texts() (from, to string) {
	if h == (Hours{}) {
		h.To = wholeDay
	}
	return clockText(h.From), clockText(h.To)
}

func clockText(sinceMidnight time.Duration) string {
	return fmt.Sprintf("%02d:%02d", int(sinceMidnight.Hours()), int(sinceMidnight.Minutes())%60)
}

// Queues are the queues that a worker serves, each with its number of workers, 0 for the default
// number. Empty: all queues.
type Queues map[string]int

const maxQueueWorkers = 1000

var errQueues = errors.New("must be names of queues, each with or without a number of workers, as in money,mail=20")

// UnmarshalText parses a list such as money,mail=20.
func (q *Queues) UnmarshalText(text []byte) error {
	*q = Queues{}
	for part := range strings.SplitSeq(string(text), ",") {
		name, count, given := strings.Cut(strings.TrimSpace(part), "=")
		if _, twice := (*q)[name]; name == "" || twice {
			return errQueues
		}
		(*q)[name] = 0
		if !given {
			continue
		}
		workers, err := strconv.Atoi(count)
		if err != nil {
			return errQueues
		}
		if workers < 1 || workers > maxQueueWorkers {
			return fmt.Errorf("must be 1 to %d workers; %s has %d", maxQueueWorkers, name, workers)
		}
		(*q)[name] = workers
	}
	return nil
}

// PhoneKeys are the keys of the phones that forward SMS, by their names.
type PhoneKeys map[string]string

// minPhoneKey is the length of the shortest key of a phone.
const minPhoneKey = 16

var phoneName = regexp.MustCompile(`^[a-z0-9-]{1,20}$`)

// UnmarshalText parses a list such as shop=KEY,spare=KEY. The error shows no key.
func (p *PhoneKeys) UnmarshalText(text []byte) error {
	*p = PhoneKeys{}
	if len(text) == 0 {
		return nil
	}
	for part := range strings.SplitSeq(string(text), ",") {
		name, key, _ := strings.Cut(strings.TrimSpace(part), "=")
		if _, twice := (*p)[name]; !phoneName.MatchString(name) || twice || len(key) < minPhoneKey {
			return errPhoneKeys
		}
		(*p)[name] = key
	}
	return nil
}

var errPhoneKeys = errors.New("must be names of phones with keys of at least 16 characters, as in shop=KEY,spare=KEY")

// Tracing says whether spans are sent to a collector.
type Tracing struct {
	// The collector that traces are sent to over OTLP/HTTP, as in `http://collector:4318`. Without
	// it or the next one, nothing is traced. The OpenTelemetry SDK reads other `OTEL_*` variables
	// too, such as OTEL_TRACES_SAMPLER.
	OTLPEndpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	// The same for traces alone, with the path.
	OTLPTracesEndpoint string `env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"`
	// Sent to the collector, as in `authorization=Bearer%20token`.
	OTLPHeaders string `env:"OTEL_EXPORTER_OTLP_HEADERS"` // read them with TracingHeaders
	// Turns tracing off.
	OTELDisabled bool `env:"OTEL_SDK_DISABLED" envDefault:"false"`
}

// TracingEnabled reports whether spans are sent.
func (c Tracing) TracingEnabled() bool {
	return !c.OTELDisabled && (c.OTLPEndpoint != "" || c.OTLPTracesEndpoint != "")
}

// TracingHeaders returns what is sent to the collector beside the spans.
func (c Tracing) TracingHeaders() map[string]string {
	headers, _ := otlpHeaders(c.OTLPHeaders) // checked by Validate
	return headers
}

// otlpHeaders reads names and values, which are encoded as in URLs. Its errors do not repeat them,
// since they may be secrets.
func otlpHeaders(text string) (map[string]string, error) {
	if text == "" {
		return nil, nil
	}
	headers := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		name, encoded, found := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		value, err := url.PathUnescape(strings.TrimSpace(encoded))
		if !found || err != nil || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, errors.New("must be names and values, as in authorization=Bearer%20token,tenant=one")
		}
		headers[name] = value
	}
	return headers, nil
}

func (c Tracing) checkTracing(p *problems) {
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": c.OTLPEndpoint, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": c.OTLPTracesEndpoint,
	} {
		if value != "" {
			p.check(name, anyURL(value, "as in http://collector:4318", "http", "https"))
		}
	}
	_, err := otlpHeaders(c.OTLPHeaders)
	p.check("OTEL_EXPORTER_OTLP_HEADERS", err)
}

// Bucket is an object storage. The zero value is none.
type Bucket struct {
	blobs.Options
	ReadOnly bool // new files go to the database
}

// LoadBucket reads BLOBS_URL alone, for the operator's commands.
func LoadBucket() (Bucket, error) {
	c, err := load[onlyBucket]()
	return c.Bucket, err
}

type onlyBucket struct {
	Bucket Bucket `env:"BLOBS_URL"`
}

// Validate reports nothing: UnmarshalText does.
func (onlyBucket) Validate() error { return nil }

// Used reports whether there is an object storage.
func (b Bucket) Used() bool { return b.Endpoint != "" }

// Written reports whether new files go to it.
func (b Bucket) Written() bool { return b.Used() && !b.ReadOnly }

const bucketExample = "as in https://KEY:SECRET@s3.example.com/bucket/prefix/?region=eu-central-1" //nolint:gosec // an example

// UnmarshalText parses https://KEY:SECRET@host/bucket/prefix/. Its parameters are region,
// path_style=false for a bucket that is part of the host's name, and read_only=true. Errors do not
// repeat the URL, which holds a secret.
func (b *Bucket) UnmarshalText(text []byte) error {
	if err := anyURL(string(text), bucketExample, "http", "https"); err != nil {
		return err
	}
	u, err := url.Parse(string(text))
	if err != nil {
		return errors.New("must be a URL, " + bucketExample)
	}
	secret, _ := u.User.Password()
	bucket, prefix, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if u.User.Username() == "" || secret == "" || bucket == "" {
		return errors.New("must hold two keys and a bucket, " + bucketExample)
	}
	*b = Bucket{Options: blobs.Options{
		Endpoint: u.Scheme + "://" + u.Host, Bucket: bucket, Prefix: prefix, AccessKey: u.User.Username(), SecretKey: secret, PathStyle: true,
	}}
	for name, values := range u.Query() {
		if err := b.set(name, values[0]); err != nil {
			return err
		}
	}
	return nil
}

// set sets a parameter of the URL.
func (b *Bucket) set(name, value string) (err error) {
	switch name {
	case "region":
		b.Region = value
	case "path_style":
		b.PathStyle, err = strconv.ParseBool(value)
	case "read_only":
		b.ReadOnly, err = strconv.ParseBool(value)
	default:
		return fmt.Errorf("must not have the parameter %q; known are region, path_style and read_only", name)
	}
	if err != nil {
		return fmt.Errorf("must have %s=true or %s=false", name, name)
	}
	return nil
}

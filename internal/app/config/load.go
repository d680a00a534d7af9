package config

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/caarlos0/env/v11"

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
	if err != nil {
		var none T
		return none, err
	}
	c, err := env.ParseAsWithOptions[T](env.Options{Environment: filled})
	if err != nil {
		return c, explain(reflect.TypeFor[T](), err)
	}
	return c, c.Validate()
}

// explain converts the parser's errors to variables' names: it names struct fields for values that
// it cannot parse.
func explain(of reflect.Type, err error) error {
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
			p.check(variable(of, parse.Name), parse.Err)
		default:
			p.list = append(p.list, err)
		}
	}
	return p.err()
}

func variable(of reflect.Type, field string) string {
	found, _ := of.FieldByName(field)
	name, _, _ := strings.Cut(found.Tag.Get("env"), ",")
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

var receiverNumber = regexp.MustCompile(`^01[0-9]{9}$`)

func receiver(value string) error {
	if !receiverNumber.MatchString(value) {
		return fmt.Errorf("must be a mobile number of 11 digits that starts with 01; got %q", value)
	}
	return nil
}

func oneOf(value string, values ...string) error {
	if !slices.Contains(values, value) {
		return fmt.Errorf("must be %s; got %q", strings.Join(values, " or "), value)
	}
	return nil
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

package config

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"strconv"

	"github.com/caarlos0/env/v11"
)

// Local is the environment of cmd/local. Every variable of API and Worker may be set too, except
// the addresses of the servers.
type Local struct {
	Port    int    `env:"PORT" envDefault:"8080"`
	DataDir string `env:"AMANAT_DATA" envDefault:".local"`

	// External servers instead of the embedded ones. DatabaseURL logs in as the owner of the
	// database.
	DatabaseURL string `env:"DATABASE_URL"`
	RedisURL    string `env:"REDIS_URL"`
	SMTPURL     string `env:"SMTP_URL"`
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
		"BKASH_NUMBER":        "01700000000",
		"LOG_LEVEL":           "warn",
		"MAIL_FROM":           "Amanat <no-reply@amanat.example>",
		"NAGAD_NUMBER":        "01800000000",
		"PUBLIC_URL":          LocalOrigin("localhost", port),
		"SOFT_STOP":           "5s",
		// All visitors of the local stack come from one address.
		"LIMIT_ANONYMOUS_READS": "off",
		"LIMIT_FEEDBACK":        "off",
		"LIMIT_FORGOT_ADDRESS":  "off",
		"LIMIT_FORGOT_UNKNOWN":  "off",
		"LIMIT_LOGIN_ADDRESS":   "off",
		"LIMIT_PASSKEY_LOGIN":   "off",
		"LIMIT_SIGNUP":          "off",
		"SUPPORT_EMAIL":         "support@amanat.example",
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
	relaxed, err := relaxedLimits()
	if err != nil {
		var none T
		return none, fmt.Errorf("limits: %w", err)
	}
	maps.Copy(environment, relaxed)
	for name, value := range env.ToMap(os.Environ()) {
		if value != "" {
			environment[name] = value
		}
	}
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

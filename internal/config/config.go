// Package config reads the environment of a process, once, into structs. Every message of it names the variable it is about.
package config

import (
	"fmt"
	"log/slog"
	"net/mail"
	"net/netip"
	"net/url"
	"time"
)

// API is the environment of cmd/api.
type API struct {
	Addr             string     `env:"ADDR" envDefault:"127.0.0.1:8080"`
	OpsAddr          string     `env:"OPS_ADDR" envDefault:"127.0.0.1:9090"` // health and metrics: not for the internet
	DatabaseURL      string     `env:"DATABASE_URL,required,notEmpty"`       // logs in as amanat_api
	DatabaseMaxConns int32      `env:"DATABASE_MAX_CONNS" envDefault:"16"`
	RedisURL         string     `env:"REDIS_URL,required,notEmpty"`
	LogLevel         slog.Level `env:"LOG_LEVEL" envDefault:"info"`

	// PublicURL is where browsers find the site. With https, cookies are Secure and carry the __Host- prefix.
	PublicURL string `env:"PUBLIC_URL" envDefault:"http://localhost:8080"`
	// TrustedProxies are the networks whose X-Forwarded-For is believed; without any, the peer is the client.
	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"`

	// BkashNumber and NagadNumber are the provider's personal numbers that deposits are sent to.
	BkashNumber string `env:"BKASH_NUMBER,required,notEmpty"`
	NagadNumber string `env:"NAGAD_NUMBER,required,notEmpty"`

	// PublicUserOffset and PublicUSDOffset are added to the public statistics by the UI.
	PublicUserOffset int64 `env:"PUBLIC_USER_OFFSET" envDefault:"12499"`
	PublicUSDOffset  int64 `env:"PUBLIC_USD_OFFSET" envDefault:"45499"`

	// AdminReauth is how long an admin's password counts for actions on money; 0 never asks again.
	AdminReauth time.Duration `env:"ADMIN_REAUTH" envDefault:"15m"`
	// OperationWait is how long a call waits for the outcome of its money operation before it answers 202.
	OperationWait time.Duration `env:"OPERATION_WAIT" envDefault:"2s"`

	Limits
}

// Worker is the environment of cmd/worker.
type Worker struct {
	OpsAddr          string     `env:"OPS_ADDR" envDefault:"127.0.0.1:9091"` // health and metrics: not for the internet
	DatabaseURL      string     `env:"DATABASE_URL,required,notEmpty"`       // logs in as amanat_worker
	DatabaseMaxConns int32      `env:"DATABASE_MAX_CONNS" envDefault:"16"`
	RedisURL         string     `env:"REDIS_URL,required,notEmpty"`
	LogLevel         slog.Level `env:"LOG_LEVEL" envDefault:"info"`

	SMTPURL   string `env:"SMTP_URL,required,notEmpty"`  // smtp://user:password@host:port or smtps://
	MailFrom  string `env:"MAIL_FROM,required,notEmpty"` // as in: Amanat <no-reply@example.com>
	PublicURL string `env:"PUBLIC_URL" envDefault:"http://localhost:8080"`
	// SupportEmail gets bug reports and the messages of the contact form.
	SupportEmail string `env:"SUPPORT_EMAIL,required,notEmpty"`

	// SoftStop is how long running jobs may go on after a stop signal.
	SoftStop time.Duration `env:"SOFT_STOP" envDefault:"20s"`
}

// Migrate is the environment of `amanat migrate`.
type Migrate struct {
	DatabaseURL      string `env:"DATABASE_URL,required,notEmpty"` // logs in as the owner of the database
	APIDBPassword    string `env:"API_DB_PASSWORD,required,notEmpty"`
	WorkerDBPassword string `env:"WORKER_DB_PASSWORD,required,notEmpty"`
}

// Validate reports every fault of the values, for LoadAPI and for who builds the struct by hand.
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
	p.check("ADMIN_REAUTH", atLeast(c.AdminReauth, 0))
	p.check("OPERATION_WAIT", atLeast(c.OperationWait, 0))
	p.check("OPERATION_WAIT", atMost(c.OperationWait, 10*time.Second)) // the request's own deadline
	p.check("LIMIT_SOCKETS", atLeast(c.Sockets, 1))
	p.check("LIMIT_SOCKET_FRAME_BYTES", atLeast(c.SocketFrameBytes, 128))
	return p.err()
}

// Secure tells whether browsers come over HTTPS.
func (c API) Secure() bool { return secure(c.PublicURL) }

// Validate reports every fault of the values, for LoadWorker and for who builds the struct by hand.
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
	p.check("SOFT_STOP", atLeast(c.SoftStop, time.Second))
	return p.err()
}

// Validate reports every fault of the values.
func (c Migrate) Validate() error {
	var p problems
	p.check("DATABASE_URL", databaseURL(c.DatabaseURL))
	if c.APIDBPassword == c.WorkerDBPassword {
		p.check("WORKER_DB_PASSWORD", fmt.Errorf("must differ from API_DB_PASSWORD: the api must not be able to log in as the worker"))
	}
	return p.err()
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

package config

import (
	"errors"
	"net/url"
	"slices"

	"amanat/internal/lib/redisclient"
)

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

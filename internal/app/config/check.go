package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// Setting is a setting as a process reads it.
type Setting struct {
	Name    string `json:"name"`
	Value   string `json:"value"` // without passwords and keys
	Default bool   `json:"default"`
}

// Check checks the environment of a process and returns its settings, and the fingerprint of
// those that must be the same in all processes (Shared.Fingerprint).
type Check func() (settings []Setting, fingerprint string, err error)

// Print prints the settings as lines of an environment file; those that are not set are comments.
func (c Check) Print(out io.Writer) error {
	settings, fingerprint, err := c()
	if err != nil {
		return err
	}
	for _, s := range settings {
		unset := ""
		if s.Default {
			unset = "# "
		}
		if _, err := fmt.Fprintf(out, "%s%s=%s\n", unset, s.Name, s.Value); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "\n# Fingerprint of the settings that all processes must share: %s\n", fingerprint)
	return err
}

// CheckAPI is the Check of cmd/api.
func CheckAPI() (settings []Setting, fingerprint string, err error) {
	c, err := LoadAPI()
	if err != nil {
		return nil, "", err
	}
	settings, err = effective(reflect.TypeFor[API](), env.ToMap(os.Environ()))
	return settings, c.Fingerprint(), err
}

// CheckWorker is the Check of cmd/worker.
func CheckWorker() (settings []Setting, fingerprint string, err error) {
	c, err := LoadWorker()
	if err != nil {
		return nil, "", err
	}
	settings, err = effective(reflect.TypeFor[Worker](), env.ToMap(os.Environ()))
	return settings, c.Fingerprint(), err
}

func effective(process reflect.Type, environment map[string]string) (settings []Setting, err error) {
	filled, err := withFiles(process, environment)
	if err != nil {
		return nil, err
	}
	for _, field := range reflect.VisibleFields(process) {
		name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
		if name == "" {
			continue
		}
		value := filled[name]
		setting := Setting{Name: name, Value: value, Default: value == ""}
		switch {
		case setting.Default:
			setting.Value = field.Tag.Get("envDefault")
		case slices.Contains(secretVariables, name):
			setting.Value = masked(value)
		}
		settings = append(settings, setting)
	}
	return settings, nil
}

// masked returns a URL without its password, and nothing of another secret.
func masked(secret string) string {
	if u, err := url.Parse(secret); err == nil && u.Host != "" {
		query := u.Query()
		if query.Has("password") { // PostgreSQL's URLs allow it there
			query.Set("password", "xxxxx")
			u.RawQuery = query.Encode()
		}
		return u.Redacted()
	}
	return "xxxxx"
}

// fingerprintDigits is enough to see whether a few processes differ.
const fingerprintDigits = 8

// Fingerprint returns a short hash of the settings that must be the same in all processes: apis and
// workers whose fingerprints differ have different rules of money or addresses of the site.
func (c Shared) Fingerprint() string {
	sum := sha256.Sum256(fmt.Append(nil, c.PublicURL, " ", c.VAPIDPublicKey, " ", c.CreditSecondAdmin, " ", c.WithdrawalHold, " ",
		c.MinWithdrawal, " ", c.Limits))
	return hex.EncodeToString(sum[:])[:fingerprintDigits]
}

// Insecure says why browsers send cookies in the clear, or "".
func (c Shared) Insecure() string {
	u, err := url.Parse(c.PublicURL)
	if err != nil || c.Secure() || u.Hostname() == "localhost" {
		return ""
	}
	if address, err := netip.ParseAddr(u.Hostname()); err == nil && address.IsLoopback() {
		return ""
	}
	return "PUBLIC_URL has no https: cookies are not Secure"
}

// misspelt reports variables that no process reads and that are at most two letters away from one
// that it reads: a misspelt setting would have no effect.
func misspelt(environment map[string]string) error {
	const (
		letters  = 2
		shortest = 8 // names that are shorter resemble too many others
	)
	known := knownVariables()
	var p problems
	for _, name := range slices.Sorted(maps.Keys(environment)) {
		if len(name) < shortest || slices.Contains(known, name) || strings.HasPrefix(name, "OTEL_") {
			continue
		}
		for _, right := range known {
			if len(right) >= shortest && distance(name, right) <= letters {
				p.check(name, fmt.Errorf("is no setting; %s is", right))
				break
			}
		}
	}
	return p.err()
}

// knownVariables returns the variables of all processes.
func knownVariables() (names []string) {
	for _, process := range []reflect.Type{
		reflect.TypeFor[API](), reflect.TypeFor[Worker](), reflect.TypeFor[Migrate](), reflect.TypeFor[Local](),
	} {
		for _, field := range reflect.VisibleFields(process) {
			if name, _, _ := strings.Cut(field.Tag.Get("env"), ","); name != "" {
				names = append(names, name)
			}
		}
	}
	for _, name := range secretVariables {
		names = append(names, name+fileSuffix)
	}
	return names
}

// distance returns how many letters have to be inserted, removed or replaced to turn one name into
// the other (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// plain returns the error of a value that cannot be parsed in words of the setting's kind, instead
// of the parser's.
func plain(kind reflect.Type, err error) error {
	switch {
	case kind == reflect.TypeFor[time.Duration]():
		return errors.New("must be a duration, as in 90s, 15m or 24h")
	case kind == reflect.TypeFor[slog.Level]():
		return errors.New("must be debug, info, warn or error")
	case kind == reflect.TypeFor[[]netip.Prefix]():
		return errors.New("must be networks, as in 10.0.0.0/8,fd00::/8")
	case kind.Kind() == reflect.Bool:
		return errors.New("must be true or false")
	case kind == reflect.TypeFor[int32](), kind == reflect.TypeFor[int64](), kind == reflect.TypeFor[int]():
		return errors.New("must be a whole number")
	}
	return err
}

package accounts

import (
	"regexp"
	"unicode/utf8"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/mailer"
)

// Lengths of passwords.
const (
	minPassword = 6
	maxPassword = 200
)

var usernamePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// validate checks a normalized sign-up in a fixed order with fixed texts (docs/rules.md#signup).
func (in SignupInput) validate() error {
	switch {
	case in.Username == "":
		return fault.Field("username", "username_missing", "Username is required.")
	case in.Email == "":
		return fault.Field("email", "email_missing", "Email is required.")
	case !mailer.ValidAddress(in.Email):
		return fault.Field("email", "email_invalid", "Invalid email")
	case in.Password == "":
		return fault.Field("password", "password_missing", "Password is required.")
	case utf8.RuneCountInString(in.Password) < minPassword:
		return fault.Field("password", "password_too_short", "Password must be at least 6 characters")
	case !usernamePattern.MatchString(in.Username):
		return fault.Field("username", "username_malformed", "Username may have up to 40 letters, digits, hyphens and underscores.")
	case utf8.RuneCountInString(in.Password) > maxPassword:
		return fault.Field("password", "password_too_long", "Password must be at most 200 characters")
	}
	return validateLanguage(in.Language)
}

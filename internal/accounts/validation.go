package accounts

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"amanat/internal/fault"
	"amanat/internal/mailer"
)

// Limits of what a person may enter.
const (
	minPassword = 6
	maxPassword = 200
)

var usernamePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// reserved names would let a stranger pass for the provider, or read like a word of the program.
var reserved = []string{
	"admin", "administrator", "amanat", "anonymous", "api", "billing", "contact", "escrow", "help", "info", "me", "moderator", "null",
	"official", "operator", "payments", "root", "security", "staff", "support", "system", "undefined", "wallet", "webmaster",
}

// normalUsername strips all spaces and dots, as the sign-up form does (SPEC §5).
func normalUsername(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// validate checks a normalized sign-up in SPEC §5's order and words; our own limits come after SPEC's rules.
func (in SignupInput) validate() error {
	switch {
	case in.Username == "":
		return fault.Field("username", "Username is required.")
	case in.Email == "":
		return fault.Field("email", "Email is required.")
	case !mailer.ValidAddress(in.Email):
		return fault.Field("email", "Invalid email")
	case in.Password == "":
		return fault.Field("password", "Password is required.")
	case utf8.RuneCountInString(in.Password) < minPassword:
		return fault.Field("password", "Password must be at least 6 characters")
	case !usernamePattern.MatchString(in.Username):
		return fault.Field("username", "Username may have up to 40 letters, digits, hyphens and underscores.")
	case utf8.RuneCountInString(in.Password) > maxPassword:
		return fault.Field("password", "Password must be at most 200 characters")
	}
	return validateLanguage(in.Language)
}

func isReserved(username string) bool {
	return slices.Contains(reserved, strings.ToLower(username))
}

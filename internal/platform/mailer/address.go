package mailer

import (
	netmail "net/mail"
	"regexp"
)

const maxAddress = 254 // RFC 5321

var addressPattern = regexp.MustCompile(`^[^\s\pZ\pC@]+@[^\s\pZ\pC@]+\.[^\s\pZ\pC@]+$`)

// ValidAddress reports whether a user's input looks like an email address and can be sent to.
func ValidAddress(s string) bool {
	if len(s) > maxAddress || !addressPattern.MatchString(s) {
		return false
	}
	address, err := netmail.ParseAddress(s)
	return err == nil && address.Address == s
}

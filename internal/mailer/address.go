package mailer

import (
	netmail "net/mail"
	"regexp"
)

const maxAddress = 254 // RFC 5321 allows no longer one

var addressPattern = regexp.MustCompile(`^[^\s\pZ\pC@]+@[^\s\pZ\pC@]+\.[^\s\pZ\pC@]+$`)

// ValidAddress tells whether what a person has entered looks like an e-mail address (SPEC §5 asks for no more) and is one that a letter can
// be sent to.
func ValidAddress(s string) bool {
	if len(s) > maxAddress || !addressPattern.MatchString(s) {
		return false
	}
	address, err := netmail.ParseAddress(s)
	return err == nil && address.Address == s
}

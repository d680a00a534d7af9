package mailer

import "regexp"

const maxAddress = 254 // RFC 5321 allows no longer one

var addressPattern = regexp.MustCompile(`^[^\s\pC@]+@[^\s\pC@]+\.[^\s\pC@]+$`)

// ValidAddress tells whether what a person has entered looks like an e-mail address (SPEC §5 asks for no more).
func ValidAddress(s string) bool { return len(s) <= maxAddress && addressPattern.MatchString(s) }

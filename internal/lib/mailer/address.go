package mailer

import (
	netmail "net/mail"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

const maxAddress = 254 // RFC 5321

// addressPattern is an address whose name is in ASCII: mail servers that take others are rare
// (RFC 6531).
var addressPattern = regexp.MustCompile(`^[!-?A-~]+@[^\s\pZ\pC@]+$`)

// domainPattern is a domain below a top-level domain, which is never only digits, as IP addresses
// are.
var domainPattern = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,59})$`)

// privateDomains are top-level domains that no mail server of the public net has.
var privateDomains = []string{"arpa", "corp", "home", "internal", "invalid", "lan", "local", "localdomain", "localhost", "onion"}

// NormalAddress returns the spelling of an address under which it is stored: without blanks around
// it, with its domain in ASCII and lower case. What is no address is returned as it is.
func NormalAddress(s string) string {
	s = strings.TrimSpace(s)
	name, domain, found := cutAddress(s)
	if !found {
		return s
	}
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil {
		return s
	}
	return name + "@" + ascii
}

func cutAddress(s string) (name, domain string, found bool) {
	at := strings.LastIndex(s, "@")
	if at < 0 {
		return "", "", false
	}
	return s[:at], s[at+1:], true
}

// ValidAddress reports whether a user's input looks like an email address and can be sent to: its
// domain is a name of the public net.
func ValidAddress(s string) bool {
	s = NormalAddress(s)
	if len(s) > maxAddress || !addressPattern.MatchString(s) {
		return false
	}
	_, domain, _ := cutAddress(s)
	if !domainPattern.MatchString(domain) || slices.Contains(privateDomains, domain[strings.LastIndex(domain, ".")+1:]) {
		return false
	}
	address, err := netmail.ParseAddress(s)
	return err == nil && address.Address == s
}

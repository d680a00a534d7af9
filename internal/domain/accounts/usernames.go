package accounts

import (
	"slices"
	"strings"
	"unicode"
)

// normalUsername strips all spaces and dots, as the sign-up form does (docs/rules.md#usernames).
func normalUsername(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// folder makes one sign of those that look alike, and takes away what separates words.
var folder = strings.NewReplacer("0", "o", "1", "l", "i", "l", "|", "l", "-", "", "_", "")

// skeleton returns what a username looks like: names that a reader takes for each other have the same. The database computes the same for
// users.username_skeleton.
func skeleton(username string) string { return folder.Replace(strings.ToLower(username)) }

// Reserved words, which would let a stranger pass for the provider or for those who carry its money, or read like a word of the program.
var (
	// reservedParts are refused wherever they stand in a name.
	reservedParts = skeletons("admin", "bkash", "customercare", "escrow", "helpdesk", "helpline", "moderator", "nagad", "official",
		"refund", "support", "webmaster")
	// reservedWords are refused as a whole name, or as a word of one: between hyphens and underscores, with or without digits around.
	reservedWords = skeletons("billing", "contact", "help", "mod", "operator", "payment", "payments", "security", "staff", "system",
		"wallet")
	// reservedNames are refused as a whole name only: "Api" and "Info" are also how people are called or what they do.
	reservedNames = skeletons("anonymous", "api", "info", "me", "null", "root", "undefined")
	// harmless words hold a reserved part by chance.
	harmless = skeletons("badminton")
	// roles beside the provider's name make it an office: AmanatTeam, Pay-Amanat. Beside another word it is a person's: Amanatullah.
	roles = skeletons("account", "accounts", "agent", "agents", "app", "bangladesh", "bd", "bot", "care", "ceo", "chat", "com", "customer",
		"customers", "deal", "deals", "deposit", "deposits", "desk", "dispute", "disputes", "founder", "help", "hq", "info", "manager",
		"managers", "money", "my", "office", "online", "original", "owner", "pay", "payment", "payments", "payout", "payouts", "real", "safe",
		"secure", "security", "service", "services", "staff", "team", "the", "trust", "verification", "verified", "verify", "wallet",
		"withdraw", "withdrawal", "withdrawals")
)

const provider = "amanat"

func skeletons(words ...string) []string {
	folded := make([]string, len(words))
	for i, word := range words {
		folded[i] = skeleton(word)
	}
	return folded
}

// isReserved tells whether strangers may not have the username.
func isReserved(username string) bool {
	whole := skeleton(username)
	if slices.Contains(reservedNames, whole) || isOffice(whole) {
		return true
	}
	rest := whole
	for _, word := range harmless {
		rest = strings.ReplaceAll(rest, word, " ")
	}
	if slices.ContainsFunc(reservedParts, func(part string) bool { return strings.Contains(rest, part) }) {
		return true
	}
	words := append(strings.FieldsFunc(username, func(r rune) bool { return r == '-' || r == '_' }), username)
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains(reservedWords, skeleton(word)) || slices.Contains(reservedWords, skeleton(strings.Trim(word, "0123456789")))
	})
}

// isOffice tells whether a skeleton is the provider's name, once or more, with nothing beside it but roles and digits.
func isOffice(whole string) bool {
	beside := strings.Split(whole, provider)
	return len(beside) > 1 && !slices.ContainsFunc(beside, func(part string) bool { return !onlyRoles(part) })
}

func onlyRoles(s string) bool {
	if strings.Trim(s, "ol23456789") == "" { // digits: 0 and 1 are folded
		return true
	}
	return slices.ContainsFunc(roles, func(role string) bool {
		rest, found := strings.CutPrefix(s, role)
		return found && onlyRoles(rest)
	})
}

package accounts

import (
	"slices"
	"strings"
	"unicode"
)

// normalUsername removes all spaces and dots, as the sign-up form does (docs/rules.md#usernames).
func normalUsername(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// foldReplacer maps lookalike characters to one and removes word separators.
var foldReplacer = strings.NewReplacer("0", "o", "1", "l", "i", "l", "|", "l", "-", "", "_", "")

// skeleton returns the canonical form of a username: lookalike names have the same skeleton. The
// database computes the same for users.username_skeleton.
func skeleton(username string) string { return foldReplacer.Replace(strings.ToLower(username)) }

// Reserved words, which would let a user pose as the provider or as a company that handles its
// payments, or which read like a keyword of the program.
var (
	// reservedParts are refused anywhere in a name.
	reservedParts = skeletons("admin", "bkash", "customercare", "customerservice", "escrow", "helpdesk", "helpline", "moderator", "nagad",
		"nogod", "noreply", "official", "refund", "rocketpay", "support", "trustsafety", "trustandsafety", "webmaster")
	// reservedWords are refused as a whole name or as one of its words, separated by hyphens or
	// underscores, also with digits before or after.
	reservedWords = skeletons("billing", "contact", "dispute", "disputes", "help", "kyc", "mod", "operator", "payment", "payments",
		"security", "staff", "system", "wallet")
	// reservedNames are refused as a whole name only: "Api" and "Info" are also names of people or
	// parts of them.
	reservedNames = skeletons("anonymous", "api", "info", "me", "null", "root", "undefined")
	// harmless words contain a reserved part by chance.
	harmless = skeletons("badminton")
	// roles next to the provider's name suggest an official account: AmanatTeam, Pay-Amanat. Next
	// to other words it is a personal name: Amanatullah.
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

// disguises are what is written in the place of a letter in reserved words, beside the lookalikes
// that skeleton maps.
var disguises = strings.NewReplacer("3", "e", "4", "a", "5", "s", "7", "t", "8", "b", "rn", "m", "vv", "w")

// isReserved reports whether users may not choose the username.
func isReserved(username string) bool {
	return isReservedAsWritten(username) || isReservedAsWritten(disguises.Replace(strings.ToLower(username)))
}

func isReservedAsWritten(username string) bool {
	whole := skeleton(username)
	if slices.Contains(reservedNames, whole) || isOfficial(whole) || strings.HasPrefix(whole, skeleton(pseudonymPrefix)) {
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

// isOfficial reports whether a skeleton consists only of the provider's name, once or more, and
// roles and digits.
func isOfficial(whole string) bool {
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

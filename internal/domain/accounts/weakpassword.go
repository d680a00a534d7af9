package accounts

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"amanat/internal/lib/fault"
)

// MinAdminPassword is the minimum length of an admin's password, in characters.
const MinAdminPassword = 12

// commonPasswords are the 10,000 most common passwords of sufficient length, one per line; see
// common_passwords.LICENSE for the source.
//
//go:embed common_passwords.txt
var commonPasswords string

var commonSet = sync.OnceValue(func() map[string]struct{} {
	set := make(map[string]struct{}, strings.Count(commonPasswords, "\n"))
	for password := range strings.Lines(commonPasswords) {
		set[strings.TrimSuffix(password, "\n")] = struct{}{}
	}
	return set
})

// owner is the user data that checkStrength compares a password with.
type owner struct {
	username, email string
	isAdmin         bool
}

func (u User) owner() owner { return owner{u.Username, u.Email, u.IsAdmin} }

// localWords are what passwords here are made of, beside the common ones.
var localWords = []string{
	"allah", "amanat", "bangla", "bangladesh", "bdesh", "bikash", "bismillah", "bkash", "chittagong", "chattogram", "cumilla", "dhaka",
	"jannat", "karim", "khulna", "mohammad", "muhammad", "nagad", "rahim", "rahman", "rajshahi", "rangpur", "rocket", "sylhet", "taka",
}

// phoneNumber is a phone number of the country, however it is written.
var phoneNumber = regexp.MustCompile(`^(\+?88)?01[0-9]{9}$`)

// isLocal reports whether a password is a phone number, or a local word with at most a number such
// as a year, and marks.
func isLocal(password string) bool {
	const marks = " !@#$%&*._-"
	if phoneNumber.MatchString(strings.NewReplacer(" ", "", "-", "").Replace(password)) {
		return true
	}
	return slices.Contains(localWords, strings.Trim(strings.ToLower(password), "0123456789"+marks))
}

// checkStrength refuses easily guessed passwords, ignoring case: common ones, local words, phone
// numbers, the owner's name or address, only blanks, one character repeated. If strongAdmins is
// set, admins need longer passwords. It is called after validate. Code Invalid on the field.
func (s *Service) checkStrength(field, password string, of owner) error {
	switch {
	case guessable(password, of), !s.allowCommon && (isCommon(password) || isLocal(password)):
		return fault.Field(field, "password_too_common", "This password is too common. Please choose another.")
	case s.strongAdmins && of.isAdmin && !strong(password):
		return fault.Field(field, "admin_password_too_short", "The password of an admin must be at least 12 characters long.")
	}
	return nil
}

func isCommon(password string) bool {
	_, found := commonSet()[strings.ToLower(password)]
	return found
}

func guessable(password string, of owner) bool {
	local, _, _ := strings.Cut(of.email, "@")
	for _, known := range []string{of.username, of.email, local} {
		if strings.EqualFold(password, known) {
			return true
		}
	}
	first, _ := utf8.DecodeRuneInString(password)
	return strings.TrimSpace(password) == "" || strings.Trim(password, string(first)) == "" ||
		strings.TrimRight(strings.ToLower(password), "0123456789") == "amanat"
}

// strong reports whether a password is long enough for an admin.
func strong(password string) bool { return utf8.RuneCountInString(password) >= MinAdminPassword }

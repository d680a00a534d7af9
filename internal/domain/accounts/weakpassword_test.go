package accounts

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
)

const tooCommon = "This password is too common. Please choose another."

func TestCheckStrength(t *testing.T) {
	t.Parallel()
	service := New(Options{Clock: clock.System{}})
	of := owner{username: "rahim-uddin", email: "rahim.uddin@example.com"}
	for _, password := range []string{
		"123456", "password", "PassWord", "qwerty", "iloveyou", "p@ssw0rd", "abcdef", "654321",
		"      ", "\u00a0\u2003\u2003\u2003\u2003\u2003", "zzzzzzzz", "আআআআআআ",
		"rahim-uddin", "RAHIM-UDDIN", "rahim.uddin", "Rahim.Uddin@example.com",
		"amanat", "Amanat2026",
		"bangladesh", "dhaka123", "Bangla123", "allah123", "rahim123", "bkash123", "nagad123", "dhaka2026", "Dhaka@2026!", "2026dhaka",
		"01712345678", "+8801712345678", "01712-345678",
	} {
		requireFault(t, service.checkStrength("password", password, of), fault.Invalid, tooCommon)
	}
	for _, password := range []string{
		"amanat-demo", "river-stone", "rahim-uddin-7", "আমানত-নদী", "      x", "another1", "dhaka river", "0171234567", "my-dhaka-home",
	} {
		require.NoError(t, service.checkStrength("password", password, of), password)
	}
	require.Len(t, commonSet(), 10_000)
	for password := range commonSet() {
		require.GreaterOrEqual(t, len(password), minPassword)
		require.Equal(t, strings.ToLower(password), password)
	}
}

func TestCheckStrength_common_allowed(t *testing.T) {
	t.Parallel()
	service := New(Options{Clock: clock.System{}, AllowCommonPasswords: true})
	of := owner{username: "rahim", email: "rahim@example.com"}
	require.NoError(t, service.checkStrength("password", "qwerty", of))
	requireFault(t, service.checkStrength("password", "zzzzzz", of), fault.Invalid, tooCommon)
}

func TestCheckStrength_every_new_password(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	weak := input("rahim")
	weak.Password = "qwerty"
	_, err := f.Signup(t.Context(), weak, Client{})
	requireFault(t, err, fault.Invalid, tooCommon)
	require.Equal(t, map[string]string{"password": tooCommon}, fault.As(err).Fields)
	_, err = f.Create(t.Context(), weak)
	requireFault(t, err, fault.Invalid, tooCommon)

	user, session := f.signup(t, "karim-7")
	_, found, err := f.Authenticate(t.Context(), session)
	require.NoError(t, err)
	_, err = f.ChangePassword(t.Context(), user, found, "", ChangeInput{Current: "river-stone", New: "Karim-7"})
	requireFault(t, err, fault.Invalid, tooCommon)
	require.Contains(t, fault.As(err).Fields, "newPassword")

	link := f.mailedToken(t, user.ID, forReset)
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "qwerty", Token: link})
	requireFault(t, err, fault.Invalid, tooCommon)
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "qwerty", Token: "made-up"})
	requireFault(t, err, fault.Invalid, "Invalid or missing token")
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "river-stone-8", Token: link})
	require.NoError(t, err, "a refused password does not use the link up")
}

func TestCheckStrength_admins(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.strongAdmins = true
	user, session := f.signup(t, "rahim")
	operator := New(Options{DB: f.owner, Clock: f.clock, StrongAdmins: true})
	_, err := operator.GrantAdmin(t.Context(), "rahim", "")
	requireFault(t, err, fault.Conflict, "rahim has to set a password of at least 12 characters first.")

	change := func(password string) error {
		t.Helper()
		user, found, err := f.Authenticate(t.Context(), session)
		require.NoError(t, err, "the refused grant has left no trace")
		current := map[bool]string{true: "twelve-chars", false: "river-stone"}[user.PasswordStrong]
		rotated, err := f.ChangePassword(t.Context(), user, found, "", ChangeInput{Current: current, New: password})
		if err == nil {
			session = rotated
		}
		return err
	}
	require.NoError(t, change("twelve-chars"))
	granted, err := operator.GrantAdmin(t.Context(), "rahim", "the first admin")
	require.NoError(t, err)
	require.True(t, granted.IsAdmin)

	const short = "The password of an admin must be at least 12 characters long."
	requireFault(t, change("elevenchars"), fault.Invalid, short)
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "elevenchars", Token: f.mailedToken(t, user.ID, forReset)})
	requireFault(t, err, fault.Invalid, short)
}

package accounts

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/fault"
)

// Any input is either normalized to a name that is safe in URLs and emails, or refused with a
// message for the field.
func FuzzUsername(f *testing.F) {
	for _, seed := range []string{
		"", " . ", "rahim", "ra.h im", "রহিম", "a\x00b", "\xff", "ﬁ", "\u00a0x", "x\u200b", "../x", "%2e", strings.Repeat("x", 41),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name := normalUsername(text)
		require.Equal(t, name, normalUsername(name))
		err := SignupInput{Username: name, Email: "rahim@example.com", Password: "river-stone", Language: "en"}.validate()
		if err == nil {
			require.Regexp(t, `^[A-Za-z0-9_-]{1,40}$`, name)
			return
		}
		require.NotEmpty(t, fault.As(err).Fields["username"])
	})
}

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParseStat(t *testing.T) {
	t.Parallel()
	const numbers = " S 41 42 42 0 -1 4194560 900 800 0 0 12 3 40 5 20 0 1 0 9000 1000 200 18446744073709551615 1 1 0"
	want := procStat{parent: 41, own: 150 * time.Millisecond, reaped: 450 * time.Millisecond}
	for name, text := range map[string]string{
		"plain":                   "7 (postgres)" + numbers,
		"spaces and parentheses":  "7 (a (b) c) S 1 (d)" + numbers,
		"a newline in the middle": "7 (a\nb)" + numbers + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stat, err := parseStat(text)
			require.NoError(t, err)
			require.Equal(t, want, stat)
		})
	}
	for name, text := range map[string]string{
		"empty": "", "without a command": "7 postgres S 1", "too short": "7 (postgres) S 1 2", "not a number": "7 (x)" + strings.Repeat(" x", 20),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := parseStat(text)
			require.Error(t, err)
		})
	}
}

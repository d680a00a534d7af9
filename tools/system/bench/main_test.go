package main

import (
	"flag"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRun_flags(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, command(t.Context(), []string{"-help"}, io.Discard), flag.ErrHelp, "the names of the flags are unique")
}

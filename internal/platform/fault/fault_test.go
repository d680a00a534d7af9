package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/platform/fault"
)

func TestCodeOf(t *testing.T) {
	t.Parallel()
	refusal := fault.New(fault.Conflict, "Not now.")
	for name, tc := range map[string]struct {
		err  error
		code fault.Code
	}{
		"nil":                 {nil, ""},
		"a fault":             {refusal, fault.Conflict},
		"wrapped":             {fmt.Errorf("deals.get: %w", refusal), fault.Conflict},
		"joined":              {errors.Join(io.EOF, refusal), fault.Conflict},
		"with a cause":        {&fault.Error{Code: fault.Unavailable, Err: io.EOF}, fault.Unavailable},
		"the outer of two":    {&fault.Error{Code: fault.Unavailable, Err: refusal}, fault.Unavailable},
		"unexpected":          {io.EOF, fault.Internal},
		"unexpected, wrapped": {fmt.Errorf("deals.get: %w", io.EOF), fault.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.code, fault.CodeOf(tc.err))
		})
	}
}

func TestAs(t *testing.T) {
	t.Parallel()
	refusal := fault.New(fault.Conflict, "Not now.")
	for name, tc := range map[string]struct {
		err  error
		want *fault.Error
	}{
		"nil":         {nil, nil},
		"a fault":     {refusal, refusal},
		"wrapped":     {fmt.Errorf("deals.get: %w", refusal), refusal},
		"no fault":    {io.EOF, nil},
		"joined with": {errors.Join(io.EOF, refusal), refusal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Same(t, tc.want, fault.As(tc.err))
		})
	}
}

func TestField(t *testing.T) {
	t.Parallel()
	err := fault.Field("price", "Enter a price.")
	require.Equal(t, fault.Invalid, err.Code)
	require.Equal(t, "Enter a price.", err.Message)
	require.Equal(t, map[string]string{"price": "Enter a price."}, err.Fields)
}

func TestNewf(t *testing.T) {
	t.Parallel()
	err := fault.Newf(fault.Forbidden, "Only the %s can do this.", "buyer")
	require.Equal(t, fault.Forbidden, err.Code)
	require.Equal(t, "Only the buyer can do this.", err.Message)
	require.Empty(t, err.Fields)
}

func TestIn(t *testing.T) {
	t.Parallel()
	nameless := fault.New(fault.Invalid, "Too short.")
	named := fault.Field("email", "Invalid email")
	conflict := fault.New(fault.Conflict, "Not now.")
	for name, tc := range map[string]struct {
		err    error
		fields map[string]string // nil: unchanged
	}{
		"invalid without a field": {nameless, map[string]string{"username": "Too short."}},
		"wrapped":                 {fmt.Errorf("check: %w", nameless), map[string]string{"username": "Too short."}},
		"invalid with a field":    {named, nil},
		"another code":            {conflict, nil},
		"no fault":                {io.EOF, nil},
		"nil":                     {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := fault.In("username", tc.err)
			if tc.fields == nil {
				require.Equal(t, tc.err, got)
				return
			}
			require.Equal(t, fault.Invalid, fault.CodeOf(got))
			require.Equal(t, tc.fields, fault.As(got).Fields)
			require.Equal(t, "Too short.", fault.As(got).Message)
		})
	}
	require.Empty(t, nameless.Fields, "the argument is not modified")
}

// Error returns code, text and cause for the log; errors.Is finds the cause.
func TestError(t *testing.T) {
	t.Parallel()
	require.EqualError(t, fault.New(fault.NotFound, "Deal not found."), "not_found: Deal not found.")
	err := error(&fault.Error{Code: fault.Unavailable, Message: "Try again.", Err: io.EOF})
	require.EqualError(t, err, "unavailable: Try again.: EOF")
	require.ErrorIs(t, err, io.EOF)
}

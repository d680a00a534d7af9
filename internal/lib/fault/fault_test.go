package fault_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

func TestCodeOf(t *testing.T) {
	t.Parallel()
	refusal := fault.New(fault.Conflict, "not_now", "Not now.")
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
	refusal := fault.New(fault.Conflict, "not_now", "Not now.")
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
	err := fault.Field("price", "price_missing", "Enter a price.")
	require.Equal(t, fault.Invalid, err.Code)
	require.Equal(t, "Enter a price.", err.Message)
	require.Equal(t, map[string]string{"price": "Enter a price."}, err.Fields)
}

func TestNewf(t *testing.T) {
	t.Parallel()
	at := clock.Moment(time.Date(2026, 11, 8, 4, 14, 0, 0, time.UTC))
	err := fault.Newf(fault.AlreadyHandled, "handled_by", "Handled by {name} at {time}: ${amount} of {count}.",
		fault.Params{"name": "{time}", "time": at, "amount": money.Cents(5_00), "count": 3})
	require.Equal(t, fault.AlreadyHandled, err.Code)
	require.Equal(t, "handled_by", err.Reason)
	require.Equal(t, "Handled by {time} at 8 Nov 2026, 10:14: $5.00 of 3.", err.Message)
	encoded, encodeErr := json.Marshal(err.Params)
	require.NoError(t, encodeErr)
	require.JSONEq(t, `{"name": "{time}", "time": "2026-11-08T04:14:00Z", "amount": 5.00, "count": 3}`, string(encoded))
	require.Empty(t, err.Fields)
}

func TestTaken(t *testing.T) {
	t.Parallel()
	err := fault.Taken("email", "email_taken", "Taken.")
	require.Equal(t, fault.Duplicate, err.Code)
	require.Equal(t, map[string]string{"email": "Taken."}, err.Fields)
}

func TestRetry(t *testing.T) {
	t.Parallel()
	err := fault.Retry(fault.Locked, time.Minute, "login_locked", "Locked.")
	require.Equal(t, time.Minute, err.RetryAfter)
	require.ErrorIs(t, err.Because(io.EOF), io.EOF)
	require.NoError(t, err.Err, "the original is not modified")
}

func TestIn(t *testing.T) {
	t.Parallel()
	nameless := fault.New(fault.Invalid, "too_short", "Too short.")
	named := fault.Field("email", "email_invalid", "Invalid email")
	conflict := fault.New(fault.Conflict, "not_now", "Not now.")
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
	require.EqualError(t, fault.New(fault.NotFound, "deal_not_found", "Deal not found."), "not_found: Deal not found.")
	err := error(&fault.Error{Code: fault.Unavailable, Message: "Try again.", Err: io.EOF})
	require.EqualError(t, err, "unavailable: Try again.: EOF")
	require.ErrorIs(t, err, io.EOF)
}

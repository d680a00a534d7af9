package wallet

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/app/config"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

func hoursOf(t *testing.T, text string) config.Hours {
	t.Helper()
	var h config.Hours
	require.NoError(t, h.UnmarshalText([]byte(text)))
	return h
}

// dhaka returns a moment of March 2026 in Dhaka.
func dhaka(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.ParseInLocation("2 15:04", text, clock.Dhaka)
	require.NoError(t, err)
	return at.AddDate(2026, 2, 0).UTC() // from January of the year 0
}

func TestIsOpen(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		hours, at string
		open      bool
		next      string
	}{
		"before":                {"09:00-23:00", "5 08:59", false, "5 09:00"},
		"at the beginning":      {"09:00-23:00", "5 09:00", true, "6 09:00"},
		"in the last minute":    {"09:00-23:00", "5 22:59", true, "6 09:00"},
		"at the end":            {"09:00-23:00", "5 23:00", false, "6 09:00"},
		"past midnight":         {"18:00-02:00", "5 01:59", true, "5 18:00"},
		"at the end at night":   {"18:00-02:00", "5 02:00", false, "5 18:00"},
		"in the evening":        {"18:00-02:00", "5 23:00", true, "6 18:00"},
		"until midnight, after": {"18:00-24:00", "5 00:00", false, "5 18:00"},
		"the whole day":         {"00:00-24:00", "5 00:00", true, "6 00:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hours, at := hoursOf(t, tc.hours), dhaka(t, tc.at)
			require.Equal(t, tc.open, isOpen(hours, at))
			require.True(t, dhaka(t, tc.next).Equal(nextOpening(hours, at)), nextOpening(hours, at))
		})
	}
	require.True(t, isOpen(config.Hours{}, noon), "without hours")
}

func TestWithin(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		hours, start, end string
		worked            time.Duration
	}{
		"within":         {"09:00-23:00", "5 10:00", "5 10:25", 25 * time.Minute},
		"over the night": {"09:00-23:00", "5 22:50", "6 09:10", 20 * time.Minute},
		"at night":       {"09:00-23:00", "5 23:30", "6 08:00", 0},
		"from the night": {"09:00-23:00", "5 03:00", "5 09:05", 5 * time.Minute},
		"for days":       {"09:00-23:00", "5 22:00", "8 10:00", 30 * time.Hour},
		"past midnight":  {"18:00-02:00", "5 01:30", "5 18:15", 45 * time.Minute},
		"at once":        {"09:00-23:00", "5 10:00", "5 10:00", 0},
		"the whole day":  {"00:00-24:00", "5 22:00", "6 04:00", 6 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.worked, within(hoursOf(t, tc.hours), dhaka(t, tc.start), dhaka(t, tc.end)))
		})
	}
}

func TestUsual(t *testing.T) {
	t.Parallel()
	spans := func(minutes ...int) []span {
		list := make([]span, len(minutes))
		for i, m := range minutes {
			list[i] = span{noon, noon.Add(time.Duration(m) * time.Minute)}
		}
		return list
	}
	hours := hoursOf(t, "00:00-24:00")
	require.Nil(t, usual(hours, spans(1, 2, 3, 4)))
	require.Equal(t, 7*time.Minute, *usual(hours, spans(600, 5, 7, 1, 90)))
	require.Equal(t, 8*time.Minute, *usual(hours, spans(600, 5, 7, 1, 9, 90)))
}

func TestParseSearch(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]requestSearch{
		"ckp7":       {transaction: "CKP7", username: "ckp7"},
		"rahim_1":    {username: "rahim_1"},
		"75LQ02XR":   {transaction: "75LQ02XR", username: "75lq02xr"},
		"95":         {transaction: "95", phone: "95", username: "95", dollars: 95_00, taka: 95_00},
		"01712-4488": {phone: "017124488", username: "01712-4488"},
		"০১৭":        {phone: "017", dollars: 17_00, taka: 17_00},
		"95.50":      {dollars: 95_50, taka: 95_50},
		"$95":        {dollars: 95_00},
		"৳12,300":    {taka: 12_300_00},
		"৳ ১২,৩০০":   {taka: 12_300_00},
		"১২৩০০":      {phone: "12300", dollars: 12_300_00, taka: 12_300_00},
		"1,000,000":  {phone: "1000000", dollars: 1_000_000_00, taka: 1_000_000_00},
		"c":          {},
		"-5":         {username: "-5"},
		"0":          {},
		"$":          {},
		"a b":        {},
		"%%":         {},
		"o'brien":    {},
		"x\x00y":     {},
		"রহিম":       {},
		"$৳5":        {},
		"TOOLONGID1": {transaction: "TOOLONGID1", username: "toolongid1"},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, *DepositQuery{Search: " " + text + " "}.filter().search)
		})
	}
	require.Nil(t, DepositQuery{Search: "  "}.filter().search)
}

// A change of more than 10% needs a confirmation; one of exactly 10% does not.
func TestNeedsConfirmation(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		present, next money.Rate
		needs         bool
	}{
		"the same":                     {120_00, 120_00, false},
		"a tenth up":                   {120_00, 132_00, false},
		"a poisha beyond":              {120_00, 132_01, true},
		"a tenth down":                 {120_00, 108_00, false},
		"a poisha below":               {120_00, 107_99, true},
		"a digit too many":             {120_00, 1200_00, true},
		"a digit too few":              {120_00, 12_00, true},
		"a tenth that does not divide": {1_05, 1_15, false},
		"beyond what does not divide":  {1_05, 1_16, true},
		"from the least to the most":   {minRate, maxRate, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.needs, needsConfirmation(tc.present, tc.next))
		})
	}
}

// An implausible rate never reaches the database.
func TestSetRate_bounds(t *testing.T) {
	t.Parallel()
	for name, rate := range map[string]money.Rate{"none": 0, "negative": -122_40, "too low": 99, "too high": 100_000_01} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireField(t, "usdToBdt", "Enter a valid rate", (&Service{}).SetRate(t.Context(), actor.User(admin.ID), rate, true))
		})
	}
}

// Each rule returns who may request the operation, and refuses params that no call produces.
func TestRules(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		rule   operations.Rule
		params string
		want   operations.Authority // "": refused
	}{
		"credit":           {ApproveRule, `{"amount":50.00,"reason":""}`, operations.ByAdmin},
		"credit of a word": {ApproveRule, `{"amount":50.00,"force":true}`, ""},
		"credit of a payment": {
			ApproveRule, `{"amount":50.00,"reason":"","payment":"019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"}`, operations.BySystem,
		},
		"withdrawal": {
			HoldRule(), `{"amount":50.00,"phoneNumber":"01712345678","method":"Bkash","rate":122,"newBrowser":false}`, operations.ByUser,
		},
		"withdrawal for another": {HoldRule(), `{"user":"x"}`, ""},
		"payout":                 {HandlingRule(), `{"transactionId":"","reason":""}`, operations.ByAdmin},
		"payout of a sum":        {HandlingRule(), `{"amount":50.00}`, ""},
		"cancellation":           {CancelRule(), `{}`, operations.ByUser},
		"cancellation by others": {CancelRule(), `{"by":"admin"}`, ""},
		"correction":             {AdjustRule(), `{}`, operations.ByAdmin},
		"correction of a sum":    {AdjustRule(), `{"amount": 1}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tc.rule(operations.Operation{Params: []byte(tc.params)})
			if tc.want == "" {
				require.Equal(t, fault.Invalid, fault.CodeOf(err))
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.want, got)
		})
	}
}

// Users and time of the tables.
var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

	owner  = user.Ref{ID: uuid.UUID{1}, Username: "rahim"}
	admin  = user.Ref{ID: uuid.UUID{2}, Username: "boss"}
	second = user.Ref{ID: uuid.UUID{3}, Username: "chief"}
)

// fixed is a clock that always returns the same time.
type fixed time.Time

func (f fixed) Now() time.Time { return time.Time(f) }

// requireField checks that err is Invalid for the field with the text, or nil if field is "".
func requireField(t *testing.T, field, text string, err error) {
	t.Helper()
	if field == "" {
		require.NoError(t, err)
		return
	}
	require.Equal(t, fault.Invalid, fault.CodeOf(err))
	require.Equal(t, map[string]string{field: text}, fault.As(err).Fields)
}

package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLoadAPI_receivers(t *testing.T) {
	setAPI(t)
	t.Setenv("RECEIVERS", "Bkash:01700000000, Bkash:01800000000:0/0,Nagad:01700000000:60000/900000,Nagad:01900000000:merchant")
	c, err := LoadAPI()
	require.NoError(t, err)
	require.Equal(t, Receivers{
		{"Bkash", "01700000000", 50_000_00, 300_000_00},
		{"Bkash", "01800000000", 0, 0},
		{"Nagad", "01700000000", 60_000_00, 900_000_00},
		{"Nagad", "01900000000", NoCap, NoCap},
	}, c.Receivers)
}

func TestLoadAPI_receivers_invalid(t *testing.T) {
	const (
		example = "must be methods with numbers, as in "
		caps    = "must be caps in whole taka a day and a month, as in 50000/300000, or merchant; 01711000000 has "
		nagad   = ",Nagad:01811000000"
	)
	for value, message := range map[string]string{
		"01711000000":                             example,
		"Bkash:01711000000" + nagad + ",":         example,
		"Bkash:1711000000" + nagad:                `with a mobile number of 11 digits that starts with 01; got "Bkash:1711000000"`,
		"Bkash:+8801711000000" + nagad:            `got "Bkash:+8801711000000"`,
		"Bkash:01711000000":                       "must have a number of Bkash and one of Nagad",
		"Rocket:01711000000" + nagad:              `got "Rocket:01711000000"`,
		"bkash:01711000000" + nagad:               `got "bkash:01711000000"`,
		"Bkash:01711000000,Bkash:01711000000:0/0": "must name a number once; Bkash:01711000000 is named twice",
		"Bkash:01711000000:" + nagad:              caps + `""`,
		"Bkash:01711000000:50000" + nagad:         caps + `"50000"`,
		"Bkash:01711000000:50001/50000" + nagad:   caps + `"50001/50000"`,
		"Bkash:01711000000:-1/50000" + nagad:      caps + `"-1/50000"`,
		"Bkash:01711000000:1/1/1" + nagad:         caps + `"1/1/1"`,
		"Bkash:01711000000:1/9999999999" + nagad:  caps + `"1/9999999999"`,
		"Bkash:01711000000:Merchant" + nagad:      caps + `"Merchant"`,
	} {
		t.Run(value, func(t *testing.T) {
			setAPI(t)
			t.Setenv("RECEIVERS", value)
			_, err := LoadAPI()
			require.ErrorContains(t, err, "RECEIVERS: ")
			require.ErrorContains(t, err, message)
		})
	}
}

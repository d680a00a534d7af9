package catalog

import (
	"strconv"
	"time"

	"amanat/internal/lib/clock"
)

var banglaMonths = [...]string{
	"জানুয়ারি", "ফেব্রুয়ারি", "মার্চ", "এপ্রিল", "মে", "জুন", "জুলাই", "আগস্ট", "সেপ্টেম্বর", "অক্টোবর", "নভেম্বর", "ডিসেম্বর",
}

// moment formats an RFC 3339 time for users in Dhaka, and returns anything else unchanged.
func moment(lang, value string) string {
	at, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return value
	}
	at = at.In(clock.Dhaka)
	if lang != Bangla {
		return at.Format("2 Jan 2006, 15:04")
	}
	day, year, hour := strconv.Itoa(at.Day()), strconv.Itoa(at.Year()), at.Format("15:04")
	return banglaDigits(day) + " " + banglaMonths[at.Month()-1] + " " + banglaDigits(year) + ", " + banglaDigits(hour)
}

func banglaDigits(s string) string {
	runes := []rune(s)
	for i, r := range runes {
		if r >= '0' && r <= '9' {
			runes[i] = r - '0' + '০'
		}
	}
	return string(runes)
}

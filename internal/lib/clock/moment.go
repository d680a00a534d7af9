package clock

import "time"

// Moment is a time in a text for users: in English as it is read in Dhaka, RFC 3339 in JSON.
type Moment time.Time

// String returns the time as texts show it, such as "8 Nov 2026, 10:14".
func (m Moment) String() string { return time.Time(m).In(Dhaka).Format("2 Jan 2006, 15:04") }

// MarshalText returns the time in RFC 3339, in UTC.
func (m Moment) MarshalText() ([]byte, error) {
	return []byte(time.Time(m).UTC().Format(time.RFC3339)), nil
}

package api

import (
	"time"

	"amanat/internal/clock"
	"amanat/internal/fault"
	"amanat/internal/reports"
)

const day = 24 * time.Hour // Dhaka has no daylight saving time

// Days is a range of days in a query, as Asia/Dhaka counts them. Both ends belong to it; one that is not given is open.
type Days struct {
	From string `query:"from" format:"date" doc:"First day, YYYY-MM-DD."`
	To   string `query:"to" format:"date" doc:"Last day, YYYY-MM-DD."`
}

func (d Days) period() (reports.Period, error) { return readPeriod("from", d.From, "to", d.To) }

// Dates is Days under the names that admins' calls have for it.
type Dates struct {
	StartDate string `query:"startDate" format:"date" doc:"First day, YYYY-MM-DD."`
	EndDate   string `query:"endDate" format:"date" doc:"Last day, YYYY-MM-DD."`
}

func (d Dates) period() (reports.Period, error) {
	return readPeriod("startDate", d.StartDate, "endDate", d.EndDate)
}

// readPeriod reads the first and the last day of a range from two fields. Code Invalid: not dates, or in the wrong order.
func readPeriod(firstField, first, lastField, last string) (reports.Period, error) {
	from, err := dayIn(firstField, first)
	if err != nil {
		return reports.Period{}, err
	}
	to, err := dayIn(lastField, last)
	if err != nil {
		return reports.Period{}, err
	}
	if from != nil && to != nil && to.Before(*from) {
		return reports.Period{}, fault.Field(lastField, lastField+" must not be before "+firstField+".")
	}
	if to != nil {
		*to = to.Add(day)
	}
	return reports.Period{From: from, To: to}, nil
}

// dayIn returns when a day begins; nil when none is given.
func dayIn(field, text string) (*time.Time, error) {
	if text == "" {
		return nil, nil
	}
	begins, err := time.ParseInLocation(time.DateOnly, text, clock.Dhaka)
	if err != nil || begins.Year() < 1 { // SQL knows no year 0
		return nil, fault.Field(field, field+" must be a date such as 2026-01-31.")
	}
	return &begins, nil
}

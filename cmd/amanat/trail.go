package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"amanat/internal/domain/accounts"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/money"
)

// trailLine is something that a user did or that happened to them.
type trailLine struct {
	At        time.Time    `json:"at" text:"time"`
	Event     string       `json:"event"`
	Subject   string       `json:"subject"`
	Status    string       `json:"status"`
	Amount    *money.Cents `json:"amount"`
	Actor     *string      `json:"actor" text:"by"`
	Reference *string      `json:"reference"`
	Detail    string       `json:"detail"`
}

func trail() *cobra.Command {
	var logFile string
	var since *time.Time
	var limit int
	cmd := printing(&cobra.Command{
		Use: "trail USERNAME", Args: exactly(1), Short: "Show what a user did and what happened to them, newest first",
		Long: "Show what a user did and what happened to them, newest first: sessions, operations that move their money, and the\n" +
			"actions of admins and operators on them. A session that was ended before it expired is no longer stored. Refused\n" +
			"calls are in the JSON logs of the apis alone: with --log, they are in the list, with code, reason and the ids of\n" +
			"the path. Other text on the lines of the log, such as the name of a container before the JSON, does not matter.\n" +
			"The audit log has that it was read.",
		Example: "  docker compose logs api | docker compose run --rm -T migrate trail rahim --since 2d --log -\n" +
			"  journalctl -o cat -u 'amanat-api@*' --since yesterday | sudo amanat trail rahim --log -",
		RunE: func(cmd *cobra.Command, args []string) error {
			logs, err := openLog(cmd, logFile)
			if err != nil {
				return err
			}
			defer func() { _ = logs.Close() }()
			from := time.Time{}
			if since != nil {
				from = *since
			}
			return withDatabase(cmd.Context(), func(db *pgxpool.Pool) error {
				user, err := accounts.New(accounts.Options{DB: db, Clock: clock.System{}}).Trail(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				lines, err := storedTrail(cmd, db, user.ID, from, limit)
				if err != nil {
					return err
				}
				refused, err := refusedCalls(logs, user.ID, from)
				if err != nil {
					return err
				}
				lines = append(lines, refused...)
				slices.SortStableFunc(lines, func(a, b trailLine) int { return b.At.Compare(a.At) })
				more := len(lines) >= limit
				if err := showList(cmd, lines[:min(len(lines), limit)], "Nothing is known."); err != nil {
					return err
				}
				if more {
					note(cmd, "There may be more than these %d: see --limit and --since.", limit)
				}
				return nil
			})
		},
	})
	cmd.Flags().StringVar(&logFile, "log", "", "also read the refused calls in this `file` of an api's log; -: standard input")
	sinceFlag(cmd, &since)
	limitFlag(cmd, &limit, 100, 10_000)
	return cmd
}

func openLog(cmd *cobra.Command, name string) (io.ReadCloser, error) {
	switch name {
	case "":
		return io.NopCloser(strings.NewReader("")), nil
	case "-":
		return io.NopCloser(cmd.InOrStdin()), nil
	}
	return os.Open(name)
}

// storedTrail returns the part of the trail that the database has.
func storedTrail(cmd *cobra.Command, db *pgxpool.Pool, user uuid.UUID, since time.Time, limit int) ([]trailLine, error) {
	service := &reports.Service{DB: db, Clock: clock.System{}}
	found, err := service.Trail(cmd.Context(), user, since, limit)
	if err != nil {
		return nil, err
	}
	moved, err := service.Operations(cmd.Context(), reports.OperationFilter{User: &user, Since: &since, Limit: limit})
	if err != nil {
		return nil, err
	}
	lines := make([]trailLine, 0, len(found)+len(moved))
	for _, l := range found {
		lines = append(lines, trailLine{At: l.At, Event: l.Event, Subject: l.Subject, Actor: l.Actor, Detail: l.Detail})
	}
	for _, o := range moved {
		line := trailLine{
			At: o.CreatedAt, Event: o.Kind, Subject: o.Subject, Status: o.Status, Amount: o.Amount, Actor: o.Actor,
			Reference: reference(o.RequestID),
		}
		if o.Refusal != nil {
			line.Detail = *o.Refusal
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// refusedCalls returns the refused calls of a user in the log of an api. What is no line of such a
// log is skipped.
func refusedCalls(logs io.Reader, user uuid.UUID, since time.Time) (lines []trailLine, err error) {
	reader := bufio.NewReader(logs)
	for {
		text, err := reader.ReadBytes('\n')
		if line, isRefusal := refusedCall(text, user); isRefusal && !line.At.Before(since) {
			lines = append(lines, line)
		}
		if err == io.EOF {
			return lines, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func refusedCall(text []byte, user uuid.UUID) (trailLine, bool) {
	var call map[string]any
	begin := bytes.IndexByte(text, '{')
	if begin < 0 || json.Unmarshal(text[begin:], &call) != nil {
		return trailLine{}, false
	}
	value := func(name string) string {
		if call[name] == nil {
			return ""
		}
		return fmt.Sprint(call[name])
	}
	at, err := time.Parse(time.RFC3339, value("time"))
	if err != nil || value("msg") != "request" || value("code") == "" || value("user_id") != user.String() {
		return trailLine{}, false
	}
	var ids []string
	for name := range call {
		if id, isID := strings.CutPrefix(name, "path."); isID {
			ids = append(ids, id+":"+value(name))
		}
	}
	slices.Sort(ids)
	requestID := value("request_id")
	return trailLine{
		At: at, Event: value("method") + " " + value("route"), Subject: strings.Join(ids, " "), Status: value("status"),
		Reference: reference(&requestID), Detail: value("code") + ": " + value("reason"),
	}, true
}

package archtest

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	// sqlStatement matches SQL statements by their shape: "select id from users", but not "Select a
	// category".
	sqlStatement = regexp.MustCompile(`(?is)^(\s|--[^\n]*\n)*(` + strings.Join([]string{
		`select\s.*\sfrom\s`, `select\s+[\w.]+\(`, `select\s+[\d']`, `with\s+(recursive\s+)?\w+(\s*\([^)]*\))?\s+as\s`, `insert\s+into\s`,
		`update\s+[\w.]+(\s+(as\s+)?\w+)?\s+set\s`, `delete\s+from\s`, `truncate\s+(table\s+)?[\w.]+`, `lock\s+table\s`, `merge\s+into\s`,
		`(create|alter|drop)\s+(unique\s+)?(table|index|schema|role|database|function|type|extension)\s`, `(grant|revoke)\s.*\s(on|to)\s`,
		`(listen|notify)\s+\w+\s*$`, `set\s+(local|session)\s+\w+`, `set\s+[\w.]+\s*(=|to)\s`,
	}, "|") + `)`)
	selectStar = regexp.MustCompile(`(?i)\b(?:select|returning)\s+(?:distinct\s+)?(?:(\w+)\.)?\*`)
	sqlClock   = regexp.MustCompile(`(?i)\b((now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(\s*\)|` +
		`(current_timestamp|current_date|current_time|localtimestamp|localtime)\b)`)
	ledgerWrites = regexp.MustCompile(`(?i)\bledger\.(post|fold)\b|\b(insert\s+into|update|delete\s+from|truncate(\s+table)?|copy)\s+ledger\.`)
)

// sqlOutsideStores lists packages that may have SQL in any file, with the reason.
var sqlOutsideStores = map[string]string{
	"internal/testing/dbtest":      "makes databases and rows for tests",
	"internal/devtools/localstack": "makes the roles and the database of the local stack",
	"internal/lib/postgres":        "applies migrations and takes the locks for it",
	"internal/domain/reports":      "it consists of read-only SQL across domain packages",
}

// ledgerWriters lists packages that may have SQL that writes the ledger, with the reason.
var ledgerWriters = map[string]string{
	"internal/money/ledger":   "the only writer",
	"internal/testing/dbtest": "gives tests money, with all that belongs to it",
}

func TestSQL(t *testing.T) {
	t.Parallel()
	for _, file := range goFiles(t) {
		anywhere := strings.HasPrefix(path.Base(file.path), "store") || excepted(t, sqlOutsideStores, file.path)
		writesLedger, again := excepted(t, ledgerWriters, file.path), excepted(t, onceAgain, file.path)
		for _, lit := range file.literals {
			refuse := func(broken bool, rule string) {
				if broken {
					t.Errorf("%s:%d: %s: %s", file.path, lit.line, rule, firstLine(lit.text))
				}
			}
			refuse(!anywhere && sqlStatement.MatchString(lit.text), "SQL stands in store*.go files only")
			refuse(selectsStar(lit.text), "name the columns instead of *")
			refuse(!machineTimes.MatchString(lit.whole) && sqlClock.MatchString(lit.text),
				"that is the database's clock; pass the business time as @now")
			refuse(!writesLedger && ledgerWrites.MatchString(lit.text), "money moves through ledger.Post only")
			for _, once := range oncePlaces {
				refuse(!again && file.dir() != once.in && once.what.MatchString(lit.text), "stands in "+once.in+" alone; use "+once.use)
			}
		}
	}
}

// selectsStar reports whether a statement selects all columns of a table. The star of an alias is
// allowed if the statement lists the columns, as in "select e.* from unnest(@ids) as e (id)".
func selectsStar(sql string) bool {
	for _, match := range selectStar.FindAllStringSubmatch(sql, -1) {
		alias := match[1]
		if alias == "" || !regexp.MustCompile(`(?i)\bas\s+`+alias+`\s*\(`).MatchString(sql) {
			return true
		}
	}
	return false
}

// machineTimes matches statements that may use the database's clock, on tables whose times are
// real: River's, and those of due emails and pushes, since moving the business clock must not end
// the lease of one that is being sent.
var machineTimes = regexp.MustCompile(`postgres\.RiverJobs|\bdue_(mails|pushes)\b`)

// Only the columns recorded_at and applied_at, which record when a row was written, may use the
// database's clock.
func TestMigrations_no_database_time(t *testing.T) {
	t.Parallel()
	machineTime := regexp.MustCompile(`(?i)^\s*(recorded_at|applied_at)\s`)
	for _, name := range walk(t, ".sql") {
		for i, line := range strings.Split(read(t, name), "\n") {
			code, _, _ := strings.Cut(line, "--")
			if found := sqlClock.FindString(code); found != "" && !machineTime.MatchString(code) {
				t.Errorf("%s:%d: %s is the database's clock; business time is given by the caller", name, i+1, found)
			}
		}
	}
}

// The patterns used by the checks above match what they should.
func TestSQL_patterns(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"select id\n  from users", "SELECT 1", "select ledger.balance(@kind)", "\n-- why\nwith a as (select 1) select 1",
		"insert into users (id) values (@id)", "update users set language = @language", "update deals d set status = 'Late'",
		"delete from sessions where id = @id", "create schema if not exists river", "set local role amanat_api", "listen changes",
	} {
		require.Regexp(t, sqlStatement, text)
	}
	for _, text := range []string{
		"Select a category", "Update failed", "Delete this deal", "With love", "settings", "drop the mic",
		"Updated %s", "select", "notify the buyer", "setting up",
	} {
		require.NotRegexp(t, sqlStatement, text)
	}
	for _, text := range []string{"select now()", "at < CURRENT_TIMESTAMP", "clock_timestamp ( )", "current_date - 1"} {
		require.Regexp(t, sqlClock, text)
	}
	for _, text := range []string{"@now", "known()", "current_user", "now"} {
		require.NotRegexp(t, sqlClock, text)
	}
	for _, text := range []string{"select * from users", "select u.* from users u", "insert into a values (1) returning *"} {
		require.True(t, selectsStar(text), text)
	}
	for _, text := range []string{"select count(*) from users", "select e.* from unnest(@ids) as e (id)"} {
		require.False(t, selectsStar(text), text)
	}
	require.Regexp(t, ledgerWrites, "select outcome from ledger.post(@key)")
	require.Regexp(t, ledgerWrites, "update ledger.accounts set balance = 0")
	require.NotRegexp(t, ledgerWrites, "select balance from ledger.accounts")
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return fmt.Sprintf("%.80q", line)
}

// oncePlaces lists text that is defined in one place, because no test would show that a change
// missed a second one.
var oncePlaces = []struct {
	what    *regexp.Regexp
	in, use string
}{
	{regexp.MustCompile(`'Active',\s*'Late'`), "migrations/functions", "deal_is_open(status) in SQL, Status.Open in Go"},
	{regexp.MustCompile(`:(pay|close|approve|hold|settle|credit)('|$)`), "internal/money/ledger", "ledger.DealClose.Key(id) and its like"},
	{regexp.MustCompile(`\briver\.river_|^river$`), "internal/lib/postgres", "postgres.RiverJobs, jobs.Schema"},
}

// onceAgain lists packages that may repeat it, with the reason.
var onceAgain = map[string]string{
	"queue/jobs":              "imports nothing of ours: a test ties its schema to that of package postgres",
	"internal/testing/dbtest": "gives tests money without the packages under test",
}

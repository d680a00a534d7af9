package main

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"amanat/internal/lib/clock"
)

// printing gives a command the flag --json. Its results go through show.
func printing(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().Bool("json", false, "print one JSON document")
	return cmd
}

func wantsJSON(cmd *cobra.Command) bool {
	asked, err := cmd.Flags().GetBool("json")
	return err == nil && asked
}

// texter is a value that is printed as a text of its own.
type texter interface{ text(out io.Writer) error }

// show prints a value: with --json as a JSON document, otherwise as a table if it is a list, or a
// line for each field. The fields are named after their JSON tags, or by a tag text; those with the
// tag text:"-" are in the JSON document only.
func show(cmd *cobra.Command, value any) error {
	if wantsJSON(cmd) {
		encoder := json.NewEncoder(cmd.OutOrStdout())
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(value)
	}
	if own, ok := value.(texter); ok {
		return own.text(cmd.OutOrStdout())
	}
	return printRows(cmd.OutOrStdout(), value)
}

// showList shows a list as a table, or says that it is empty.
func showList[T any](cmd *cobra.Command, list []T, empty string) error {
	switch {
	case wantsJSON(cmd):
		return show(cmd, append([]T{}, list...)) // never null
	case len(list) == 0:
		_, err := fmt.Fprintln(cmd.OutOrStdout(), empty)
		return err
	}
	return printTable(cmd.OutOrStdout(), list)
}

// note prints a remark on a result, which is no part of a JSON document.
func note(cmd *cobra.Command, format string, args ...any) {
	out := cmd.OutOrStdout()
	if wantsJSON(cmd) {
		out = cmd.ErrOrStderr()
	}
	fmt.Fprintf(out, format+"\n", args...)
}

func printTable[T any](out io.Writer, list []T) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	names, _ := fields(reflect.ValueOf(*new(T)))
	fmt.Fprintln(table, strings.ToUpper(strings.Join(names, "\t")))
	for _, item := range list {
		_, cells := fields(reflect.ValueOf(item))
		for i, cell := range cells {
			cells[i] = shorten(cell)
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	return table.Flush()
}

func printRows(out io.Writer, value any) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	names, cells := fields(reflect.ValueOf(value))
	for i, name := range names {
		fmt.Fprintf(table, "%s:\t%s\n", strings.ToUpper(name[:1])+name[1:], cells[i])
	}
	return table.Flush()
}

// fields returns the names and texts of a struct's fields.
func fields(value reflect.Value) (names, cells []string) {
	for _, field := range reflect.VisibleFields(value.Type()) {
		name := field.Tag.Get("text")
		if name == "-" || field.Anonymous {
			continue
		}
		if name == "" {
			tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			name = words(tag)
		}
		names, cells = append(names, name), append(cells, cell(value.FieldByIndex(field.Index)))
	}
	return names, cells
}

// words returns a name such as lastError as words.
func words(name string) string {
	var text strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			text.WriteByte(' ')
		}
		text.WriteRune(unicode.ToLower(r))
	}
	return text.String()
}

func cell(value reflect.Value) string {
	if value.Kind() == reflect.Pointer {
		if value.IsNil() {
			return "-"
		}
		value = value.Elem()
	}
	var text string
	switch v := value.Interface().(type) {
	case time.Time:
		text = stamp(v)
	case json.RawMessage:
		text = string(v)
	case []string:
		text = strings.Join(v, ", ")
	default:
		text = fmt.Sprint(v)
	}
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "-"
	}
	return text
}

// shorten cuts a text to what a table has room for.
func shorten(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05Z") }

// reasonFlag gives a command the flag --reason, without which it fails.
func reasonFlag(cmd *cobra.Command, reason *string) {
	cmd.Flags().StringVar(reason, "reason", "", "`why`, for the audit log (required)")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *reason = strings.TrimSpace(*reason); *reason == "" {
			return fmt.Errorf("%w: --reason is required", errUsage)
		}
		return nil
	}
}

// limitFlag gives a command the flag --limit.
func limitFlag(cmd *cobra.Command, limit *int, usual, most int) {
	*limit = usual
	cmd.Flags().Func("limit", fmt.Sprintf("at most `so many` (default %d)", usual), func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > most {
			return fmt.Errorf("must be 1 to %d", most)
		}
		*limit = n
		return nil
	})
}

// choiceFlag gives a command a flag for some of the values, separated by commas.
func choiceFlag(cmd *cobra.Command, chosen *[]string, name, usage string, values []string) {
	cmd.Flags().Func(name, usage+": "+strings.Join(values, ", "), func(text string) error {
		*chosen = strings.Split(text, ",")
		for _, value := range *chosen {
			if !slices.Contains(values, value) {
				return fmt.Errorf("must be of %s", strings.Join(values, ", "))
			}
		}
		return nil
	})
	// It fails only if the flag does not exist.
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// sinceFlag gives a command the flag --since.
func sinceFlag(cmd *cobra.Command, since **time.Time) {
	usage := "only what came since `then`: a duration such as 90m, 24h or 7d, or a date such as 2026-11-20 (UTC)"
	cmd.Flags().Func("since", usage, func(text string) error {
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			ago, err := duration(text)
			if err != nil || ago < 0 {
				return fmt.Errorf("must be a duration such as 24h or 7d, or a date such as 2026-11-20")
			}
			at = clock.System{}.Now().Add(-ago)
		}
		*since = &at
		return nil
	})
}

func duration(text string) (time.Duration, error) {
	const day = 24 * time.Hour
	if days, found := strings.CutSuffix(text, "d"); found {
		n, err := strconv.ParseUint(days, 10, 16)
		return time.Duration(n) * day, err
	}
	return time.ParseDuration(text)
}

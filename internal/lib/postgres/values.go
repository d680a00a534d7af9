package postgres

import (
	"strings"
)

// Page selects a part of a list: at most Limit rows after the first Offset.
type Page struct {
	Limit, Offset int
}

// NullText returns the argument for a column that is null where there is no text.
func NullText[T ~string](s T) *string {
	if s == "" {
		return nil
	}
	text := string(s)
	return &text
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// EscapeLike escapes the wildcards of LIKE: as a pattern, the result matches the text itself.
func EscapeLike(text string) string { return likeEscaper.Replace(text) }

// LikePrefix returns a LIKE pattern for texts that start with the given one.
func LikePrefix(text string) string { return EscapeLike(text) + "%" }

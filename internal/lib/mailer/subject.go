package mailer

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/wneessen/go-mail"
)

// subjectChunk is the number of bytes of a subject in one encoded word, which RFC 2047 limits to 75
// characters.
const subjectChunk = 42

// setSubject sets a subject that is displayed as given. go-mail encodes non-ASCII text only, so
// that ASCII text which looks like an encoded word (in a name, for example) would be decoded by the
// reader. Such a subject is encoded here.
func setSubject(msg *mail.Msg, subject string) {
	if !strings.Contains(subject, "=?") || !isASCII(subject) {
		msg.Subject(subject)
		return
	}
	var words []string
	for chunk := range slices.Chunk([]byte(subject), subjectChunk) {
		words = append(words, "=?UTF-8?B?"+base64.StdEncoding.EncodeToString(chunk)+"?=")
	}
	msg.SetGenHeaderPreformatted(mail.HeaderSubject, strings.Join(words, mail.SingleNewLine+" "))
}

// isASCII reports whether a text has printable ASCII characters only.
func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

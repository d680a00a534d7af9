package mailer_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/mailer"
)

// A subject may contain names chosen by users: mail clients must display it exactly as written.
func TestSend_subject(t *testing.T) {
	t.Parallel()
	catcher, err := localstack.StartMail(context.WithoutCancel(t.Context()), time.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = catcher.Stop() })
	sender, err := mailer.NewSMTP(catcher.URL(), "Amanat <no-reply@amanat.test>", 4)
	require.NoError(t, err)
	for _, subject := range []string{
		"Message from =?utf-8?q?=0d=0aBcc:_victim=40example.com?=",
		"Message from =?utf-8?q?boss?= " + strings.Repeat("and a long name ", 10),
		"=?utf-8?b?4KaG4Kau4Ka+4Kao4Kak?= আমানত",
		"Is 1+1=2?",
	} {
		require.NoError(t, sender.Send(t.Context(), mailer.Message{To: "support@amanat.test", Subject: subject, Text: "t", HTML: "h"}))
		require.Equal(t, subject, catcher.Mails()[0].Subject)
		require.Empty(t, catcher.Mails()[0].Header.Get("Bcc"))
	}
}

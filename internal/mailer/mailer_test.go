package mailer_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/localstack"
	"amanat/internal/mailer"
)

func TestALetterArrivesInBothParts(t *testing.T) {
	t.Parallel()
	catcher, err := localstack.StartMail(context.WithoutCancel(t.Context()), time.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = catcher.Stop() })
	sender, err := mailer.NewSMTP(catcher.URL(), "Amanat <no-reply@amanat.test>")
	require.NoError(t, err)

	message, err := mailer.Compose(mailer.Letter{
		To: "nusrat@example.com", Language: "bn", Text: "আপনার $১০০.০০ ডিপোজিট <b>ব্যালেন্সে</b> যোগ হয়েছে।",
		LinkText: "আমানত খুলুন", Link: "https://amanat.test/balance", Footer: "…",
	})
	require.NoError(t, err)
	require.NoError(t, sender.Send(t.Context(), message))

	mails := catcher.Mails()
	require.Len(t, mails, 1)
	require.Equal(t, "আপনার $১০০.০০ ডিপোজিট <b>ব্যালেন্সে</b> যোগ হয়েছে।", mails[0].Subject)
	require.Contains(t, mails[0].Text, "https://amanat.test/balance")
	require.Contains(t, mails[0].HTML, `lang="bn"`)
	require.Contains(t, mails[0].HTML, `href="https://amanat.test/balance"`)
	require.Contains(t, mails[0].HTML, "&lt;b&gt;", "what people wrote is text, never markup")
}

func TestSendingToADeadServerFails(t *testing.T) {
	t.Parallel()
	catcher, err := localstack.StartMail(context.WithoutCancel(t.Context()), time.Now)
	require.NoError(t, err)
	sender, err := mailer.NewSMTP(catcher.URL(), "Amanat <no-reply@amanat.test>")
	require.NoError(t, err)
	require.NoError(t, catcher.Stop())
	require.Error(t, sender.Send(t.Context(), mailer.Message{To: "a@example.com", Subject: "s", Text: "t", HTML: "h"}))
}

func TestSMTPURLs(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "http://mail", "smtp://", "smtp://host:port"} {
		_, err := mailer.NewSMTP(url, "a@example.com")
		require.Error(t, err, url)
	}
	for _, url := range []string{"smtp://localhost:1025", "smtps://user:secret@mail.example.com", "smtp://mail.example.com?tls=opportunistic"} {
		_, err := mailer.NewSMTP(url, "a@example.com")
		require.NoError(t, err, url)
	}
}

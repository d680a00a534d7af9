package mailer

import "time"

// KeepIdle sets how long idle connections are kept open.
func (s *SMTP) KeepIdle(keep time.Duration) { s.sessions.keep = keep }

package accounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// AppealOf returns the decision of a link to an appeal, which works for a suspended user, too. Code
// Invalid if it does not work.
func (s *Service) AppealOf(ctx context.Context, q postgres.Querier, token string) (decision uuid.UUID, err error) {
	decision, err = findAppealToken(ctx, q, Token(token), s.clock.Now())
	return decision, tokenFault(err)
}

// UseUpAppeal makes the links to an appeal against a decision stop working.
func (s *Service) UseUpAppeal(ctx context.Context, tx *postgres.Tx, decision uuid.UUID) error {
	return useUpAppealTokens(ctx, tx, decision, s.clock.Now())
}

// DecisionLetter is an email about a decision of moderation to the user it is about.
type DecisionLetter struct {
	Letter     string // jobs.LetterDecision or another about a decision
	Action     string // of the decision
	UserID     uuid.UUID
	DecisionID uuid.UUID
	Params     catalog.Params
	CanAppeal  bool
}

// decisionSubjects are the subjects of the emails that announce a decision, by its action.
var decisionSubjects = map[string]catalog.Kind{
	"warn": catalog.MailWarned, "hide": catalog.MailHidden, "suspend": catalog.MailSuspended, "ban": catalog.MailBanned,
}

var decisionTemplates = map[string]template{
	jobs.LetterDecisionUpheld:     {subject: catalog.MailUpheld, body: catalog.MailDecisionAnswer},
	jobs.LetterDecisionOverturned: {subject: catalog.MailOverturned, body: catalog.MailDecisionAnswer},
	jobs.LetterSuspensionEnded:    {subject: catalog.MailSuspensionEnded, body: catalog.MailSuspensionEndedBody},
}

// SendDecisionLetter sends an email about a decision, also to a user who is disabled. That of the
// decision itself has a link to an appeal while there can be one; as in SendLetter, its token is
// created here. It is for workers.
func (m *Mailer) SendDecisionLetter(ctx context.Context, l DecisionLetter) error {
	tmpl, known := decisionTemplates[l.Letter]
	if l.Letter == jobs.LetterDecision {
		tmpl = template{subject: decisionSubjects[l.Action], body: catalog.MailDecisionReason}
		known = tmpl.subject != ""
	}
	if !known {
		return fmt.Errorf("accounts: unknown letter %q about %q", l.Letter, l.Action)
	}
	reader, err := findReaderOrDisabled(ctx, m.DB, l.UserID)
	if errors.Is(err, errNoUser) {
		return nil // they have closed the account since
	}
	if err != nil {
		return err
	}
	tmpl.linkText, tmpl.path = catalog.MailOpen, "/decisions/"+l.DecisionID.String()
	var token Token
	var more []catalog.Kind
	if l.Letter == jobs.LetterDecision && l.CanAppeal {
		token = newToken()
		if err := insertAppealToken(ctx, m.DB, reader.ID, l.DecisionID, token, m.Clock.Now()); err != nil {
			return err
		}
		tmpl.linkText, tmpl.path = catalog.MailAppealLink, "/appeal"
		more = []catalog.Kind{catalog.MailAppealHow}
	}
	l.Params["username"] = reader.Username
	return m.send(ctx, reader, tmpl, token, l.Params, more)
}

package api

import (
	"context"
	"strings"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/deals"
)

// titleOfInvite is the length of a deal's title beside its link.
const titleOfInvite = 60

// inviteTitle returns the first line of the description, shortened.
func inviteTitle(i deals.Invite) string {
	line, _, _ := strings.Cut(strings.TrimSpace(i.Description), "\n")
	return catalog.Shorten(strings.TrimSpace(line), titleOfInvite)
}

// describeInvite describes a link to a deal that somebody can still join. It says of the maker no
// more than the username, and nothing of the guest.
func (s *Server) describeInvite(ctx context.Context, code, language string) (pageHead, error) {
	i, err := s.deals.FindInvite(ctx, nil, code)
	if err != nil {
		return pageHead{}, err
	}
	kind := catalog.ShareInviteSells
	if i.MakerBuys {
		kind = catalog.ShareInviteBuys
	}
	params := catalog.Params{"username": i.Maker.Username, "amount": i.Price.String()}
	return pageHead{Title: inviteTitle(i), Description: catalog.Render(language, kind, params), Unlisted: true}, nil
}

// describeProof describes every public proof in the same words: other sites keep what they have
// read, so a sum or a status in it would soon be untrue.
func describeProof(_ context.Context, _, language string) (pageHead, error) {
	return pageHead{
		Title:       catalog.Render(language, catalog.ShareProof, nil),
		Description: catalog.Render(language, catalog.ShareProofNote, nil),
		Unlisted:    true,
	}, nil
}

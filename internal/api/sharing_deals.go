package api

import (
	"context"
	"net/http"
	"strings"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/sharecard"
)

// titleOfInvite is the length of a deal's title beside its link.
const titleOfInvite = 60

// inviteTitle returns the first line of the description, shortened.
func inviteTitle(i deals.Invite) string {
	line, _, _ := strings.Cut(strings.TrimSpace(i.Description), "\n")
	return catalog.Shorten(strings.TrimSpace(line), titleOfInvite)
}

func inviteParams(i deals.Invite) catalog.Params {
	return catalog.Params{"username": i.Maker.Username, "amount": i.Price.String()}
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
	title := inviteTitle(i)
	return pageHead{
		Title: title, Description: catalog.Render(language, kind, inviteParams(i)), Unlisted: true,
		Card: cardPath("deals/"+i.Code, language, title, i.Price.String(), i.Maker.Username),
	}, nil
}

// describeProof describes every public proof in the same words: other sites keep what they have
// read, so a sum or a status in it would soon be untrue.
func describeProof(_ context.Context, _, language string) (pageHead, error) {
	return pageHead{
		Title:       catalog.Render(language, catalog.ShareProof, nil),
		Description: catalog.Render(language, catalog.ShareProofNote, nil),
		Card:        cardPath("site", language), Unlisted: true,
	}, nil
}

func (s *Server) cardOfInvite(w http.ResponseWriter, r *http.Request) {
	s.serveCard(w, r, func(ctx context.Context, language string) (shownCard, error) {
		i, err := s.deals.FindInvite(ctx, nil, r.PathValue("code"))
		if err != nil {
			return shownCard{}, err
		}
		params := inviteParams(i)
		return shownCard{Card: sharecard.Card{
			Title: inviteTitle(i), Figure: catalog.Render(language, catalog.SharePostPrice, params),
			Note: catalog.Render(language, catalog.ShareInviteNote, params),
		}}, nil
	})
}

package api

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/posts"
	"amanat/internal/domain/reports"
	"amanat/internal/money"
)

// describeTimeout bounds the reads for the head of a page: a page without it is better than none.
const describeTimeout = time.Second

// describePage returns the head of a page that is about a post or a user (docs/rules.md#sharing).
// It fails for other pages, and if the visitor reads too much or the reads fail: the page says by
// itself what is wrong. Code NotFound if there is no such post or user.
func (s *Server) describePage(r *http.Request, path, language string) (pageHead, error) {
	kind, id, _ := strings.Cut(path, "/")
	describe, found := map[string]func(ctx context.Context, id, language string) (pageHead, error){
		"posts": s.describePost, "profile": s.describeProfile, "d": s.describeInvite, "held": describeProof,
	}[kind]
	if !found || id == "" {
		return pageHead{}, errNoHead
	}
	ctx, cancel := context.WithTimeout(r.Context(), describeTimeout)
	defer cancel()
	client := accounts.Client{Address: requestInfoOf(r.Context()).address}
	if decision := s.allowVisitor(ctx, client, 1); !decision.Allowed {
		return pageHead{}, errNoHead
	}
	head, err := describe(ctx, id, language)
	if err != nil {
		return pageHead{}, err
	}
	head.Title = catalog.Render(language, catalog.ShareTitle, catalog.Params{"title": head.Title})
	head.Path, head.Language = r.URL.Path, language
	return head, nil
}

var errNoHead = errors.New("api: the page has no head of its own")

func (s *Server) describePost(ctx context.Context, id, language string) (pageHead, error) {
	post, rate, err := s.sharedPost(ctx, id)
	if err != nil {
		return pageHead{}, err
	}
	standing, err := s.reports.Standing(ctx, post.CreatedBy.ID, reports.Period{})
	if err != nil {
		return pageHead{}, err
	}
	params, err := postParams(post, rate)
	if err != nil {
		return pageHead{}, err
	}
	kind := catalog.SharePost
	params["username"] = post.CreatedBy.Username
	if standing.AverageRating != nil {
		kind, params["rating"] = catalog.SharePostRated, strconv.FormatFloat(*standing.AverageRating, 'f', 1, 64)
	}
	return pageHead{
		Title: post.Title, Description: catalog.Render(language, kind, params), Price: post.Price.String(),
		Picture: post.Image(),
	}, nil
}

func (s *Server) describeProfile(ctx context.Context, username, language string) (pageHead, error) {
	user, standing, err := s.sharedUser(ctx, username)
	if err != nil {
		return pageHead{}, err
	}
	kind := catalog.ShareProfile
	if standing.Completed > 0 {
		kind = catalog.ShareProfileDone
	}
	description := catalog.Render(language, kind, catalog.Params{
		"username": user.Username, "completed": strconv.Itoa(standing.Completed), "finished": strconv.Itoa(standing.Finished),
	})
	return pageHead{Title: user.Username, Description: description, Picture: user.ProfilePic}, nil
}

// sharedPost returns a post that everybody may see, and the exchange rate. Code NotFound.
func (s *Server) sharedPost(ctx context.Context, id string) (posts.Post, money.Rate, error) {
	postID, err := parseID(id)
	if err != nil {
		return posts.Post{}, 0, err
	}
	post, err := s.posts.Get(ctx, posts.Reader{}, postID)
	if err != nil {
		return posts.Post{}, 0, err
	}
	rate, err := s.wallet.Rate(ctx)
	return post, rate, err
}

// sharedUser returns a user and their record. Code NotFound.
func (s *Server) sharedUser(ctx context.Context, username string) (accounts.User, reports.Standing, error) {
	user, err := s.accounts.Find(ctx, username)
	if err != nil {
		return accounts.User{}, reports.Standing{}, err
	}
	standing, err := s.reports.Standing(ctx, user.ID, reports.Period{})
	return user, standing, err
}

func postParams(post posts.Post, rate money.Rate) (catalog.Params, error) {
	taka, err := money.Convert(post.Price, rate.FloorTaka())
	return catalog.Params{"amount": post.Price.String(), "taka": taka.String()}, err
}

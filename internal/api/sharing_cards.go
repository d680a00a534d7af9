package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/sharecard"
)

const (
	keptCards   = 500 // in memory, of about 60 KB each
	drawnAtOnce = 1   // drawing takes about 0.1 s of a processor
	// cardCost is what a card costs of a visitor's reads.
	cardCost  = 10
	cardCache = "public, max-age=86400"
	// cardPicture is the width in which the picture of a card is read.
	cardPicture = 640
)

// cards draws the pictures of links and keeps the latest ones.
type cards struct {
	drawer  *sharecard.Drawer
	kept    *lru.Cache[string, []byte]
	drawing singleflight.Group // once for each card
	room    *semaphore.Weighted
}

func newCards() (*cards, error) {
	drawer, err := sharecard.New()
	if err != nil {
		return nil, err
	}
	kept, err := lru.New[string, []byte](keptCards)
	return &cards{drawer: drawer, kept: kept, room: semaphore.NewWeighted(drawnAtOnce)}, err
}

// draw returns the file of a card. version identifies what it shows, the picture included, which is
// read only if the card has to be drawn.
func (c *cards) draw(
	ctx context.Context, version string, card sharecard.Card, picture func(ctx context.Context) (image.Image, error),
) ([]byte, error) {
	if file, found := c.kept.Get(version); found {
		return file, nil
	}
	drawn, err, _ := c.drawing.Do(version, func() (any, error) {
		// The first caller may go away while others still wait for the card.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handleTimeout)
		defer cancel()
		if err := c.room.Acquire(ctx, 1); err != nil {
			return nil, errUnavailable().Because(err)
		}
		defer c.room.Release(1)
		var err error
		if card.Picture, err = picture(ctx); err != nil {
			return nil, err
		}
		file, err := c.drawer.Draw(card)
		if err == nil {
			c.kept.Add(version, file)
		}
		return file, err
	})
	file, _ := drawn.([]byte)
	return file, err
}

// cardPath returns the address of a card in a language. It changes with what the card shows, since
// other sites keep pictures for long.
func cardPath(name, language string, shown ...string) string {
	query := url.Values{"lang": {language}}
	if len(shown) > 0 {
		query.Set("v", versionOf(shown...))
	}
	return "/api/cards/" + name + "?" + query.Encode()
}

func versionOf(shown ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(shown, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// shownCard is a card with the URL of its picture, "" if it has none.
type shownCard struct {
	sharecard.Card
	picture string
}

// serveCard serves the card that find returns for the language of the call. Like images, cards are
// not in the OpenAPI document: other sites use the addresses that pages give them.
func (s *Server) serveCard(w http.ResponseWriter, r *http.Request, find func(ctx context.Context, language string) (shownCard, error)) {
	ctx, cancel := context.WithTimeout(r.Context(), handleTimeout)
	defer cancel()
	file, err := s.drawCard(ctx, r, find)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Cache-Control", cardCache)
	header.Set("Content-Type", sharecard.ContentType)
	header.Set("Content-Length", strconv.Itoa(len(file)))
	header.Set("Cross-Origin-Resource-Policy", "cross-origin") // other sites show it
	_, _ = w.Write(file)                                       // fails only if the client is gone
}

func (s *Server) drawCard(
	ctx context.Context, r *http.Request, find func(ctx context.Context, language string) (shownCard, error),
) ([]byte, error) {
	client := accounts.Client{Address: requestInfoOf(ctx).address}
	if decision := s.allowVisitor(ctx, client, cardCost); !decision.Allowed {
		return nil, rateLimitError(decision.RetryAfter)
	}
	language := catalog.English
	if r.URL.Query().Get("lang") == catalog.Bangla {
		language = catalog.Bangla
	}
	card, err := find(ctx, language)
	if err != nil {
		return nil, err
	}
	card.Brand = catalog.Render(language, catalog.ShareBrand, nil)
	version := versionOf(card.Brand, card.Title, card.Figure, card.Note, card.picture)
	return s.cards.draw(ctx, version, card.Card, func(ctx context.Context) (image.Image, error) { return s.readPicture(ctx, card.picture) })
}

// readPicture decodes one of our pictures by its URL, nil for "".
func (s *Server) readPicture(ctx context.Context, pictureURL string) (image.Image, error) {
	id, found := images.ID(pictureURL)
	if !found {
		return nil, nil
	}
	stored, err := s.images.Find(ctx, id, cardPicture)
	if err != nil {
		return nil, err
	}
	data, err := s.images.Data(ctx, stored)
	if err != nil {
		return nil, err
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	return picture, err
}

func (s *Server) cardOfSite(w http.ResponseWriter, r *http.Request) {
	s.serveCard(w, r, func(_ context.Context, language string) (shownCard, error) {
		return shownCard{Card: sharecard.Card{Title: catalog.Render(language, catalog.SharePromise, nil)}}, nil
	})
}

func (s *Server) cardOfPost(w http.ResponseWriter, r *http.Request) {
	s.serveCard(w, r, func(ctx context.Context, language string) (shownCard, error) {
		post, rate, err := s.sharedPost(ctx, r.PathValue("id"))
		if err != nil {
			return shownCard{}, err
		}
		params, err := postParams(post, rate)
		return shownCard{picture: post.Image(), Card: sharecard.Card{
			Title: post.Title, Figure: catalog.Render(language, catalog.SharePostPrice, params),
			Note: catalog.Render(language, catalog.SharePostNote, params),
		}}, err
	})
}

func (s *Server) cardOfUser(w http.ResponseWriter, r *http.Request) {
	s.serveCard(w, r, func(ctx context.Context, language string) (shownCard, error) {
		user, standing, err := s.sharedUser(ctx, r.PathValue("username"))
		if err != nil {
			return shownCard{}, err
		}
		note := catalog.SharePromise
		if standing.Completed > 0 {
			note = catalog.ShareProfileNote
		}
		return shownCard{picture: user.ProfilePic, Card: sharecard.Card{
			Title: user.Username, Note: catalog.Render(language, note, userParams(user, standing)),
		}}, nil
	})
}

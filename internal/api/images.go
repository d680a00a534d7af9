package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"amanat/internal/app/images"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/fault"
)

const (
	// imagePolicy disables scripts in a file that is opened directly, whatever type a browser takes
	// it for.
	imagePolicy = "sandbox; default-src 'none'"
	// An image never changes. But browsers must revalidate one of a conversation each time,
	// because the next user of the browser may not see it.
	publicImage  = "public, max-age=31536000, immutable"
	privateImage = "private, no-cache"
)

// image serves GET /images/{id}?w=: the smallest variant that is at least that wide. It is not in
// the OpenAPI document, because pages use the URLs that they are given. Images of a conversation or
// a deal are for its participants and admins; for others they do not exist.
func (s *Server) image(w http.ResponseWriter, r *http.Request) {
	found, err := s.findImage(r)
	var tag string
	if err == nil {
		tag = `"` + found.Tag() + "-" + strconv.Itoa(found.Width) + `"`
	}
	file := &sentFile{ReadSeeker: strings.NewReader("")}
	if err == nil && r.Header.Get("If-None-Match") != tag { // otherwise 304
		sending, stop := context.WithTimeout(r.Context(), writeTimeout) // the file is read while it is sent
		defer stop()
		var opened io.ReadSeekCloser
		if opened, err = s.images.Open(sending, found); err == nil {
			defer func() { _ = opened.Close() }()
			file.ReadSeeker = opened
		}
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Cache-Control", publicImage)
	if !found.Public() {
		header.Set("Cache-Control", privateImage)
	}
	header.Set("Content-Security-Policy", imagePolicy)
	header.Set("Content-Type", found.ContentType)
	header.Set("ETag", tag)
	http.ServeContent(w, r, "", time.Time{}, file)
	if file.err != nil {
		_ = s.failure(r.Context(), file.err) // logs it: the client has the status already, and too few bytes
	}
}

// imageCard serves GET /images/{id}/card: the picture beside a link to a post or a profile, which
// has to be public. Other sites show it. Visitors may call it less often than other reads.
func (s *Server) imageCard(w http.ResponseWriter, r *http.Request) {
	card, err := s.findCard(r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Cache-Control", publicImage)
	header.Set("Content-Security-Policy", imagePolicy)
	header.Set("Content-Type", cardType)
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(card))
}

func (s *Server) findCard(r *http.Request) ([]byte, error) {
	id, err := parseID(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	ctx, end, err := s.begin(r.Context())
	defer end()
	if err != nil {
		return nil, err
	}
	if decision := s.allowVisitor(ctx, accounts.Client{Address: requestInfoOf(ctx).address}, costlyRead); !decision.Allowed {
		return nil, rateLimitError(decision.RetryAfter)
	}
	found, err := s.images.Find(ctx, id, 0)
	if err == nil && !found.Public() {
		err = errNotFound()
	}
	if err != nil {
		return nil, err
	}
	return s.images.Card(ctx, found)
}

// sentFile keeps the error of reading a file, which http.ServeContent does not return.
type sentFile struct {
	io.ReadSeeker

	err error
}

// Read implements io.Reader.
func (f *sentFile) Read(p []byte) (int, error) {
	n, err := f.ReadSeeker.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}

// findImage returns the requested image. Code NotFound, also if the caller may not see it.
func (s *Server) findImage(r *http.Request) (images.Image, error) {
	id, err := parseID(r.PathValue("id"))
	if err != nil {
		return images.Image{}, err
	}
	width, err := wholeNumber("w", queryNumber(r.URL.Query().Get("w")), 0, 0)
	if err != nil {
		return images.Image{}, err
	}
	ctx, end, err := s.begin(r.Context())
	defer end()
	if err != nil {
		return images.Image{}, err
	}
	found, err := s.images.Find(ctx, id, width)
	if err != nil || found.Public() {
		return found, err
	}
	allowed, err := s.mayRead(ctx, r, found)
	if err == nil && !allowed {
		err = errNotFound()
	}
	return found, err
}

// mayRead reports whether the caller may see an image that is not public: one of a conversation or
// a deal, or of a hidden post.
func (s *Server) mayRead(ctx context.Context, r *http.Request, image images.Image) (bool, error) {
	reader, _, err := s.accounts.Authenticate(ctx, readCookie(r, s.cookie))
	if fault.CodeOf(err) == fault.Unauthenticated {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	requestInfoOf(ctx).userID = &reader.ID
	if s.accounts.ActsAsAdmin(reader) {
		return true, nil
	}
	switch {
	case image.DealID != nil:
		return s.deals.IsParty(ctx, *image.DealID, reader.ID)
	case image.ConversationID == nil:
		return image.OwnerID == reader.ID, nil
	}
	return s.chat.IsMember(ctx, *image.ConversationID, reader.ID)
}

package api

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"time"

	"amanat/internal/fault"
	"amanat/internal/images"
)

const (
	// imagePolicy lets a file that is opened by itself do nothing, whatever a browser might take it for.
	imagePolicy = "sandbox; default-src 'none'"
	// An image never changes: its address names it.
	publicImage  = "public, max-age=31536000, immutable"
	privateImage = "private, max-age=31536000, immutable"
)

// image serves GET /images/{id}?w=: the smallest variant that is at least so wide. It stands outside the OpenAPI document, because pages
// name images by the URLs they are given. Images of a conversation are for its participants and admins; for all others they do not exist.
func (s *Server) image(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), handleTimeout)
	defer cancel()
	found, err := s.findImage(ctx, r)
	var data []byte
	if err == nil {
		data, err = s.images.Data(ctx, found)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Cache-Control", publicImage)
	if found.ConversationID != nil {
		header.Set("Cache-Control", privateImage)
	}
	header.Set("Content-Security-Policy", imagePolicy)
	header.Set("Content-Type", found.ContentType)
	header.Set("ETag", `"`+found.Tag()+"-"+strconv.Itoa(found.Width)+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// findImage returns the image that a request asks for. Code NotFound also when the caller may not see it.
func (s *Server) findImage(ctx context.Context, r *http.Request) (images.Image, error) {
	id, err := parseID(r.PathValue("id"))
	if err != nil {
		return images.Image{}, err
	}
	width, err := wholeNumber("w", queryNumber(r.URL.Query().Get("w")), 0, 0)
	if err != nil {
		return images.Image{}, err
	}
	found, err := s.images.Find(ctx, id, width)
	if err != nil || found.ConversationID == nil {
		return found, err
	}
	allowed, err := s.mayRead(ctx, r, found)
	if err == nil && !allowed {
		err = errNotFound()
	}
	return found, err
}

// mayRead tells whether the caller may see an image of a conversation.
func (s *Server) mayRead(ctx context.Context, r *http.Request, image images.Image) (bool, error) {
	reader, _, err := s.accounts.Authenticate(ctx, readCookie(r, s.cookie))
	if fault.CodeOf(err) == fault.Unauthenticated {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	requestInfoOf(ctx).userID = reader.ID
	if reader.IsAdmin {
		return true, nil
	}
	return s.chat.IsMember(ctx, *image.ConversationID, reader.ID)
}

package api_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	_ "image/jpeg"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/images"
	"amanat/internal/lib/postgres"
)

// pictureURL returns an image of one color as a data URL.
func pictureURL(tb testing.TB, c color.Color, width, height int) string {
	tb.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.Set(x, y, c)
		}
	}
	var file bytes.Buffer
	require.NoError(tb, png.Encode(&file, img))
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(file.Bytes())
}

// saveImage stores an image as the domain packages do and returns its path below /api.
func (f *fixture) saveImage(owner uuid.UUID, conversation *uuid.UUID, url string) string {
	f.t.Helper()
	service := images.New(images.Options{DB: f.owner, Clock: f.clock})
	picture, err := service.Read(f.t.Context(), owner, url)
	require.NoError(f.t, err)
	var id uuid.UUID
	require.NoError(f.t, postgres.WithTx(f.t.Context(), f.owner, func(tx *postgres.Tx) error {
		id, err = service.Save(f.t.Context(), tx, picture, owner, conversation)
		return err
	}))
	return belowAPI(images.URL(id))
}

func belowAPI(url string) string { return strings.TrimPrefix(url, "/api") }

func (r reply) width() int {
	r.t.Helper()
	config, _, err := image.DecodeConfig(bytes.NewReader(r.body))
	require.NoError(r.t, err)
	return config.Width
}

func TestGetImage(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	owner := f.member("rahim")
	address := f.saveImage(owner.user.ID, nil, pictureURL(t, color.White, 700, 350))
	visitor := f.visitor()
	whole := visitor.get(address).want(200)
	require.Equal(t, 700, whole.width())
	require.Equal(t, "image/jpeg", whole.header.Get("Content-Type"))
	require.Equal(t, "public, max-age=31536000, immutable", whole.header.Get("Cache-Control"))
	require.Equal(t, "sandbox; default-src 'none'", whole.header.Get("Content-Security-Policy"))
	require.Equal(t, "nosniff", whole.header.Get("X-Content-Type-Options"))
	small := visitor.get(address + "?w=200").want(200)
	require.Equal(t, 320, small.width())
	require.Equal(t, 700, visitor.get(address+"?w=9999999999").want(200).width())

	require.NotEqual(t, whole.header.Get("ETag"), small.header.Get("ETag"))
	again := visitor.do(http.MethodGet, address+"?w=200", nil, "If-None-Match", small.header.Get("ETag")).want(304)
	require.Empty(t, again.body)
	require.Equal(t, small.header.Get("ETag"), again.header.Get("ETag"))
	visitor.do(http.MethodGet, address, nil, "If-None-Match", small.header.Get("ETag")).want(200)

	visitor.get(address+"?w=wide").refused(400, "invalid", "w must be a whole number from 1.")
	for _, unknown := range []string{"/images/" + uuid.NewString(), "/images/x", address + "x"} {
		missing := visitor.get(unknown)
		missing.refused(404, "not_found", "Not found.")
		require.Equal(t, "no-store", missing.header.Get("Cache-Control"))
	}
}

func TestGetImage_conversation_parties_only(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, stranger, boss := f.member("rahim"), f.member("karim"), f.member("stranger"), f.admin("boss")
	opened := rahim.opens(karim, fields{"image": pictureURL(t, color.White, 20, 20)})
	address := belowAPI(opened.Message.Image)
	for _, b := range []*browser{rahim, karim, boss} {
		shown := b.get(address).want(200)
		require.Equal(t, "private, no-cache", shown.header.Get("Cache-Control"))
		again := b.do(http.MethodGet, address, nil, "If-None-Match", shown.header.Get("ETag")).want(304)
		require.Empty(t, again.body)
		require.Equal(t, "private, no-cache", again.header.Get("Cache-Control"))
	}
	tag := rahim.get(address).want(200).header.Get("ETag")
	for _, b := range []*browser{stranger, f.visitor()} {
		b.get(address).refused(404, "not_found", "Not found.")
		b.do(http.MethodGet, address, nil, "If-None-Match", tag).refused(404, "not_found", "Not found.")
	}

	// Another user signs in with the same browser, whose cache holds the image.
	out := rahim.post("/auth/logout", nil).want(200)
	require.Equal(t, `"cache"`, out.header.Get("Clear-Site-Data"))
	rahim.post("/auth/login", fields{"username": "stranger", "password": password}).want(200)
	rahim.do(http.MethodGet, address, nil, "If-None-Match", tag).refused(404, "not_found", "Not found.")
}

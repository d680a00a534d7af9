package sharecard_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"amanat/internal/lib/sharecard"
)

var green = color.RGBA{G: 0x90, A: 0xff}

func filled(width, height int) image.Image {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(picture, picture.Bounds(), image.NewUniform(green), image.Point{}, draw.Src)
	return picture
}

func drawn(t *testing.T, card sharecard.Card) image.Image {
	t.Helper()
	drawer, err := sharecard.New()
	require.NoError(t, err)
	file, err := drawer.Draw(card)
	require.NoError(t, err)
	page, err := jpeg.Decode(bytes.NewReader(file))
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, sharecard.Width, sharecard.Height), page.Bounds())
	return page
}

// near reports whether a pixel has about a color, since a JPEG has none exactly.
func near(page image.Image, x, y int, want color.RGBA) bool {
	r, g, b, _ := page.At(x, y).RGBA()
	off := func(have uint32, want uint8) bool { return max(int(have>>8)-int(want), int(want)-int(have>>8)) > 24 }
	return !off(r, want.R) && !off(g, want.G) && !off(b, want.B)
}

// dark counts the dark pixels of an area: letters.
func dark(page image.Image, area image.Rectangle) (n int) {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if r, g, b, _ := page.At(x, y).RGBA(); r+g+b < 3*0x6000 {
				n++
			}
		}
	}
	return n
}

var (
	brandArea  = image.Rect(150, 60, 600, 125)
	titleArea  = image.Rect(80, 150, 1150, 420)
	figureArea = image.Rect(80, 430, 600, 520)
	noteArea   = image.Rect(80, 525, 1150, 600)
)

func TestDraw_parts(t *testing.T) {
	t.Parallel()
	page := drawn(t, sharecard.Card{Brand: "Amanat", Title: "Cooking channel", Figure: "$480.00", Note: "Paid through Amanat"})
	for name, area := range map[string]image.Rectangle{"brand": brandArea, "title": titleArea, "figure": figureArea, "note": noteArea} {
		require.Greater(t, dark(page, area), 300, name)
	}
	bare := drawn(t, sharecard.Card{Title: "Cooking channel"})
	for name, area := range map[string]image.Rectangle{"brand": brandArea, "figure": figureArea, "note": noteArea} {
		require.Zero(t, dark(bare, area), name)
	}
}

// Pictures of any proportions fill the right side, and text stays beside them.
func TestDraw_picture(t *testing.T) {
	t.Parallel()
	for name, picture := range map[string]image.Image{
		"wide": filled(1280, 200), "tall": filled(200, 1280), "a line": filled(1280, 1), "a dot": filled(1, 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := drawn(t, sharecard.Card{Title: strings.Repeat("Cooking channel ", 20), Picture: picture})
			for _, at := range []image.Point{{700, 10}, {1190, 10}, {700, 620}, {1190, 620}} {
				require.True(t, near(page, at.X, at.Y, green), at)
			}
			require.True(t, near(page, 660, 300, color.RGBA{0xff, 0xff, 0xff, 0xff}))
		})
	}
}

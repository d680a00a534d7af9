package images_test

import (
	"image"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/images"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
)

// Read returns a picture, or an error with code Invalid or TooLarge.
func FuzzRead(f *testing.F) {
	photo := jpegFile(f, drawing(16, 12))
	for _, seed := range []string{
		"", "data:", "data:image/png;base64,", "data:image/svg+xml;base64,PHN2Zy8+",
		dataURL("image/png", pngFile(f, drawing(9, 7))),
		dataURL("image/png", hugePNG(f, 20_000, 20_000)),
		dataURL("image/gif", gifFile(f, 5, 5, 2)),
		dataURL("image/webp", webpFile(f, drawing(8, 6))),
		dataURL("image/jpeg", photo),
	} {
		f.Add(seed)
	}
	for orientation := range uint16(10) {
		f.Add(dataURL("image/jpeg", jpegWith(photo, exif(orientation), nil)))
	}
	size := image.Pt(8, 6)
	f.Add(dataURL("image/jpeg", jpegWith(photo, exif(6), displayP3)))
	f.Add(dataURL("image/png", pngWith(f, pngFile(f, drawing(8, 6)), exif(6), adobeRGB)))
	f.Add(dataURL("image/webp", webpWith(webpFile(f, drawing(8, 6)), size, exif(6), displayP3)))
	service := images.New(images.Options{Clock: clock.System{}})
	f.Fuzz(func(t *testing.T, url string) {
		picture, err := service.Read(t.Context(), uuid.New(), url)
		if err == nil {
			require.NotNil(t, picture)
			return
		}
		require.Contains(t, []fault.Code{fault.Invalid, fault.TooLarge}, fault.CodeOf(err))
	})
}

// No EXIF data and no profile can keep a picture from being read.
func FuzzRead_metadata(f *testing.F) {
	for _, seed := range [][]byte{exif(6), srgb, displayP3, adobeRGB, iccProfile(rommColors, curveFormula(0, 1.8))} {
		f.Add(seed)
	}
	service := images.New(images.Options{Clock: clock.System{}})
	file := webpFile(f, drawing(8, 6))
	f.Fuzz(func(t *testing.T, metadata []byte) {
		_, err := service.Read(t.Context(), uuid.New(), dataURL("image/webp", webpWith(file, image.Pt(8, 6), metadata, metadata)))
		require.NoError(t, err)
	})
}

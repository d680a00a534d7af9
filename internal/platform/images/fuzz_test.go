package images_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/platform/clock"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/images"
)

// Read returns a picture, or an error with code Invalid or TooLarge.
func FuzzRead(f *testing.F) {
	photo := jpegFile(f, drawing(16, 12))
	for _, seed := range []string{
		"", "data:", "data:image/png;base64,", "data:image/svg+xml;base64,PHN2Zy8+",
		dataURL("image/png", pngFile(f, drawing(9, 7))),
		dataURL("image/png", hugePNG(f, 20_000, 20_000)),
		dataURL("image/gif", gifFile(f, 5, 5, 2)),
		dataURL("image/webp", webpFile(f)),
		dataURL("image/jpeg", photo),
	} {
		f.Add(seed)
	}
	for orientation := range uint16(10) {
		f.Add(dataURL("image/jpeg", withEXIF(photo, orientation)))
	}
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

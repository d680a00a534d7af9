package images_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/images"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
)

var (
	red  = color.RGBA{R: 220, A: 255}
	blue = color.RGBA{B: 220, A: 255}
)

// drawing is red with a blue top left quarter, so that its eight orientations differ.
func drawing(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := red
			if x < width/2 && y < height/2 {
				c = blue
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func dataURL(mediaType string, file []byte) string {
	return "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(file)
}

func pngFile(tb testing.TB, img image.Image) []byte {
	tb.Helper()
	var file bytes.Buffer
	require.NoError(tb, png.Encode(&file, img))
	return file.Bytes()
}

func jpegFile(tb testing.TB, img image.Image) []byte {
	tb.Helper()
	var file bytes.Buffer
	require.NoError(tb, jpeg.Encode(&file, img, &jpeg.Options{Quality: 95}))
	return file.Bytes()
}

// gifFile has the given number of frames: the first is red, the others are blue.
func gifFile(tb testing.TB, width, height, frames int) []byte {
	tb.Helper()
	animation := &gif.GIF{}
	for i := range frames {
		frame := image.NewPaletted(image.Rect(0, 0, width, height), palette.WebSafe)
		c := color.Color(red)
		if i > 0 {
			c = blue
		}
		index := uint8(frame.Palette.Index(c))
		for at := range frame.Pix {
			frame.Pix[at] = index
		}
		animation.Image = append(animation.Image, frame)
		animation.Delay = append(animation.Delay, 1)
	}
	var file bytes.Buffer
	require.NoError(tb, gif.EncodeAll(&file, animation))
	return file.Bytes()
}

// bitWriter writes numbers of some bits, the lowest bit first.
type bitWriter struct {
	file []byte
	used int
}

func (w *bitWriter) write(value uint32, bits int) {
	for i := range bits {
		if w.used%8 == 0 {
			w.file = append(w.file, 0)
		}
		w.file[w.used/8] |= byte(value>>i&1) << (w.used % 8)
		w.used++
	}
}

// webpFile is a lossless WebP. The picture has the color of its first pixel and that of its last.
func webpFile(tb testing.TB, img *image.RGBA) []byte {
	tb.Helper()
	size := img.Bounds().Size()
	channels := func(x, y int) [4]uint8 { // in the order of the format
		c := img.RGBAAt(x, y)
		return [4]uint8{c.G, c.R, c.B, c.A}
	}
	w := &bitWriter{}
	w.write(0x2F, 8)
	w.write(uint32(size.X-1), 14)
	w.write(uint32(size.Y-1), 14)
	w.write(0, 1+3+1+1+1) // no alpha, version 0, no transformation, no cache of colors, one group of codes
	one, two := channels(0, 0), channels(size.X-1, size.Y-1)
	code := func(one, two uint8) { // of one symbol and no bits, or of two and one bit
		if one == two {
			w.write(0b101, 3) // simple, one symbol, of 8 bits
			w.write(uint32(one), 8)
			return
		}
		w.write(0b111, 3)
		w.write(uint32(one), 8)
		w.write(uint32(two), 8)
	}
	for i := range one {
		code(one[i], two[i])
	}
	code(0, 0) // of distances, which are not used
	for y := range size.Y {
		for x := range size.X {
			for i, value := range channels(x, y) {
				switch {
				case one[i] == two[i]:
				case value == one[i]:
					w.write(0, 1)
				default:
					require.Equal(tb, two[i], value)
					w.write(1, 1)
				}
			}
		}
	}
	return riff(riffChunk("VP8L", w.file))
}

func riff(chunks ...[]byte) []byte {
	body := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func riffChunk(name string, body []byte) []byte {
	chunk := append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body))), body...)
	return append(chunk, make([]byte, len(body)%2)...)
}

// exif is an orientation, and a location that must be removed.
func exif(orientation uint16) []byte {
	tiff := []byte("II*\x00\x08\x00\x00\x00\x01\x00")
	tiff = binary.LittleEndian.AppendUint16(tiff, 0x0112)
	tiff = binary.LittleEndian.AppendUint16(tiff, 3)
	tiff = binary.LittleEndian.AppendUint32(tiff, 1)
	tiff = binary.LittleEndian.AppendUint32(tiff, uint32(orientation))
	return append(tiff, "GPS 23.8103N 90.4125E"...)
}

// jpegWith adds EXIF data and a profile to a JPEG, unless they are nil.
func jpegWith(file, exif, profile []byte) []byte {
	parts := [][]byte{file[:2]}
	add := func(marker byte, header string, body []byte) {
		if body != nil {
			segment := binary.BigEndian.AppendUint16([]byte{0xFF, marker}, uint16(2+len(header)+len(body)))
			parts = append(parts, segment, []byte(header), body)
		}
	}
	add(0xE1, "Exif\x00\x00", exif)
	add(0xE2, "ICC_PROFILE\x00\x01\x01", profile)
	return bytes.Join(append(parts, file[2:]), nil)
}

// pngWith adds EXIF data and a profile to a PNG, unless they are nil.
func pngWith(tb testing.TB, file, exif, profile []byte) []byte {
	tb.Helper()
	const header = 8 + 12 + 13
	parts := [][]byte{file[:header]}
	if profile != nil {
		var packed bytes.Buffer
		w := zlib.NewWriter(&packed)
		_, err := w.Write(profile)
		require.NoError(tb, err)
		require.NoError(tb, w.Close())
		parts = append(parts, pngChunk("iCCP", append([]byte("name\x00\x00"), packed.Bytes()...)))
	}
	if exif != nil {
		parts = append(parts, pngChunk("eXIf", exif))
	}
	return bytes.Join(append(parts, file[header:]), nil)
}

func pngChunk(name string, body []byte) []byte {
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), name...)
	chunk = append(chunk, body...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// webpWith adds EXIF data and a profile to a WebP, unless they are nil.
func webpWith(file []byte, size image.Point, exif, profile []byte) []byte {
	header := make([]byte, 4, 10)
	for _, side := range []int{size.X - 1, size.Y - 1} {
		header = append(header, byte(side), byte(side>>8), byte(side>>16))
	}
	parts := [][]byte{nil}
	if profile != nil {
		header[0] |= 1 << 5
		parts = append(parts, riffChunk("ICCP", profile))
	}
	parts = append(parts, file[12:])
	if exif != nil {
		header[0] |= 1 << 3
		parts = append(parts, riffChunk("EXIF", exif))
	}
	parts[0] = riffChunk("VP8X", header)
	return riff(parts...)
}

// iccProfile is a profile of RGB with the given primary colors and one curve for all three.
func iccProfile(primaries [3][3]float64, curve []byte) []byte {
	header := make([]byte, 128)
	copy(header[12:], "mntrRGB XYZ ")
	copy(header[36:], "acsp")
	const tags, entry = 6, 12
	table := binary.BigEndian.AppendUint32(nil, tags)
	at := len(header) + 4 + tags*entry
	var bodies []byte
	add := func(body []byte, names ...string) {
		for _, name := range names {
			table = append(table, name...)
			table = binary.BigEndian.AppendUint32(table, uint32(at+len(bodies)))
			table = binary.BigEndian.AppendUint32(table, uint32(len(body)))
		}
		bodies = append(bodies, body...)
	}
	for i, name := range []string{"rXYZ", "gXYZ", "bXYZ"} {
		add(append([]byte("XYZ \x00\x00\x00\x00"), fixed(primaries[i][:]...)...), name)
	}
	add(curve, "rTRC", "gTRC", "bTRC")
	return bytes.Join([][]byte{header, table, bodies}, nil)
}

// fixed is numbers with 16 bits after the point.
func fixed(numbers ...float64) (b []byte) {
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(n*(1<<16)))))
	}
	return b
}

// curvePoints is a curve of points; one point is an exponent with 8 bits after the point.
func curvePoints(points ...uint16) []byte {
	curve := binary.BigEndian.AppendUint32([]byte("curv\x00\x00\x00\x00"), uint32(len(points)))
	for _, p := range points {
		curve = binary.BigEndian.AppendUint16(curve, p)
	}
	return curve
}

// curveFormula is a curve of a formula's kind and numbers.
func curveFormula(kind byte, numbers ...float64) []byte {
	return append([]byte{'p', 'a', 'r', 'a', 0, 0, 0, 0, 0, kind, 0, 0}, fixed(numbers...)...)
}

var (
	srgbCurve   = curveFormula(3, 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045)
	srgb        = iccProfile(srgbColors, srgbCurve)
	displayP3   = iccProfile(p3Colors, srgbCurve)
	adobeRGB    = iccProfile(adobeColors, curvePoints(0x0233))
	srgbColors  = [3][3]float64{{0.43607, 0.22249, 0.01392}, {0.38515, 0.71687, 0.09708}, {0.14307, 0.06061, 0.71410}}
	p3Colors    = [3][3]float64{{0.51512, 0.24120, -0.00105}, {0.29198, 0.69225, 0.04189}, {0.15710, 0.06657, 0.78407}}
	adobeColors = [3][3]float64{{0.60974, 0.31111, 0.01947}, {0.20528, 0.62567, 0.06087}, {0.14919, 0.06322, 0.74457}}
	rommColors  = [3][3]float64{{0.79767, 0.28804, 0}, {0.13519, 0.71188, 0}, {0.03134, 0.00009, 0.82491}}
)

// hugePNG is a file of 47 KiB whose header claims width × height pixels.
func hugePNG(tb testing.TB, width, height uint32) []byte {
	tb.Helper()
	file := pngFile(tb, drawing(8, 8))
	header := file[12 : 12+4+13]
	binary.BigEndian.PutUint32(header[4:], width)
	binary.BigEndian.PutUint32(header[8:], height)
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(header))
	return append(file, make([]byte, 47<<10)...)
}

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

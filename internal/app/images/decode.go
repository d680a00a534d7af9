package images

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image"
	"io"
	"strings"

	"golang.org/x/image/draw"

	"amanat/internal/lib/fault"
)

// Bounds of an upload. Its dimensions are read from the header, before anything is decoded.
const (
	maxBytes  = 5 << 20
	maxPixels = 16_000_000
	// pixelsPerCost is the number of pixels that cost one rate limit token. A picture of maxPixels
	// takes four times as long to decode.
	pixelsPerCost = 4_000_000
	maxSide       = 16_384 // scaling a line of a million pixels takes a gigabyte
	// maxScans bounds the passes over a JPEG: real files have about ten, but a small file can
	// request a hundred thousand.
	maxScans = 100
)

// Bounds of stored pictures. Photos are wide or square; screenshots of phones are tall.
const (
	maxWidth  = 1280
	maxHeight = 4096
)

// parseDataURL decodes the file of a data URL.
func parseDataURL(url string) ([]byte, error) {
	header, payload, found := strings.Cut(url, ",")
	mediaType, encoding, _ := cutLast(strings.ToLower(header), ";")
	if !found || !strings.HasPrefix(mediaType, "data:image/") {
		return nil, fault.New(fault.Invalid, "image_missing", "Please select an image file!")
	}
	if encoding != "base64" {
		return nil, errUnreadable()
	}
	if base64.StdEncoding.DecodedLen(len(payload)) > maxBytes+2 { // up to two bytes of padding
		return nil, errTooManyBytes()
	}
	file, err := base64.StdEncoding.DecodeString(payload)
	if err != nil {
		return nil, errUnreadable()
	}
	if len(file) > maxBytes {
		return nil, errTooManyBytes()
	}
	return file, nil
}

func cutLast(s, separator string) (before, after string, found bool) {
	at := strings.LastIndex(s, separator)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(separator):], true
}

// header is the format and size in a file's header.
type header struct {
	format *format
	pixels int
}

// cost returns the rate limit tokens for decoding: one for each started pixelsPerCost.
func (h header) cost() int { return (h.pixels + pixelsPerCost - 1) / pixelsPerCost }

// inspect reads the header of a file without decoding it. Codes: Invalid, TooLarge.
func inspect(file []byte) (header, error) {
	found := formatOf(file)
	if found == nil {
		return header{}, errUnreadable()
	}
	config, err := found.config(bytes.NewReader(file))
	if err != nil || config.Width <= 0 || config.Height <= 0 {
		return header{}, cannotDecode(found, file)
	}
	if config.Width*config.Height > maxPixels {
		return header{}, errTooLarge("16 megapixels")
	}
	if max(config.Width, config.Height) > maxSide {
		return header{}, errTooLarge("16,384 pixels a side")
	}
	if found == jpegFormat && bytes.Count(file, []byte(jpegScan)) > maxScans {
		return header{}, cannotDecode(found, file)
	}
	return header{format: found, pixels: config.Width * config.Height}, nil
}

// decode decodes an inspected file to an upright picture in sRGB, scaled down to the stored size.
func decode(file []byte, f *format) (*image.RGBA, error) {
	decoded, err := f.decode(bytes.NewReader(file))
	if f == jpegFormat && errors.Is(err, io.ErrUnexpectedEOF) {
		// Panoramas of some phones lack the end marker, which viewers do not need.
		decoded, err = f.decode(io.MultiReader(bytes.NewReader(file), strings.NewReader(jpegEnd)))
	}
	if err != nil {
		return nil, cannotDecode(f, file)
	}
	var about metadata
	if f.metadata != nil {
		about = f.metadata(file)
	}
	turn := exifOrientation(about.exif)
	limit := image.Pt(maxWidth, maxHeight)
	if turn.swapsSides() {
		limit = image.Pt(maxHeight, maxWidth)
	}
	picture := shrink(decoded, fit(decoded.Bounds().Size(), limit))
	if colors := readProfile(about.profile); colors != nil {
		colors.apply(picture)
	}
	return turn.apply(picture), nil
}

// fit returns the largest size of the same proportions within limit, never larger than size.
func fit(size, limit image.Point) image.Point {
	if size.X > limit.X {
		size = image.Pt(limit.X, max(1, size.Y*limit.X/size.X))
	}
	if size.Y > limit.Y {
		size = image.Pt(max(1, size.X*limit.Y/size.Y), limit.Y)
	}
	return size
}

// shrink scales a picture down. It halves the size while possible, averaging four pixels, and
// applies a sharper filter in the last step only: that filter keeps a row of its result in memory
// for every source row.
func shrink(source image.Image, size image.Point) *image.RGBA {
	for at := source.Bounds().Size(); at.X >= 2*size.X && at.Y >= 2*size.Y && at != size; at = source.Bounds().Size() {
		half := image.NewRGBA(image.Rect(0, 0, at.X/2, at.Y/2))
		draw.ApproxBiLinear.Scale(half, half.Bounds(), source, source.Bounds(), draw.Src, nil)
		source = half
	}
	if source, ok := source.(*image.RGBA); ok && source.Bounds().Size() == size && source.Bounds().Min == (image.Point{}) {
		return source
	}
	target := image.NewRGBA(image.Rectangle{Max: size})
	if source.Bounds().Size() == size {
		draw.Draw(target, target.Bounds(), source, source.Bounds().Min, draw.Src)
		return target
	}
	draw.CatmullRom.Scale(target, target.Bounds(), source, source.Bounds(), draw.Src, nil)
	return target
}

// crop scales the middle of a picture to a size, on white.
func crop(picture image.Image, size image.Point) *image.RGBA {
	from := picture.Bounds()
	if from.Dx()*size.Y > from.Dy()*size.X { // too wide
		width := max(1, from.Dy()*size.X/size.Y)
		from.Min.X += (from.Dx() - width) / 2
		from.Max.X = from.Min.X + width
	} else {
		height := max(1, from.Dx()*size.Y/size.X)
		from.Min.Y += (from.Dy() - height) / 2
		from.Max.Y = from.Min.Y + height
	}
	card := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(card, card.Bounds(), image.White, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(card, card.Bounds(), picture, from, draw.Over, nil)
	return card
}

// cannotDecode returns why a file of an accepted format cannot be decoded.
func cannotDecode(f *format, file []byte) error {
	if f == webpFormat && animatedWebP(file) {
		return fault.New(fault.Invalid, "image_animated", "This WebP image is animated. Please choose one that does not move.")
	}
	return fault.Newf(fault.Invalid, "image_broken",
		"This {format} file is broken or of an unusual kind. Please save it again, or choose another image.",
		fault.Params{"format": f.name})
}

func errUnreadable() error {
	return fault.New(fault.Invalid, "image_unreadable", "This image cannot be read. Please choose a PNG, JPEG, WebP or GIF file.")
}

func errTooManyBytes() error { return errTooLarge("5 MiB") }

func errTooLarge(limit string) error {
	return fault.Newf(fault.TooLarge, "image_too_large", "The image is too large: the limit is {limit}.", fault.Params{"limit": limit})
}

package images_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"
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

// webpFile is a lossless 1 by 1 picture.
func webpFile(tb testing.TB) []byte {
	tb.Helper()
	file, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
	require.NoError(tb, err)
	return file
}

// withEXIF adds an orientation, and a location that must be removed, to a JPEG.
func withEXIF(file []byte, orientation uint16) []byte {
	tiff := []byte("II*\x00\x08\x00\x00\x00\x01\x00")
	tiff = binary.LittleEndian.AppendUint16(tiff, 0x0112)
	tiff = binary.LittleEndian.AppendUint16(tiff, 3)
	tiff = binary.LittleEndian.AppendUint32(tiff, 1)
	tiff = binary.LittleEndian.AppendUint32(tiff, uint32(orientation))
	body := append([]byte("Exif\x00\x00"), tiff...)
	body = append(body, "GPS 23.8103N 90.4125E"...)
	segment := binary.BigEndian.AppendUint16([]byte{0xFF, 0xE1}, uint16(len(body)+2))
	segment = append(segment, body...)
	return bytes.Join([][]byte{file[:2], segment, file[2:]}, nil)
}

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

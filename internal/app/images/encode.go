package images

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
)

const jpegQuality = 82

// variantWidths are the widths that screens use: the whole picture, cards on dense screens, cards,
// avatars.
var variantWidths = []int{maxWidth, 640, 320, 96}

// encode encodes a picture in its full size and in every smaller variant.
func encode(source *image.RGBA) (*Picture, error) {
	opaque := source.Opaque()
	p := &Picture{}
	add := func() error {
		v, err := encodeVariant(source, opaque)
		p.variants = append(p.variants, v)
		return err
	}
	if err := add(); err != nil {
		return nil, err
	}
	p.hash = sha256.Sum256(p.variants[0].data)
	for _, width := range variantWidths {
		size := source.Bounds().Size()
		if width >= size.X {
			continue
		}
		source = shrink(source, image.Pt(width, max(1, size.Y*width/size.X)))
		if err := add(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// encodeVariant writes a JPEG, or a PNG for a picture with transparency.
func encodeVariant(source *image.RGBA, opaque bool) (variant, error) {
	size := source.Bounds().Size()
	v := variant{width: size.X, height: size.Y, contentType: "image/jpeg"}
	var file bytes.Buffer
	var err error
	if opaque {
		err = jpeg.Encode(&file, source, &jpeg.Options{Quality: jpegQuality})
	} else {
		v.contentType = "image/png"
		err = png.Encode(&file, source)
	}
	if err != nil {
		return variant{}, fmt.Errorf("encode image: %w", err)
	}
	v.data = file.Bytes()
	return v, nil
}

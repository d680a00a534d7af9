package main

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"golang.org/x/image/vector"
)

const (
	// pictureWidth and pictureHeight are in units, like the shapes of a picture.
	pictureWidth, pictureHeight = 320, 240
	// unit is in pixels; it makes the pictures as wide as the largest size that the site stores.
	unit = 4
)

// shape is a closed outline, in units.
type shape func(r *vector.Rasterizer)

// canvas is a picture of filled, antialiased shapes. Later shapes cover earlier ones.
type canvas struct {
	pixels *image.RGBA
	raster *vector.Rasterizer
}

func newCanvas(ground uint32) *canvas {
	c := &canvas{
		pixels: image.NewRGBA(image.Rect(0, 0, pictureWidth*unit, pictureHeight*unit)),
		raster: vector.NewRasterizer(pictureWidth*unit, pictureHeight*unit),
	}
	draw.Draw(c.pixels, c.pixels.Bounds(), image.NewUniform(rgb(ground)), image.Point{}, draw.Src)
	return c
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xFF}
}

// fill fills the shapes with a color.
func (c *canvas) fill(hex uint32, shapes ...shape) {
	for _, outline := range shapes {
		c.raster.Reset(pictureWidth*unit, pictureHeight*unit)
		outline(c.raster)
		c.raster.ClosePath()
		c.raster.Draw(c.pixels, c.pixels.Bounds(), image.NewUniform(rgb(hex)), image.Point{})
	}
}

// dataURL returns the picture as a data URL, the form in which it is uploaded.
func (c *canvas) dataURL() (string, error) {
	var file bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&file, c.pixels); err != nil {
		return "", err
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(file.Bytes()), nil
}

// polygon returns a polygon with corners given as x, y, x, y …
func polygon(corners ...float32) shape {
	return func(r *vector.Rasterizer) {
		r.MoveTo(corners[0]*unit, corners[1]*unit)
		for i := 2; i+1 < len(corners); i += 2 {
			r.LineTo(corners[i]*unit, corners[i+1]*unit)
		}
	}
}

func rectangle(x, y, width, height float32) shape {
	return polygon(x, y, x+width, y, x+width, y+height, x, y+height)
}

// kappa is the distance of a cubic curve's control points from its ends, in radii, to approximate a
// quarter of a circle.
const kappa = 0.5523

// rounded returns a rectangle with round corners.
func rounded(x, y, width, height, radius float32) shape {
	x, y, width, height, radius = x*unit, y*unit, width*unit, height*unit, radius*unit
	in := radius * (1 - kappa)
	right, bottom := x+width, y+height
	return func(r *vector.Rasterizer) {
		r.MoveTo(x+radius, y)
		r.LineTo(right-radius, y)
		r.CubeTo(right-in, y, right, y+in, right, y+radius)
		r.LineTo(right, bottom-radius)
		r.CubeTo(right, bottom-in, right-in, bottom, right-radius, bottom)
		r.LineTo(x+radius, bottom)
		r.CubeTo(x+in, bottom, x, bottom-in, x, bottom-radius)
		r.LineTo(x, y+radius)
		r.CubeTo(x, y+in, x+in, y, x+radius, y)
	}
}

func disc(x, y, radius float32) shape {
	return rounded(x-radius, y-radius, 2*radius, 2*radius, radius)
}

// bowl returns the lower half of a disc.
func bowl(x, y, radius float32) shape {
	x, y, radius = x*unit, y*unit, radius*unit
	return func(r *vector.Rasterizer) {
		r.MoveTo(x-radius, y)
		r.CubeTo(x-radius, y+kappa*radius, x-kappa*radius, y+radius, x, y+radius)
		r.CubeTo(x+kappa*radius, y+radius, x+radius, y+kappa*radius, x+radius, y)
	}
}

// leaf returns a leaf between two points that is thick units thick in the middle.
func leaf(x, y, toX, toY, thick float32) shape {
	x, y, toX, toY, thick = x*unit, y*unit, toX*unit, toY*unit, thick*unit
	middleX, middleY := (x+toX)/2, (y+toY)/2
	// A vector across the leaf, as long as the leaf.
	acrossX, acrossY := toY-y, x-toX
	length := max(abs(acrossX)+abs(acrossY), 1)
	acrossX, acrossY = acrossX/length*thick, acrossY/length*thick
	return func(r *vector.Rasterizer) {
		r.MoveTo(x, y)
		r.QuadTo(middleX+acrossX, middleY+acrossY, toX, toY)
		r.QuadTo(middleX-acrossX, middleY-acrossY, x, y)
	}
}

func abs(v float32) float32 { return max(v, -v) }

//go:build soak

package soak

const on = true

//go:build !soak

package soak

const on = false

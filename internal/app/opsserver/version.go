package opsserver

import "runtime/debug"

// version is set by `make build` and the Dockerfile: -ldflags "-X
// amanat/internal/app/opsserver.version=...".
var version string

// Version returns the build's version: the linker's value, otherwise the commit recorded by the Go
// command, otherwise "unknown".
func Version() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return "unknown"
}

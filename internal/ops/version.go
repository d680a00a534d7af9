package ops

import "runtime/debug"

// version is set by `make build` and the Dockerfile: -ldflags "-X amanat/internal/ops.version=...".
var version string

// Version names the build: what the linker was told, else the commit the Go command found, else "unknown".
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

//go:build soak

package system

func init() { proxies["caddy"] = (*proxied).caddy }

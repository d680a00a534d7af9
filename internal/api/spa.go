package api

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
)

const (
	spaRoute  = "/*"
	indexFile = "index.html"

	cacheForever = "public, max-age=31536000, immutable" // names under assets/ hold a hash of the content
	cacheAsk     = "no-cache"                            // keep, but ask each time whether it is still the same
)

// spa serves the built UI from memory: a file where there is one, else index.html, whose router knows the path.
type spa struct {
	files map[string]spaFile // by path from the root, without the compressed siblings
}

type spaFile struct {
	contentType string
	cache       string
	variants    []spaVariant // best first; the last is the file as it is
}

type spaVariant struct {
	encoding string // "" for the file as it is
	content  []byte
	etag     string
}

// encodings are the compressed siblings that a build may leave beside a file, best first.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// newSPA reads all files. Names that begin with a dot are the build's own and are left out.
func newSPA(dist fs.FS) (*spa, error) {
	s := &spa{files: map[string]spaFile{}}
	err := fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() || isVariant(name):
			return nil
		}
		file, err := readSPAFile(dist, name)
		s.files[name] = file
		return err
	})
	return s, err
}

func isVariant(name string) bool {
	for _, encoding := range encodings {
		if strings.HasSuffix(name, encoding.suffix) {
			return true
		}
	}
	return false
}

func readSPAFile(dist fs.FS, name string) (spaFile, error) {
	file := spaFile{contentType: mime.TypeByExtension(path.Ext(name)), cache: cacheAsk}
	if strings.HasPrefix(name, "assets/") {
		file.cache = cacheForever
	}
	for _, encoding := range append(encodings[:len(encodings):len(encodings)], struct{ name, suffix string }{}) {
		content, err := fs.ReadFile(dist, name+encoding.suffix)
		if errors.Is(err, fs.ErrNotExist) && encoding.name != "" {
			continue
		}
		if err != nil {
			return spaFile{}, fmt.Errorf("read %s: %w", name+encoding.suffix, err)
		}
		sum := sha256.Sum256(content)
		file.variants = append(file.variants, spaVariant{encoding.name, content, `"` + hex.EncodeToString(sum[:16]) + `"`})
	}
	return file, nil
}

// ServeHTTP serves a file or the page.
func (s *spa) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "This address does not take this kind of request.", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	file, found := s.files[name]
	if !found {
		// What looks like a file is one that is not there: answering with the page would hide the mistake, and caches would keep it.
		if strings.HasPrefix(name+"/", "assets/") || path.Ext(name) != "" {
			w.Header().Set("Cache-Control", "no-store")
			http.Error(w, "There is nothing at this address.", http.StatusNotFound)
			return
		}
		if file, found = s.files[indexFile]; !found {
			w.Header().Set("Cache-Control", "no-store")
			http.Error(w, "The UI is not built. Run `make build` or `make run`. The API is at /api.", http.StatusServiceUnavailable)
			return
		}
	}
	file.serve(w, r)
}

func (f spaFile) serve(w http.ResponseWriter, r *http.Request) {
	variant := f.variants[len(f.variants)-1]
	for _, candidate := range f.variants {
		if candidate.encoding == "" || accepts(r, candidate.encoding) {
			variant = candidate
			break
		}
	}
	header := w.Header()
	header.Set("Cache-Control", f.cache)
	header.Set("Etag", variant.etag)
	if len(f.variants) > 1 {
		header.Set("Vary", "Accept-Encoding")
	}
	if matchesETag(r.Header.Get("If-None-Match"), variant.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if f.contentType != "" {
		header.Set("Content-Type", f.contentType)
	}
	if variant.encoding != "" {
		header.Set("Content-Encoding", variant.encoding)
	}
	header.Set("Content-Length", strconv.Itoa(len(variant.content)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(variant.content) // the client may be gone
	}
}

// accepts tells whether the client takes an encoding: it names it, with no weight of zero.
func accepts(r *http.Request, encoding string) bool {
	for offer := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(offer), ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		weight, found := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q=")
		value, err := strconv.ParseFloat(weight, 64)
		return !found || err != nil || value > 0
	}
	return false
}

func matchesETag(header, etag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == etag || candidate == "*" {
			return true
		}
	}
	return false
}

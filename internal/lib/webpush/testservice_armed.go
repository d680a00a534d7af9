//go:build failpoints

package webpush

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"os"
)

// toTestService makes a client of the system tests connect to AMANAT_PUSH_SERVICE, an address of
// this machine, in place of every push service. AMANAT_PUSH_CERTIFICATE is the file with its
// certificate.
func toTestService(transport *http.Transport) {
	address := os.Getenv("AMANAT_PUSH_SERVICE")
	if address == "" {
		return
	}
	roots := x509.NewCertPool()
	if certificate, err := os.ReadFile(os.Getenv("AMANAT_PUSH_CERTIFICATE")); err != nil || !roots.AppendCertsFromPEM(certificate) {
		panic("AMANAT_PUSH_CERTIFICATE is no certificate")
	}
	transport.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}
}

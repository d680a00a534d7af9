package api_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// unexercised maps the documented statuses that these tests cannot produce through a proxy to the
// reason.
var unexercised = map[string]string{
	"408": "Prism waits for a whole body before it sends any of it: TestLogin_slow_body",
	"500": "a mistake of ours, and none is known: TestServer_recovers_panic",
	"503": "PostgreSQL is away: internal/testing/systemtest",
}

// report writes to file how often each documented answer was received, and returns an error if any
// was not.
func (c *contract) report(file string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var text strings.Builder
	var missing []string
	documented, exercised := 0, 0
	names := map[string]contractCall{}
	for _, call := range c.calls {
		names[call.String()] = call
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		call := names[name]
		fmt.Fprint(&text, name)
		for _, status := range slices.Sorted(maps.Keys(c.document.Paths[call.path][strings.ToLower(call.method)].Responses)) {
			times := c.met[name+" "+status]
			documented++
			switch {
			case times > 0:
				exercised++
				fmt.Fprintf(&text, "  %s×%d", status, times)
			case unexercised[status] == "":
				missing = append(missing, name+" "+status)
			}
		}
		fmt.Fprintln(&text)
	}
	fmt.Fprintf(&text, "\n%d calls, %d documented answers, %d exercised. Not exercised:\n", len(c.calls), documented, exercised)
	for _, status := range slices.Sorted(maps.Keys(unexercised)) {
		fmt.Fprintf(&text, "  %s: %s\n", status, unexercised[status])
	}
	for _, answer := range missing {
		fmt.Fprintf(&text, "  %s: MISSING\n", answer)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("documented answers that no test has met:\n%s", strings.Join(missing, "\n"))
	}
	return nil
}

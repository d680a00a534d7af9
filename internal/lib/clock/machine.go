//go:build !failpoints

package clock

import "time"

// machine returns the time of the machine.
func machine() time.Time { return time.Now() }

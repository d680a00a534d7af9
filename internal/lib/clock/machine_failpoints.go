//go:build failpoints

package clock

import (
	"os"
	"sync"
	"time"
)

// offset is how far the process's clock is wrong.
var offset = sync.OnceValue(func() time.Duration {
	d, _ := time.ParseDuration(os.Getenv("AMANAT_CLOCK_OFFSET")) // 0 without one
	return d
})

// machine returns the time of the machine, moved by AMANAT_CLOCK_OFFSET: tests of crashes start
// processes whose clocks are wrong.
func machine() time.Time { return time.Now().Add(offset()) }

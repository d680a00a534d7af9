package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Queues are the queues that a worker serves, each with its number of workers, 0 for the default
// number. Empty: all queues.
type Queues map[string]int

const maxQueueWorkers = 1000

var errQueues = errors.New("must be names of queues, each with or without a number of workers, as in money,mail=20")

// UnmarshalText parses a list such as money,mail=20.
func (q *Queues) UnmarshalText(text []byte) error {
	*q = Queues{}
	for part := range strings.SplitSeq(string(text), ",") {
		name, count, given := strings.Cut(strings.TrimSpace(part), "=")
		if _, twice := (*q)[name]; name == "" || twice {
			return errQueues
		}
		(*q)[name] = 0
		if !given {
			continue
		}
		workers, err := strconv.Atoi(count)
		if err != nil {
			return errQueues
		}
		if workers < 1 || workers > maxQueueWorkers {
			return fmt.Errorf("must be 1 to %d workers; %s has %d", maxQueueWorkers, name, workers)
		}
		(*q)[name] = workers
	}
	return nil
}

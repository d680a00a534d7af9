package main

import (
	"cmp"
	"fmt"
	"os"
	"os/user"

	"amanat/internal/app/config"
)

// operator names who runs the command for the audit log, as in "karim@db1", or "root@db1 (karim)"
// if karim has used sudo. It says what the machine says: whoever has its root can say anything.
func operator() string {
	name := fmt.Sprintf("uid %d", os.Getuid()) // a container may know no name
	if current, err := user.Current(); err == nil {
		name = cmp.Or(current.Username, name)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	who := name + "@" + host
	if before := config.SudoUser(); before != "" {
		who += " (" + before + ")"
	}
	return who
}

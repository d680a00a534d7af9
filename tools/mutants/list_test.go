package main

import "testing"

// The code that a mutant changes may have changed since.
func TestMutants_apply(t *testing.T) {
	t.Parallel()
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			if _, _, err := m.apply("../.."); err != nil {
				t.Error(err)
			}
		})
	}
}

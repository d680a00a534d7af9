package sentences_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/sentences"
)

var update = flag.Bool("update", false, "write ui/src/i18n/sentences.gen.ts")

// ui/src/i18n/sentences.gen.ts is generated from the code: run make generate after changing a text.
// Reading it also checks that every text with placeholders is given its values.
func TestRead_file_up_to_date(t *testing.T) {
	t.Parallel()
	const file = "../../../ui/src/i18n/sentences.gen.ts"
	list, err := sentences.Read("../../../internal", "../../../cmd")
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(list.TypeScript()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), list.TypeScript(), "ui/src/i18n/sentences.gen.ts is out of date: run make generate")
}

func TestRead(t *testing.T) {
	t.Parallel()
	const head = "package p\n\nconst text = \"No.\"\n\nvar x = "
	for name, tc := range map[string]struct {
		code string
		list sentences.List
		err  string
	}{
		"texts, constants and concatenations": {
			code: `[]error{fault.New(c, "no", text), fault.Field("f", "no", "N"+"o."), fault.Retry(c, d, "later", "Later.")}`,
			list: sentences.List{Refusals: map[string]string{"no": "No.", "later": "Later."}, Outcomes: map[string]string{}},
		},
		"values": {
			code: `fault.Newf(c, "most", "At most {count}.", fault.Params{"count": 3})`,
			list: sentences.List{Refusals: map[string]string{"most": "At most {count}."}, Outcomes: map[string]string{}},
		},
		"an outcome": {
			code: `catalog.Outcome{Code: "done", Message: "Done."}`,
			list: sentences.List{Refusals: map[string]string{}, Outcomes: map[string]string{"done": "Done."}},
		},
		"a text that is no constant":     {code: `fault.New(c, "no", message)`, err: "not a constant text"},
		"a placeholder without a value":  {code: `fault.New(c, "most", "At most {count}.")`, err: "no values"},
		"a value under another name":     {code: `fault.Newf(c, "most", "At most {count}.", fault.Params{"n": 3})`, err: "it shows [count]"},
		"values without a placeholder":   {code: `fault.Newf(c, "no", text, fault.Params{"n": 3})`, err: "no placeholders"},
		"one reason for two texts":       {code: `[]error{fault.New(c, "no", text), fault.New(c, "no", "Never.")}`, err: "identifies"},
		"two reasons for one text":       {code: `[]error{fault.New(c, "no", text), fault.New(c, "never", text)}`, err: "has the identifiers"},
		"a reason that is no identifier": {code: `fault.New(c, "No!", text)`, err: "no identifier"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "p.go"), []byte(head+tc.code+"\n"), 0o600))
			list, err := sentences.Read(dir)
			if tc.err != "" {
				require.ErrorContains(t, err, tc.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.list, list)
		})
	}
}

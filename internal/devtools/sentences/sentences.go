// Package sentences lists the sentences that calls answer with: those of refusals by their reasons,
// those of outcomes by their codes. It reads them from the source, where each is a literal next to
// its identifier. The UI's translations are checked against the list.
package sentences

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// List is all sentences by their identifiers. Values are {placeholders}.
type List struct {
	Refusals map[string]string
	Outcomes map[string]string
}

// Read returns the sentences of the Go files below folders, except tests. It fails if a sentence or
// its identifier is not a constant, if two sentences share an identifier or two identifiers a
// sentence, and if the values given to a sentence are not those that it shows.
func Read(folders ...string) (List, error) {
	list := List{Refusals: map[string]string{}, Outcomes: map[string]string{}}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return err
			}
			return list.readPackage(path)
		})
		if err != nil {
			return List{}, err
		}
	}
	return list, errors.Join(unique(list.Refusals), unique(list.Outcomes))
}

// source is the package being read.
type source struct {
	List
	set    *token.FileSet
	consts map[string]string
}

func (l List) readPackage(folder string) error {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return err
	}
	s := source{List: l, set: token.NewFileSet(), consts: map[string]string{}}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(s.set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
		s.readConsts(file)
	}
	var failed []error
	for _, file := range files {
		if file.Name.Name == "fault" {
			continue // declares the constructors
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if err := s.read(node); err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", s.set.Position(node.Pos()), err))
			}
			return true
		})
	}
	return errors.Join(failed...)
}

// readConsts collects the package's string constants.
func (s source) readConsts(file *ast.File) {
	for _, declared := range file.Decls {
		group, isGroup := declared.(*ast.GenDecl)
		if !isGroup || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			values, isValues := spec.(*ast.ValueSpec)
			if !isValues {
				continue
			}
			for i, value := range values.Values {
				if text, err := s.text(value); err == nil {
					s.consts[values.Names[i].Name] = text
				}
			}
		}
	}
}

// constructors are fault's, by the positions of reason, text and values among their arguments; -1
// means none.
var constructors = map[string]struct{ reason, text, params int }{
	"New": {1, 2, -1}, "Newf": {1, 2, 3}, "Field": {1, 2, -1}, "Fieldf": {1, 2, 3}, "Taken": {1, 2, -1}, "Takenf": {1, 2, 3},
	"Retry": {2, 3, -1},
}

func (s source) read(node ast.Node) error {
	switch node := node.(type) {
	case *ast.CallExpr:
		if name, found := selected(node.Fun, "fault"); found {
			if at, isConstructor := constructors[name]; isConstructor {
				return s.readRefusal(node.Args, at.reason, at.text, at.params)
			}
		}
	case *ast.CompositeLit:
		if name, found := selected(node.Type, "catalog"); found && name == "Outcome" && len(node.Elts) > 0 {
			return s.readOutcome(node)
		}
	}
	return nil
}

func selected(expression ast.Expr, pkg string) (name string, found bool) {
	selector, isSelector := expression.(*ast.SelectorExpr)
	if !isSelector {
		return "", false
	}
	of, isIdent := selector.X.(*ast.Ident)
	return selector.Sel.Name, isIdent && of.Name == pkg
}

func (s source) readRefusal(args []ast.Expr, reasonAt, textAt, paramsAt int) error {
	reason, err := s.text(args[reasonAt])
	if err != nil {
		return err
	}
	text, err := s.text(args[textAt])
	if err != nil {
		return err
	}
	shown := Placeholders(text)
	if paramsAt < 0 && len(shown) > 0 {
		return fmt.Errorf("%q has placeholders and no values", text)
	}
	if paramsAt >= 0 {
		if err := checkParams(args[paramsAt], shown); err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
	}
	return add(s.Refusals, reason, text)
}

// checkParams compares the values that a call lists with the placeholders. Values in a variable
// are not known here.
func checkParams(expression ast.Expr, shown []string) error {
	if len(shown) == 0 {
		return errors.New("no placeholders")
	}
	literal, isLiteral := expression.(*ast.CompositeLit)
	if !isLiteral {
		return nil
	}
	var given []string
	for _, element := range literal.Elts {
		if pair, isPair := element.(*ast.KeyValueExpr); isPair {
			if key, isKey := pair.Key.(*ast.BasicLit); isKey {
				given = append(given, strings.Trim(key.Value, `"`))
			}
		}
	}
	slices.Sort(given)
	if !slices.Equal(given, shown) {
		return fmt.Errorf("it shows %v and is given %v", shown, given)
	}
	return nil
}

func (s source) readOutcome(literal *ast.CompositeLit) error {
	fields := map[string]string{}
	for _, element := range literal.Elts {
		pair, isPair := element.(*ast.KeyValueExpr)
		if !isPair {
			return errors.New("an outcome without the names of its fields")
		}
		text, err := s.text(pair.Value)
		if err != nil {
			return err
		}
		if name, isName := pair.Key.(*ast.Ident); isName {
			fields[name.Name] = text
		}
	}
	return add(s.Outcomes, fields["Code"], fields["Message"])
}

// text evaluates a string constant: a literal, a constant of the package, or a concatenation.
func (s source) text(expression ast.Expr) (string, error) {
	switch expression := expression.(type) {
	case *ast.BasicLit:
		return strconv.Unquote(expression.Value)
	case *ast.Ident:
		if text, known := s.consts[expression.Name]; known {
			return text, nil
		}
	case *ast.BinaryExpr:
		left, leftErr := s.text(expression.X)
		right, rightErr := s.text(expression.Y)
		return left + right, errors.Join(leftErr, rightErr)
	}
	return "", errors.New("not a constant text")
}

var identifier = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func add(sentences map[string]string, id, text string) error {
	if !identifier.MatchString(id) || text == "" {
		return fmt.Errorf("%q is no identifier of a sentence", id)
	}
	if other, used := sentences[id]; used && other != text {
		return fmt.Errorf("%s identifies %q and %q", id, other, text)
	}
	sentences[id] = text
	return nil
}

func unique(sentences map[string]string) error {
	ids := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(sentences)) {
		if other, used := ids[sentences[id]]; used {
			return fmt.Errorf("%q has the identifiers %s and %s", sentences[id], other, id)
		}
		ids[sentences[id]] = id
	}
	return nil
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// Placeholders returns the names of a text's placeholders, sorted.
func Placeholders(text string) []string {
	var names []string
	for _, match := range placeholder.FindAllStringSubmatch(text, -1) {
		names = append(names, match[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TypeScript returns the list as a module of the UI.
func (l List) TypeScript() string {
	var out strings.Builder
	out.WriteString("// Generated by make generate from the server's code, which makes these sentences. Values are {placeholders}.\n")
	write := func(doc, name string, sentences map[string]string) {
		fmt.Fprintf(&out, "\n/** %s */\nexport const %s = {\n", doc, name)
		for _, id := range slices.Sorted(maps.Keys(sentences)) {
			fmt.Fprintf(&out, "  %s: %q,\n", id, sentences[id])
		}
		out.WriteString("} as const;\n")
	}
	write("Why a call was refused, by the `reason` of the error.", "refusals", l.Refusals)
	write("What a call has done, by the `outcome` of the answer.", "outcomes", l.Outcomes)
	out.WriteString(`
/** Later versions of the server may know more. */
export type Reason = keyof typeof refusals;
/** Later versions of the server may know more. */
export type Outcome = keyof typeof outcomes;
`)
	return out.String()
}

package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// This file holds comments to the code: what they name is there.

// declared are the names of packages: "api.Op", "api.Op.Name", by the last element of the path.
type declared struct {
	packages map[string]bool
	names    map[string]bool
	types    map[string]bool // whose members are all known: nothing is embedded in them
}

// add notes the declarations of a file.
func (d *declared) add(file *ast.File) {
	name := strings.TrimSuffix(file.Name.Name, "_test")
	d.packages[name] = true
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			of := name
			if decl.Recv != nil {
				of += "." + typeName(decl.Recv.List[0].Type)
			}
			d.names[of+"."+decl.Name.Name] = true
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, one := range spec.Names {
						d.names[name+"."+one.Name] = true
					}
				case *ast.TypeSpec:
					d.addType(name+"."+spec.Name.Name, spec.Type)
				}
			}
		}
	}
}

// addType notes a type with its members.
func (d *declared) addType(name string, of ast.Expr) {
	d.names[name] = true
	var members []*ast.Field
	switch of := of.(type) {
	case *ast.StructType:
		members = of.Fields.List
	case *ast.InterfaceType:
		members = of.Methods.List
	default:
		return
	}
	whole := true
	for _, member := range members {
		whole = whole && len(member.Names) > 0
		for _, one := range member.Names {
			d.names[name+"."+one.Name] = true
		}
	}
	if whole {
		d.types[name] = true
	}
}

// typeName returns the name of a receiver's type.
func typeName(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return typeName(of.X)
	case *ast.IndexExpr:
		return typeName(of.X)
	case *ast.IndexListExpr:
		return typeName(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}

var (
	// qualified finds names such as api.Op and Options.Store.
	qualified = regexp.MustCompile(`\b([A-Za-z]\w*)\.([A-Z]\w*)(?:\.([A-Z]\w*))?\b`)
	// example finds lines of code, whose variables may be called as packages are.
	example = regexp.MustCompile(`(?m)^\t.*$`)
	// goFile finds names of files.
	goFile = regexp.MustCompile(`[\w/]*\b\w+\.go\b`)
)

// Comments name what is there: a comment of a function begins with its name, and the files, and
// the names of our packages and types, that a comment has, exist.
func TestComments(t *testing.T) {
	atTop(t)
	t.Parallel()
	all := &declared{
		packages: map[string]bool{},
		names:    map[string]bool{},
		types:    map[string]bool{},
	}
	set := token.NewFileSet()
	parsed := map[string]*ast.File{}
	for _, name := range filesEnding(t, ".go") {
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed[name] = file
		all.add(file)
	}
	named := 0
	for name, file := range parsed {
		of := strings.TrimSuffix(file.Name.Name, "_test")
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Doc == nil || strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			first, _, _ := strings.Cut(f.Doc.Text(), " ")
			if token.IsIdentifier(first) && strings.ToLower(first[:1]) == first[:1] && first != f.Name.Name {
				t.Errorf("%s: the comment of %s begins with %s", name, f.Name.Name, first)
			}
		}
		for _, group := range file.Comments {
			at := set.Position(group.Pos())
			text := example.ReplaceAllString(group.Text(), "")
			for _, mention := range goFile.FindAllString(text, -1) {
				named++
				_, beside := os.Stat(path.Join(path.Dir(name), mention))
				_, atTop := os.Stat(mention)
				if beside != nil && atTop != nil {
					t.Errorf("%s: a comment names the file %s, which is not there", at, mention)
				}
			}
			for _, m := range qualified.FindAllStringSubmatch(text, -1) {
				if missing := all.missing(of, m[1], m[2], m[3]); missing != "" {
					t.Errorf("%s: a comment names %s, which is not there", at, missing)
				}
				named++
			}
		}
	}
	if named < 300 {
		t.Errorf("found only %d names", named)
	}
}

// missing returns what is not there of a name such as api.Op.Name, Op.Name or api.Op in a comment
// of a package; "" is nothing, or a name of somebody else.
func (d *declared) missing(in, first, second, third string) string {
	name := first + "." + second
	switch {
	case d.types[in+"."+first] && !d.names[in+"."+name]:
		return in + "." + name
	case !d.packages[first]:
		return ""
	case !d.names[name]:
		return name
	case third != "" && d.types[name] && !d.names[name+"."+third]:
		return name + "." + third
	}
	return ""
}

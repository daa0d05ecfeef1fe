package house

import (
	"go/ast"
	"testing"
)

// This file is the promise that package write alone makes records: nothing else stores one in a
// transaction, so that a rule stands once.

// storing has the packages beside write that store records, and why their rules are none of write.
var storing = map[string]string{
	"almanactest":             "the records of a test are what it says",
	"internal/tools/sample":   "the records of a test are what it says",
	"internal/people/account": "accounts are no records of the catalogue, and have rules of their own",
	"internal/serve/command":  "export copies a store, record by record",
	"internal/api/media":      "a picture is stored with its files, which it names",
	"internal/write":          "",
	"store":                   "",
}

func TestOneWriter(t *testing.T) {
	atTop(t)
	seen := map[string]bool{}
	for _, p := range goList(t, "./...") {
		name, _ := below(p.ImportPath)
		_, may := storing[name]
		for _, file := range files(t, p) {
			ast.Inspect(file.File, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || !isPut(call) {
					return true
				}
				if seen[name] = true; !may {
					t.Errorf(
						"%s stores a record; right would be a function of package write",
						file.set.Position(call.Pos()),
					)
				}
				return true
			})
		}
	}
	for name := range storing {
		if !seen[name] && name != "store" {
			t.Errorf("%s stores no record any more; right would be to take it out of the list", name)
		}
	}
}

// isPut reports whether a call stores a record in a transaction, which is named tx everywhere.
func isPut(call *ast.CallExpr) bool {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "Put" {
		return false
	}
	switch of := method.X.(type) {
	case *ast.Ident:
		return of.Name == "tx"
	case *ast.SelectorExpr:
		return of.Sel.Name == "tx"
	}
	return false
}

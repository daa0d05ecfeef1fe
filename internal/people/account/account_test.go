package account_test

import (
	"strings"
	"testing"

	"almanac/internal/people/account"

	"github.com/google/go-cmp/cmp"
)

// cast is the anonymous caller and one account of each role.
var cast = []account.Account{
	{},
	{ID: 5, Login: "sam", Role: account.Subscriber},
	{ID: 4, Login: "cleo", Role: account.Contributor},
	{ID: 3, Login: "ann", Role: account.Author},
	{ID: 2, Login: "ed", Role: account.Editor},
	{ID: 1, Login: "ada", Role: account.Administrator},
}

func name(a account.Account) string {
	if a.IsStranger() {
		return "stranger"
	}
	return string(a.Role)
}

func TestRightsThatDoNotExist(t *testing.T) {
	last := account.Administer + 1
	if cast[5].May(last) {
		t.Error("an administrator may do what does not exist")
	}
	if got := last.String(); got != "unknown right" {
		t.Errorf("it is called %q", got)
	}
	if (account.Account{ID: 9, Role: "owner"}).May(account.CreateOwn) {
		t.Error("an account with an unknown role may create")
	}
}

func TestRecords(t *testing.T) {
	const other = 99
	tests := []struct {
		name string
		may  func(a account.Account) bool
		want string // allowed callers, in the order of cast
	}{
		{
			"edit own draft",
			func(a account.Account) bool { return a.MayEdit(a.ID, false) },
			"contributor author editor administrator",
		},
		{
			"edit own published",
			func(a account.Account) bool { return a.MayEdit(a.ID, true) },
			"author editor administrator",
		},
		{
			"edit other's draft",
			func(a account.Account) bool { return a.MayEdit(other, false) },
			"editor administrator",
		},
		{
			"edit other's published",
			func(a account.Account) bool { return a.MayEdit(other, true) },
			"editor administrator",
		},
		{
			"delete own draft",
			func(a account.Account) bool { return a.MayDelete(a.ID, false) },
			"contributor author editor administrator",
		},
		{
			"delete own published",
			func(a account.Account) bool { return a.MayDelete(a.ID, true) },
			"author editor administrator",
		},
		{
			"delete other's published",
			func(a account.Account) bool { return a.MayDelete(other, true) },
			"editor administrator",
		},
		{"read published", func(a account.Account) bool { return a.MayRead(other, "publish") },
			"stranger subscriber contributor author editor administrator"},
		{
			"read other's draft",
			func(a account.Account) bool { return a.MayRead(other, "draft") },
			"editor administrator",
		},
		{
			"read other's future",
			func(a account.Account) bool { return a.MayRead(other, "future") },
			"editor administrator",
		},
		{"read own private", func(a account.Account) bool { return a.MayRead(a.ID, "private") },
			"subscriber contributor author editor administrator"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, a := range cast {
				if test.may(a) {
					got = append(got, name(a))
				}
			}
			if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

package access_test

import (
	"testing"

	"almanac/internal/people/access"
	"almanac/internal/people/account"
)

func TestViewerOf(t *testing.T) {
	t.Parallel()
	for role, want := range map[account.Role]access.Viewer{
		"": {}, account.Subscriber: {}, account.Contributor: {Own: 7}, account.Author: {Own: 7},
		account.Editor: {All: true}, account.Administrator: {All: true},
	} {
		caller := account.Account{ID: 7, Role: role}
		if role == "" {
			caller = account.Account{}
		}
		if got := access.ViewerOf(caller); got != want {
			t.Errorf("ViewerOf(%q) = %v, want %v", role, got, want)
		}
	}
}

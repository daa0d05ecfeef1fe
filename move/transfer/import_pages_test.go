package transfer_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Pages in one command are counted together: the output reports missing records, with the next
// address.
func TestImportPages(t *testing.T) {
	t.Parallel()
	source := startServer(t, "-memory")
	mustImport(
		t,
		"-to",
		source.URL,
		"-token",
		source.Token,
		sample("lindmoor.json"),
		sample("lindmoor-categories.json"),
	)
	save := func(name, address string) string {
		answer, err := source.Client.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		page, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("GET %s: %s, %v", address, answer.Status, err)
		}
		return tempFile(t, name, string(page))
	}
	for _, tt := range []struct{ kind, query, missing string }{
		{"events", "?starts_after=1990-01-01&per_page=4", "2 of 6"},
		{"categories", "?hide_empty=0&per_page=2", "2 of 4"},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			t.Parallel()
			target := []string{"-data", t.TempDir()}
			pages := []string{save("1.json", source.URL+"/cal/events/v1/"+tt.kind+tt.query)}
			exit, stdout, stderr := runImport(t, append(target, pages...)...)
			said := tt.missing + " " + tt.kind + " are missing; the next page is "
			before, next, ok := strings.Cut(stderr, said)
			if exit != 1 || !ok || !strings.Contains(before, source.URL) ||
				!strings.Contains(stderr, "-partial") ||
				sums(t, stdout)[0] == 0 {
				t.Fatalf(
					"first page: exit status %d, want 1 and %q:\n%s\n%s",
					exit,
					said,
					stdout,
					stderr,
				)
			}
			exit, _, stderr = runImport(
				t,
				slices.Concat([]string{"-partial", "-quiet"}, target, pages)...)
			if exit != 0 || !strings.Contains(stderr, said) {
				t.Errorf("first page, -partial: exit status %d\n%s", exit, stderr)
			}
			for ok {
				if len(pages) > 6 {
					t.Fatalf("there is always a next page:\n%s", stderr)
				}
				next, _, _ = strings.Cut(next, "\n")
				pages = append(pages, save(fmt.Sprint(len(pages)+1, ".json"), next))
				exit, _, stderr = runImport(t, append(target, pages...)...)
				_, next, ok = strings.Cut(stderr, "the next page is ")
				if ok != (exit == 1) {
					t.Errorf("%d pages: exit status %d\n%s", len(pages), exit, stderr)
				}
			}
			if exit != 0 || stderr != "" || len(pages) < 2 {
				t.Errorf("%d pages: exit status %d\n%s", len(pages), exit, stderr)
			}
		})
	}
}

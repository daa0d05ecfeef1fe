package socket

import (
	"testing"
	"time"
)

// SetAnswerTime sets how long a server may take to begin its answer, until a test ends.
func SetAnswerTime(t *testing.T, d time.Duration) {
	before := answerTime
	answerTime = d
	t.Cleanup(func() { answerTime = before })
}

package password

import "context"

// MaxWaiting is how many may wait for a turn, and ClientWaiting how many of one client.
const (
	MaxWaiting    = maxWaiting
	ClientWaiting = clientWaiting
)

// HoldTurn takes a turn until a channel is closed.
func (k *Keeper) HoldTurn(until <-chan struct{}) {
	if err := k.turns.Do(context.Background(), new(int), func() { <-until }); err != nil {
		panic(err)
	}
}

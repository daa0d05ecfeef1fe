package password

import "context"

// MaxWaiting is how many may wait for a turn.
const MaxWaiting = maxWaiting

// HoldTurn takes a turn until a channel is closed.
func (k *Keeper) HoldTurn(until <-chan struct{}) {
	if err := k.turns.Do(context.Background(), struct{}{}, func() { <-until }); err != nil {
		panic(err)
	}
}

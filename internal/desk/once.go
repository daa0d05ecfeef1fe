package desk

// once runs a function unless a form with a key has made an event already, which it returns.
func (p *page) once(key string, create func() (int64, error)) (int64, error) {
	if key == "" {
		return create()
	}
	key = digits(p.Caller.ID) + " " + keyOf(key) // of any length
	return p.Sent.Do(key, p.Now, create)
}

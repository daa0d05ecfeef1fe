package account

// All returns the accounts by id. The caller owns the slice.
func (d *Directory) All() []Account {
	var all []Account
	for _, m := range d.refresh().members {
		all = append(all, m.Account)
	}
	return all
}

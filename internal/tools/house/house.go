// Package house has tests about the repository: how its comments read, and what stands where.
package house

package rest

// HeldBytes is how many bytes of answers a server counts in memory.
func HeldBytes(s *Server) int64 { return s.heldBytes.Load() }

package command

import "almanac/internal/resttest"

// Helpers of tests of several packages.
const patience = resttest.Patience

var await, dial, isClosed = resttest.Await, resttest.Dial, resttest.IsClosed

type lockedBuffer = resttest.Buffer

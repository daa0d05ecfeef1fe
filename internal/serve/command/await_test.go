package command

import "almanac/internal/tools/apitest"

// Helpers of tests of several packages.
const patience = apitest.Patience

var await, dial, isClosed = apitest.Await, apitest.Dial, apitest.IsClosed

type lockedBuffer = apitest.Buffer

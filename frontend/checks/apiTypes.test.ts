import { expectTypeOf, test } from 'vitest';

import type { components } from '../src/api/generated';
import type { FunctionStat, Trace, Warning, WarningLine } from '../src/api/types';

type Answer = components['schemas'];

// The names of `types.ts` are the front end's own, the shapes are the server's: `generated.ts` is written from the
// API's description by `make client`. The type checker does the work here, and a field that is missing does not pass.
test('what the front end expects is what the API answers', () => {
  expectTypeOf<Answer['TraceAnswer']>().toExtend<Trace>();
  expectTypeOf<Answer['TraceWarning']>().toExtend<Warning>();
  expectTypeOf<Answer['DiagnosticLineAnswer']>().toExtend<WarningLine>();
  expectTypeOf<Answer['FunctionItem']>().toExtend<FunctionStat>();
});

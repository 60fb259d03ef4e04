import type { ConformanceCase } from '../shared/conformance-case.js';
import type { SessionStoreAbilities } from './session-suite-options.js';
import type { SessionTestContext } from './session-test-context.js';

/** One promise of `SessionStore`. */
export type SessionStoreCase = ConformanceCase<SessionTestContext, SessionStoreAbilities>;

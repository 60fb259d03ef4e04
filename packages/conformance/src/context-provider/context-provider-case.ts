import type { ConformanceCase } from '../shared/conformance-case.js';
import type { ContextProviderAbilities } from './provider-suite-options.js';
import type { ProviderTestContext } from './provider-test-context.js';

/** One promise of `ContextProvider`. */
export type ContextProviderCase = ConformanceCase<ProviderTestContext, ContextProviderAbilities>;

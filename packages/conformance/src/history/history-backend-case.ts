import type { ConformanceCase } from '../shared/conformance-case.js';
import type { HistoryAbilities } from './history-suite-options.js';
import type { HistoryTestContext } from './history-test-context.js';

/** One promise of `HistoryBackend`. */
export type HistoryBackendCase = ConformanceCase<HistoryTestContext, HistoryAbilities>;

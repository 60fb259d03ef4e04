export type { SkippedCase } from '../shared/conformance-case.js';
export type {
  ContextProviderAbilities,
  ContextProviderSuiteOptions,
  ProviderTestPlace,
} from './provider-suite-options.js';
export { testContextProvider } from './test-context-provider.js';

import type { ContextProvider } from '@minne/core';
import type { SuiteOptions } from '../shared/register-cases.js';

/** What a provider keeps outside of itself and of sessions, for one case: empty when it is handed over. */
export interface ProviderTestPlace {
  /**
   * A provider on this place. Called several times: all instances share what lies outside of them, such
   * as a database or a service, and behave alike.
   */
  open(): ContextProvider | Promise<ContextProvider>;
  /**
   * From now on, what the provider waits for does not answer. Needed when `stall` is declared.
   */
  stall?(): void | Promise<void>;
  /** Called at the end of the case. */
  remove?(): void | Promise<void>;
}

/** What a provider is known to do. Each is false when not declared. */
export interface ContextProviderAbilities {
  /** It injects messages of the role system or developer. */
  readonly systemMessages?: boolean;
  /** Both of its hooks wait for something outside, and the test place has `stall`. */
  readonly stall?: boolean;
}

/** Options of {@link testContextProvider}. */
export interface ContextProviderSuiteOptions extends SuiteOptions<ContextProviderAbilities> {
  /** Makes an empty place. Called once for each case, and again by cases that compare two. */
  create(): ProviderTestPlace | Promise<ProviderTestPlace>;
}

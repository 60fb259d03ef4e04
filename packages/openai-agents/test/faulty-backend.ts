import { type HistoryBackend, StoreError } from '@minne/core';

/** What happens to a call, which a real store does not do on request. */
export type Fault =
  /** It is carried out, and the answer is lost. */
  | 'answer lost'
  /** It is not carried out, and it is not known that it was not. */
  | 'never arrived';

/** A backend whose calls go wrong as the script says, one after the other; `undefined` lets one through. */
export function faultyBackend(
  backend: HistoryBackend,
  faults: readonly (Fault | undefined)[],
  { retryable = true }: { readonly retryable?: boolean } = {},
): HistoryBackend {
  const script = [...faults];
  const trouble = async <T>(call: () => Promise<T>): Promise<T> => {
    const fault = script.shift();
    if (fault === undefined) return call();
    if (fault === 'answer lost') await call();
    throw new StoreError(`The connection broke (${fault}).`, { retryable });
  };
  return {
    specificationVersion: 'v1',
    load: (key, options) => backend.load(key, options),
    clear: (key, options) => backend.clear(key, options),
    append: (key, records, options) => trouble(() => backend.append(key, records, options)),
    replace: (key, records, options) =>
      trouble(async () => {
        if (backend.replace === undefined) throw new Error('The backend cannot replace.');
        return backend.replace(key, records, options);
      }),
  };
}

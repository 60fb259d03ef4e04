import { exchangeCode } from './api.js';

const key = 'minne.token';

/** The token of this tab. It ends with the tab, and nothing else in the browser can read it. */
export function keptToken(): string | undefined {
  return sessionStorage.getItem(key) ?? undefined;
}

/** Forgets the token of this tab. */
export function forgetToken(): void {
  sessionStorage.removeItem(key);
}

/**
 * Signs in with the code of the address, if there is one. The code leaves the address at once, so that
 * it stands in no bookmark and no history.
 *
 * @throws ApiError when the code is used or too old.
 */
export async function signInFromAddress(): Promise<string | undefined> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return undefined;
  history.replaceState(null, '', location.pathname);
  const token = await exchangeCode(code);
  sessionStorage.setItem(key, token);
  return token;
}

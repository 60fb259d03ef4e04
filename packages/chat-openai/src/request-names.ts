/** The greatest length of a tool call's id that Chat Completions takes. */
const longestCallId = 40;

/**
 * A participant's name in the letters that every service takes (`[a-zA-Z0-9_-]`, at most 64), or
 * `undefined` when none is left of it. `Åsa Berg` becomes `Asa_Berg`.
 */
export function participantName(name: string | undefined): string | undefined {
  const plain = simplify(name ?? '');
  return /[a-zA-Z0-9]/.test(plain) ? plain : undefined;
}

/**
 * The name of a called tool in the same letters. Models make up names like `functions.add`; sent back
 * as they are, the service would refuse the conversation from then on.
 */
export function toolName(name: string): string {
  return simplify(name) || 'unknown';
}

function simplify(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .slice(0, 64);
}

/**
 * The id of a tool call, as it is up to `longest` characters. A longer one, as other services give them,
 * becomes its beginning and a hash, the same in every request, so that call and result still match
 * and a cached prompt stays valid.
 */
export function wireCallId(callId: string, longest = longestCallId): string {
  if (callId.length <= longest) return callId;
  const hash = fnv1a(callId, 0x811c9dc5) + fnv1a(callId, 0x1234567);
  return `${callId.slice(0, longest - hash.length - 1)}_${hash}`;
}

/** FNV-1a over UTF-16 code units, 32 bits, as 8 hexadecimal digits. */
function fnv1a(text: string, basis: number): string {
  let hash = basis;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

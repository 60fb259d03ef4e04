import { objectOf, textOf } from './read-json.js';

/** Code and type, by which the service sorts its errors. */
export function serviceWords(error: unknown): string {
  const { code, type } = { ...objectOf(error), ...objectOf(objectOf(error)['error']) };
  return `${String(code)} ${String(type)}`;
}

/** What the service said, in one line of at most 300 characters, with a full stop. */
export function serviceText(error: unknown): string {
  const said = textOf(objectOf(objectOf(error)['error'])['message']);
  const own = error instanceof Error ? error.message.replace(/^\d{3} /, '') : String(error);
  const line = (said ?? own)
    .replace(/<(style|script|head)\b.*?<\/\1>/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const short = line.length > 300 ? `${line.slice(0, 300)}…` : line;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}

/** Why a connection failed: the first code among the causes, or the words that Node and the `openai` package use. */
export function connectionReason(error: unknown): string | undefined {
  let words: string | undefined;
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; depth += 1) {
    const { code } = objectOf(cause);
    if (typeof code === 'string' && /^(E[A-Z]{3,}$|EAI_|UND_ERR|ERR_(SSL|TLS)|CERT_)/.test(code))
      return code;
    if (
      /connection error|timed out|terminated|fetch failed|premature|socket/i.test(cause.message)
    ) {
      words ??= cause.message.replace(/\.$/, '');
    }
    cause = cause.cause;
  }
  return words;
}

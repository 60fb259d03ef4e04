import { findStatements, type Statement } from './statement.js';
import { contentWords } from './words.js';

/** What a person wants, as far as simple rules can tell. */
export type Request =
  | { readonly kind: 'save'; readonly statements: readonly Statement[] }
  | { readonly kind: 'recall'; readonly words: readonly string[] }
  | { readonly kind: 'list' }
  | { readonly kind: 'forget-path'; readonly path: string }
  | { readonly kind: 'forget'; readonly words: readonly string[] }
  | { readonly kind: 'what-was-said' }
  | { readonly kind: 'greeting' }
  | { readonly kind: 'thanks' }
  | { readonly kind: 'help' }
  | { readonly kind: 'other' };

const forgetting = /^(?:please |can you |could you )*(?:forget|delete|remove|erase)\b/i;
const listing =
  /\b(?:list|show)\b.*\bmemor|\b(?:what|everything|all)\b.*\byou\b.*\b(?:know|remember)\b|\bwhat\b.*\b(?:do you have|is) in (?:your )?memory\b/i;
const earlierWords =
  /\bwhat (?:did|have) i (?:just )?(?:say|said|ask|asked|write|written|tell|told)\b/i;
const askingForHelp =
  /^help\b|\bwhat (?:can|do) you do\b|\bhow do(?:es)? (?:you|this) work\b|\bwho are you\b/i;
const asking =
  /\?\s*$|^(?:what|which|who|whom|whose|when|where|why|how|do|does|did|am|is|are|can|could|should|would|will|tell me|remind me)\b/i;

/** Reads what a person wrote. */
export function understand(text: string): Request {
  const plain = text.trim().replaceAll('’', "'");
  if (forgetting.test(plain)) return toForget(plain);
  if (earlierWords.test(plain)) return { kind: 'what-was-said' };
  if (askingForHelp.test(plain)) return { kind: 'help' };
  const about = contentWords(plain);
  if (listing.test(plain) && about.every((word) => /^(?:everything|list|show)$/.test(word))) {
    return { kind: 'list' };
  }
  const statements = findStatements(plain);
  if (statements.length > 0) return { kind: 'save', statements };
  if (/^(?:thanks|thank you|tack)\b/i.test(plain)) return { kind: 'thanks' };
  if (/^(?:hello|hi|hey|hej|good (?:morning|day|evening)|how are you)\b/i.test(plain)) {
    return { kind: 'greeting' };
  }
  if (!asking.test(plain)) return { kind: 'other' };
  if (about.length > 0) return { kind: 'recall', words: about };
  // "What do I like?" names no subject: everything that is known may answer it.
  return /\b(?:i|me|my|mine)\b/i.test(plain) ? { kind: 'list' } : { kind: 'other' };
}

function toForget(text: string): Request {
  const subject = text.replace(forgetting, '');
  const path = /(?:^|\s)(\/[^\s"'“”]+)/.exec(subject)?.[1]?.replace(/[.,!?]+$/, '');
  if (path !== undefined) return { kind: 'forget-path', path };
  return { kind: 'forget', words: contentWords(subject) };
}

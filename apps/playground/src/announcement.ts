import type { DataFolder } from './data-folder.js';
import { actorId, storeId } from './stores.js';

/** What is said when the server listens. */
export interface AnnouncementOptions {
  readonly url: string;
  readonly link: string;
  readonly folder: DataFolder;
  readonly modelName: string;
  readonly isDemonstration: boolean;
  /** Whether other machines can reach the server. */
  readonly isOpen: boolean;
  /** Whether Enter at this terminal gives a new link. */
  readonly readsEnter: boolean;
}

/** Where everything is, and what to paste. */
export function announcement(options: AnnouncementOptions): string {
  const { url, link, folder, modelName, isDemonstration, isOpen, readsEnter } = options;
  const bearer = `-H "Authorization: Bearer $(cat ${shellQuote(folder.tokenPath)})"`;
  const entries = `${url}/api/2.0/agents/memory-stores/${storeId}/entries?actor_id=${actorId}`;
  return [
    '',
    `Minne listens at ${url}`,
    ...(isOpen ? ['  Other machines can reach it too, by plain HTTP.'] : []),
    '',
    '  Open this link to sign in (it works once, for 10 minutes):',
    `  ${link}`,
    '',
    `  Model: ${modelName}${isDemonstration ? ' (set OPENAI_API_KEY to talk with a real one)' : ''}`,
    `  Data:  ${folder.path}`,
    '',
    '  What is remembered, by the memory API:',
    `  curl -sS ${bearer} '${entries}'`,
    '',
    readsEnter
      ? '  Press Enter for a new link, Ctrl-C to stop.'
      : `  A new link: curl -sS -X POST ${bearer} -H 'Content-Type: application/json' -d '{}' ${url}/playground/links`,
    '',
  ].join('\n');
}

/** A text as one word of a POSIX shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

import { ConfigurationError } from '../errors.js';
import type { HistoryBackend } from '../history-backend.js';
import type { HistoryFlags } from '../history-options.js';

/** Checks what a history provider is told about reducing. @throws ConfigurationError for what could never work. */
export function checkReducer(
  flags: HistoryFlags,
  provider: {
    readonly sourceId: string;
    readonly loadMessages: boolean;
    readonly backend: HistoryBackend;
  },
): void {
  const { reducer, reducerTrigger = 'beforeMessagesRetrieval' } = flags;
  const { sourceId } = provider;
  if (reducerTrigger !== 'beforeMessagesRetrieval' && reducerTrigger !== 'afterMessageAdded') {
    throw wrong(
      'reducerTrigger',
      `reducerTrigger of ${sourceId} is ${JSON.stringify(reducerTrigger)}; give 'beforeMessagesRetrieval' or 'afterMessageAdded'.`,
    );
  }
  if (reducer === undefined) {
    if (flags.reducerTrigger === undefined) return;
    throw wrong(
      'reducer',
      `${sourceId} has a reducerTrigger and no reducer to pull. Give it one, or leave the trigger out.`,
    );
  }
  if (typeof reducer?.reduce !== 'function' || typeof reducer.id !== 'string') {
    throw wrong(
      'reducer',
      `reducer of ${sourceId} is no reducer: give it an object with \`id\` and \`reduce\`, such as one of @minne/reducers.`,
    );
  }
  if (reducerTrigger === 'afterMessageAdded' && provider.backend.replace === undefined) {
    throw wrong(
      'reducerTrigger',
      `The backend of ${sourceId} cannot replace messages, which reducerTrigger 'afterMessageAdded' needs. Use 'beforeMessagesRetrieval', or a backend with \`replace\`.`,
    );
  }
  if (reducerTrigger === 'beforeMessagesRetrieval' && !provider.loadMessages) {
    throw wrong(
      'reducer',
      `${sourceId} only records, so there is nothing to reduce before it is sent. Leave the reducer out, or set reducerTrigger to 'afterMessageAdded' to make smaller what is stored.`,
    );
  }
}

function wrong(field: string, text: string): ConfigurationError {
  return new ConfigurationError(text, { packageName: '@minne/core', field });
}

import { type ChatMessage, isJsonObject, type JsonObject } from '@minne/core';
import { bestMatches, type FoundMemory, readFoundMemories } from './found-memories.js';
import { replies } from './replies.js';
import { type Request, understand } from './request.js';
import { currentTurn, type Outcome, type Turn } from './turn.js';

/** A tool to be called. */
export interface PlannedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What the model does next. */
export type Decision =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly calls: readonly PlannedCall[] };

/**
 * The next step in a conversation. Follows from the messages and the tools alone: a first step by
 * what the person wrote, later ones by what the tools have answered since.
 */
export function decide(messages: readonly ChatMessage[], tools: ReadonlySet<string>): Decision {
  const turn = currentTurn(messages);
  const request = understand(turn.text);
  const decision =
    turn.outcomes.length === 0 ? firstStep(request, turn) : nextStep(request, turn.outcomes);
  const missing =
    decision.kind === 'call' ? decision.calls.find(({ name }) => !tools.has(name)) : undefined;
  return missing === undefined ? decision : say(replies.withoutTool(missing.name));
}

function firstStep(request: Request, turn: Turn): Decision {
  switch (request.kind) {
    case 'save':
      return {
        kind: 'call',
        calls: request.statements.map((statement) => ({
          name: 'save_memory',
          arguments: { ...statement },
        })),
      };
    case 'recall':
      return call('search_memory', { query: request.words.join(' ') });
    case 'list':
      return call('list_memories', {});
    case 'forget-path':
      return call('forget_memory', { path: request.path });
    case 'forget':
      return request.words.length === 0
        ? say(replies.whatToForget)
        : call('search_memory', { query: request.words.join(' ') });
    case 'what-was-said':
      return say(
        turn.earlier.length === 0
          ? replies.nothingSaidBefore
          : replies.saidBefore(turn.earlier.slice(-3)),
      );
    default:
      return say(replies[request.kind]);
  }
}

function nextStep(request: Request, outcomes: readonly Outcome[]): Decision {
  const failed = outcomes.find(({ isError }) => isError);
  if (failed !== undefined) return say(replies.failed(failed));
  const last = outcomes.at(-1);
  if (last?.name === 'forget_memory') return say(replies.forgot(last.text));
  if (last?.name === 'save_memory') return say(replies.saved(outcomes.map(savedMemory)));
  const found = readFoundMemories(last?.text ?? '');
  if (last?.name === 'list_memories') {
    return say(found.length === 0 ? replies.nothingRemembered : replies.listed(found));
  }
  const wanted = 'words' in request ? request.words : [];
  const matches = bestMatches(found, wanted);
  if (request.kind === 'forget') return forgetOneOf(matches, wanted);
  if (matches.length > 0) return say(replies.recalled(matches.slice(0, 3)));
  const [closest] = found;
  return say(closest === undefined ? replies.notFound(wanted) : replies.onlyClose(wanted, closest));
}

/** Forgets only what is surely meant. */
function forgetOneOf(matches: readonly FoundMemory[], wanted: readonly string[]): Decision {
  const [match] = matches;
  if (match === undefined) return say(replies.notFound(wanted));
  if (matches.length > 1) return say(replies.whichToForget(matches.slice(0, 5)));
  return call('forget_memory', { path: match.path });
}

function savedMemory(outcome: Outcome): FoundMemory {
  return { path: argument(outcome, 'path'), text: argument(outcome, 'content') };
}

function argument(outcome: Outcome, name: string): string {
  const parsed: unknown = JSON.parse(outcome.arguments);
  const value = isJsonObject(parsed) ? parsed[name] : undefined;
  return typeof value === 'string' ? value : '';
}

function say(text: string): Decision {
  return { kind: 'say', text };
}

function call(name: string, argumentValues: JsonObject): Decision {
  return { kind: 'call', calls: [{ name, arguments: argumentValues }] };
}

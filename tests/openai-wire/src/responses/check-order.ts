import type { UncheckedObject } from '../checks.js';
import type { ServiceMemory } from '../service-memory.js';
import { WireRefusal } from '../wire-refusal.js';
import { isIssued } from './encrypted-content.js';

/**
 * What items must hold to each other, over all that the model is given.
 * @throws WireRefusal as the service would refuse it.
 */
export function checkOrder(
  earlier: readonly UncheckedObject[],
  fresh: readonly UncheckedObject[],
  memory: ServiceMemory,
  owner: string,
): void {
  const all = [...earlier, ...fresh];
  refuseDuplicates(all);
  refuseForeignReasoning(fresh, owner);
  refuseLonelyReasoning(fresh, memory);
  refuseMissingReasoning(all, memory);
  pairCalls(all);
}

/** https://github.com/continuedev/continue/issues/10723 */
function refuseDuplicates(items: readonly UncheckedObject[]): void {
  const seen = new Set<unknown>();
  for (const { id } of items) {
    if (id === undefined || id === null) continue;
    if (seen.has(id)) {
      throw inputRefusal(
        `Duplicate item found with id ${String(id)}. Remove duplicate items from your input and try again.`,
      );
    }
    seen.add(id);
  }
}

/** https://github.com/openai/codex/issues/8145 */
function refuseForeignReasoning(items: readonly UncheckedObject[], owner: string): void {
  for (const { encrypted_content: content } of items) {
    if (typeof content !== 'string' || isIssued(content, owner)) continue;
    const short = content.length > 10 ? `${content.slice(0, 4)}...${content.slice(-4)}` : content;
    throw new WireRefusal(`The encrypted content ${short} could not be verified.`, {
      code: 'invalid_encrypted_content',
    });
  }
}

/**
 * A reasoning item goes in front of what it led to. One that is known by its id wants that very item,
 * by its id too (https://github.com/continuedev/continue/issues/8933), save that a call may come without one:
 * OpenAI Agents JS sends calls of its sessions so (`stripTransientCallIds` of 0.20).
 */
function refuseLonelyReasoning(items: readonly UncheckedObject[], memory: ServiceMemory): void {
  for (const [index, item] of items.entries()) {
    if (item['type'] !== 'reasoning') continue;
    const next = items.slice(index + 1).find(({ type }) => type !== 'reasoning');
    const wanted = memory.origin(item['id'])?.follower;
    const isNameless = next?.['type'] === 'function_call' && next['id'] === undefined;
    const isWanted = wanted === undefined || isNameless || next?.['id'] === wanted;
    if (next !== undefined && isAnswer(next) && isWanted) continue;
    throw inputRefusal(
      `Item '${String(item['id'] ?? '')}' of type 'reasoning' was provided without its required following item.`,
    );
  }
}

function isAnswer({ type = 'message', role }: UncheckedObject): boolean {
  return type === 'function_call' || (type === 'message' && role === 'assistant');
}

/** https://github.com/cline/cline/issues/12242, https://github.com/continuedev/continue/issues/11466 */
function refuseMissingReasoning(items: readonly UncheckedObject[], memory: ServiceMemory): void {
  const ids = new Set(items.map(({ id }) => id));
  for (const { id, type = 'message' } of items) {
    const reasoning = memory.origin(id)?.reasoning;
    if (reasoning === undefined || ids.has(reasoning)) continue;
    throw inputRefusal(
      `Item '${String(id)}' of type '${String(type)}' was provided without its required 'reasoning' item: '${reasoning}'.`,
    );
  }
}

/**
 * Every output answers a call before it, and every call has its output. Wordings as seen in
 * https://github.com/microsoft/vscode/issues/320060 and https://github.com/bytedance/trae-agent/issues/245.
 */
function pairCalls(items: readonly UncheckedObject[]): void {
  const open: unknown[] = [];
  for (const { type, call_id: callId } of items) {
    if (type === 'function_call') open.push(callId);
    if (type !== 'function_call_output') continue;
    const at = open.indexOf(callId);
    if (at < 0) {
      throw inputRefusal(
        `No tool call found for function call output with call_id ${String(callId)}.`,
      );
    }
    open.splice(at, 1);
  }
  if (open.length > 0) {
    throw inputRefusal(`No tool output found for function call ${String(open[0])}.`);
  }
}

function inputRefusal(message: string): WireRefusal {
  return new WireRefusal(message, { param: 'input' });
}

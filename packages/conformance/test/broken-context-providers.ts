import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AgentSession,
  type ContextContribution,
  type ContextHookOptions,
  createMessage,
  defineTool,
  type RunContext,
  type RunMessages,
  type RunOutcome,
  systemClock,
  uuidv7,
} from '@minne/core';
import { ReferenceContextProvider } from './reference-context-provider.js';

/** Says that it keeps a contract that is not this one. */
export class KeepsAnotherContract extends ReferenceContextProvider {
  override readonly specificationVersion: 'v1' = JSON.parse('"v0"');
}

/** Is called something else in every process. */
export class NamesItselfAtRandom extends ReferenceContextProvider {
  override readonly sourceId: string = `notes ${uuidv7()}`;
}

/** Keeps a date in the session. */
export class KeepsDates extends ReferenceContextProvider {
  protected override countTurn(context: RunContext): void {
    super.countTurn(context);
    context.state['at'] = new Date(0);
  }
}

/** Has one notebook for everybody. */
export class SharesNotes extends ReferenceContextProvider {
  protected override ownerOf(): string {
    return 'everybody';
  }
}

/** Takes people for the same whose names differ in case only. */
export class IgnoresCase extends ReferenceContextProvider {
  protected override ownerOf(context: RunContext): string {
    return super.ownerOf(context).toLowerCase();
  }
}

/** Gives sessions without an actor the same one. */
export class MakesUpAnActor extends ReferenceContextProvider {
  protected override ownerOf({ session }: RunContext): string {
    return session.actorId ?? 'default';
  }
}

/** Remembers in itself whose run it is. */
export class KeepsTheRunInItself extends ReferenceContextProvider {
  #current: RunContext | undefined;

  override async beforeRun(
    context: RunContext,
    options: ContextHookOptions,
  ): Promise<ContextContribution | undefined> {
    this.#current = context;
    await nextTurn();
    return super.beforeRun(this.#current, options);
  }
}

/** Keeps what belongs to a session with the object, which is another after a restart. */
export class KnowsSessionObjects extends ReferenceContextProvider {
  readonly #turns = new WeakMap<AgentSession, number>();

  protected override turnsOf({ session }: RunContext): number {
    return this.#turns.get(session) ?? 0;
  }

  protected override countTurn(context: RunContext): void {
    this.#turns.set(context.session, this.turnsOf(context) + 1);
  }
}

/** Keeps what belongs to a session in itself, by its id. */
export class CountsInItself extends ReferenceContextProvider {
  readonly #turns = new Map<string, number>();

  protected override turnsOf({ session }: RunContext): number {
    return this.#turns.get(session.sessionId) ?? 0;
  }

  protected override countTurn(context: RunContext): void {
    this.#turns.set(context.session.sessionId, this.turnsOf(context) + 1);
  }
}

/** Puts its note among the input instead of returning it. */
export class PushesIntoTheInput extends ReferenceContextProvider {
  override async beforeRun(
    context: RunContext,
    options: ContextHookOptions,
  ): Promise<ContextContribution | undefined> {
    const note = { role: 'user', contents: 'A note.' } as const;
    (context.input as RunMessages['input'][number][]).push(
      createMessage(note, uuidv7, systemClock),
    );
    return super.beforeRun(context, options);
  }
}

/** Writes its note into the message that the caller sent. */
export class EditsTheInput extends ReferenceContextProvider {
  override async beforeRun(
    context: RunContext,
    options: ContextHookOptions,
  ): Promise<ContextContribution | undefined> {
    const note = { type: 'text', text: 'A note.' } as const;
    for (const message of context.input) {
      Object.assign(message, { contents: [note, ...message.contents] });
    }
    return super.beforeRun(context, options);
  }
}

/** Edits the answer that it is told of. */
export class EditsTheOutcome extends ReferenceContextProvider {
  override async afterRun(
    context: RunContext,
    outcome: RunOutcome,
    options: ContextHookOptions,
  ): Promise<void> {
    await super.afterRun(context, outcome, options);
    for (const message of this.messagesOf(outcome).output) Object.assign(message, { contents: [] });
  }
}

/** Keeps its things in a slot that is not its own. */
export class WritesElsewhere extends ReferenceContextProvider {
  protected override countTurn(context: RunContext): void {
    super.countTurn(context);
    context.session.state['shared'] = { turns: this.turnsOf(context) };
  }
}

/** Gives what it recalls the weight of the developer's word. */
export class SpeaksAsSystem extends ReferenceContextProvider {
  protected override readonly role = 'system';
}

/** Brings a tool under a name that an agent may have taken. */
export class TakesCommonNames extends ReferenceContextProvider {
  override async beforeRun(
    context: RunContext,
    options: ContextHookOptions,
  ): Promise<ContextContribution> {
    const tool = defineTool({
      name: 'look_out',
      description: 'Looks into the notes.',
      parameters: { type: 'object', properties: {} },
      execute: () => null,
    });
    return { ...(await super.beforeRun(context, options)), tools: [tool] };
  }
}

/** Cannot note anything. */
export class FailsAfterwards extends ReferenceContextProvider {
  override async afterRun(): Promise<void> {
    throw new Error('The notebook is full.');
  }
}

/** Takes every run for one that came to its end. */
export class ExpectsAnAnswer extends ReferenceContextProvider {
  protected override messagesOf(outcome: RunOutcome): RunMessages {
    return outcome as RunMessages & RunOutcome;
  }
}

/** Works on when it is told to stop. */
export class WritesAfterAbort extends ReferenceContextProvider {
  protected override async reach(): Promise<void> {}
}

/** Waits for the service, whatever happens. */
export class WaitsForEver extends ReferenceContextProvider {
  protected override async reach(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.service.stalled) await new Promise(() => {});
  }
}

/** Takes the first content of the first message for a text. */
export class ReadsTheFirstText extends ReferenceContextProvider {
  override async beforeRun(
    context: RunContext,
    options: ContextHookOptions,
  ): Promise<ContextContribution | undefined> {
    const [content] = context.input[0]?.contents ?? [];
    const { text } = content as { text: string };
    return text.trim() === '' ? undefined : super.beforeRun(context, options);
  }
}

/** Puts what was said into an address. */
export class SendsTextInAddresses extends ReferenceContextProvider {
  protected override textOf(message: RunMessages['input'][number]): string {
    const text = super.textOf(message);
    return encodeURIComponent(text) === '' ? '' : text;
  }
}

import {
  type ContextContribution,
  type ContextHookOptions,
  type ContextProvider,
  messageText,
  type Role,
  type RunContext,
  type RunMessages,
  type RunOutcome,
} from '@minne/core';

/** What lies outside of the providers of one test: the notes of each person. */
export interface NotesService {
  readonly notes: Map<string, readonly string[]>;
  /** Whether it answers. */
  stalled: boolean;
}

/** A correct provider that notes what people say, whose parts the broken ones replace. */
export class ReferenceContextProvider implements ContextProvider {
  readonly specificationVersion: 'v1' = 'v1' as const;
  readonly sourceId: string = 'notes';
  protected readonly role: Role = 'user';
  protected readonly service: NotesService;

  constructor(service: NotesService) {
    this.service = service;
  }

  async beforeRun(
    context: RunContext,
    { signal }: ContextHookOptions,
  ): Promise<ContextContribution | undefined> {
    await this.reach(signal);
    const notes = this.service.notes.get(this.ownerOf(context)) ?? [];
    const turns = this.turnsOf(context);
    return {
      ...(turns === 0 ? {} : { instructions: `This is turn ${turns + 1}.` }),
      messages:
        notes.length === 0 ? [] : [{ role: this.role, contents: `Notes: ${notes.join(' | ')}` }],
    };
  }

  async afterRun(
    context: RunContext,
    outcome: RunOutcome,
    { signal }: ContextHookOptions,
  ): Promise<void> {
    await this.reach(signal);
    const texts = this.messagesOf(outcome).input.map((message) => this.textOf(message));
    const owner = this.ownerOf(context);
    const said = texts.filter((text) => text !== '');
    this.service.notes.set(owner, [...(this.service.notes.get(owner) ?? []), ...said]);
    this.countTurn(context);
  }

  /** Whose notes are meant; a session without an actor has its own. */
  protected ownerOf({ session }: RunContext): string {
    return JSON.stringify(session.actorId ?? ['session', session.sessionId]);
  }

  protected turnsOf({ state }: RunContext): number {
    return typeof state['turns'] === 'number' ? state['turns'] : 0;
  }

  protected countTurn(context: RunContext): void {
    context.state['turns'] = this.turnsOf(context) + 1;
  }

  protected messagesOf(outcome: RunOutcome): RunMessages {
    return outcome.status === 'completed' ? outcome : outcome.partial;
  }

  protected textOf(message: RunMessages['input'][number]): string {
    return messageText(message);
  }

  /** Waits for the service. */
  protected async reach(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.service.stalled) return;
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }
}

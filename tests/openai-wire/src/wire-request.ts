import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.js';
import type { WireErrorBody } from './wire-refusal.js';

/** How an exchange ended: answered whole, dropped by the client, or cut by the server's script. */
export type Outcome = 'answered' | 'left' | 'cut';

/** A request that the server got, and what became of it. */
export interface WireRequest {
  readonly method: string;
  /** Path with query, such as `/v1/chat/completions`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body; the text where it is not JSON; `undefined` where there is none. */
  readonly body: unknown;
  /** Status that was answered, once it was. */
  readonly status: number | undefined;
  /**
   * What the model is given: the messages or input items of the request, after what the service holds of
   * the conversation, references resolved. `undefined` when the request was refused.
   */
  readonly effectiveInput: readonly unknown[] | undefined;
  /** What was refused, when the request broke a rule of the service. */
  readonly refusal: WireErrorBody | undefined;
  /** Settles when the exchange is over. */
  readonly outcome: Promise<Outcome>;
}

/** A request as the server fills it in. */
export class RecordedRequest implements WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly outcome: Promise<Outcome>;
  body: unknown;
  refusal: WireErrorBody | undefined;
  effectiveInput: readonly unknown[] | undefined;
  readonly #exchange: Exchange;

  constructor(message: IncomingMessage, exchange: Exchange) {
    this.method = message.method ?? '';
    this.path = message.url ?? '';
    this.headers = message.headers;
    this.outcome = exchange.outcome;
    this.#exchange = exchange;
  }

  get status(): number | undefined {
    return this.#exchange.status;
  }
}

/** Whose request it is: what one organisation's project keeps, another does not see. */
export function ownerOf({ headers }: WireRequest): string {
  return `${headers['openai-organization'] ?? ''}/${headers['openai-project'] ?? ''}`;
}

import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HttpReply } from './reply.js';
import type { Outcome } from './wire-request.js';

/** The answering side of one request. */
export class Exchange {
  /** Settles when the exchange is over. */
  readonly outcome: Promise<Outcome>;
  readonly #response: ServerResponse;
  #cut = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.outcome = new Promise((resolve) => {
      response.once('close', () => {
        resolve(this.#cut ? 'cut' : response.writableFinished ? 'answered' : 'left');
      });
    });
  }

  /** Status that was answered, once it was. */
  get status(): number | undefined {
    return this.#response.headersSent ? this.#response.statusCode : undefined;
  }

  /** Whether the client has gone, or was cut off. */
  get over(): boolean {
    return this.#response.destroyed;
  }

  /** Sends a whole answer. */
  send({ status, headers, body }: HttpReply): void {
    const json = typeof body !== 'string' && body !== undefined;
    this.#response.writeHead(status, {
      ...(json ? { 'content-type': 'application/json' } : {}),
      ...headers,
    });
    this.#response.end(json ? JSON.stringify(body) : body);
  }

  /** Begins a stream of server-sent events. */
  startEvents(): void {
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    });
  }

  /**
   * Sends one event, with its name where it has one, in writes of at most `bytesPerWrite` bytes, each on
   * its own turn of the loop.
   */
  async sendEvent(data: string, bytesPerWrite = Infinity, name?: string): Promise<void> {
    const head = name === undefined ? '' : `event: ${name}\n`;
    const bytes = Buffer.from(`${head}data: ${data}\n\n`);
    for (let start = 0; start < bytes.length && !this.over; start += bytesPerWrite) {
      this.#response.write(bytes.subarray(start, start + bytesPerWrite));
      await nextTurn();
    }
  }

  /** Ends the stream in good order. */
  end(): void {
    this.#response.end();
  }

  /** Drops the connection. */
  cut(): void {
    this.#cut = true;
    this.#response.destroy();
  }

  /** Sends nothing until the client leaves or the server closes. */
  async stall(): Promise<void> {
    await this.outcome;
  }
}

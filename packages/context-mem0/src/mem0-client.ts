/** One turn of a conversation, as Mem0 takes it. */
export interface Mem0Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** What `add` of either client is given. */
export interface Mem0AddOptions {
  userId?: string;
  agentId?: string;
  /** Known to the platform only. */
  appId?: string;
  runId?: string;
  infer?: boolean;
  metadata: Record<string, unknown>;
}

/** What `search` of either client is given. */
export interface Mem0SearchOptions {
  filters: Record<string, unknown>;
  topK: number;
  threshold?: number;
}

/** What is needed of `MemoryClient` of `mem0ai` 3, the client of Mem0's platform. */
export interface Mem0PlatformClient {
  /** Kept out of error messages. */
  readonly apiKey?: string;
  /** Not called; it tells this client from the open-source one. */
  ping(): Promise<unknown>;
  add(messages: Mem0Message[], options: Mem0AddOptions): Promise<unknown>;
  search(query: string, options: Mem0SearchOptions): Promise<unknown>;
}

/** What is needed of `Memory` of `mem0ai/oss` 3, which keeps memories in stores of your own. */
export interface Mem0OpenSourceMemory {
  add(messages: Mem0Message[], options: Mem0AddOptions): Promise<unknown>;
  search(query: string, options: Mem0SearchOptions): Promise<unknown>;
}

/** Either client of Mem0. One that has a method `ping` is taken for the platform's. */
export type Mem0Client = Mem0PlatformClient | Mem0OpenSourceMemory;

/** A client, or what makes one when the first run needs it. It is made once; when that fails, the next run tries again. */
export type Mem0ClientSource = Mem0Client | (() => Mem0Client | Promise<Mem0Client>);

/** Whether memories are kept by Mem0's platform, where users and agents have a space of their own each. */
export function isPlatform(client: Mem0Client): client is Mem0PlatformClient {
  return 'ping' in client && typeof client.ping === 'function';
}

/** Who calls. Comes from trusted code: the application, or the server that checked a token. */
export interface Principal {
  readonly name: string;
  /** May change and delete every store, but sees no entries of stores that are not its own. */
  readonly isAdmin: boolean;
}

/** What a principal may do with the entries of a store. `WRITE` includes `READ`. */
export type StorePermission = 'READ' | 'WRITE';

/** The principal of an application that embeds the engine and serves nobody else. */
export const localPrincipal: Principal = { name: 'local', isAdmin: true };

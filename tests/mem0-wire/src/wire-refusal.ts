/** A request that the service refuses. */
export class WireRefusal extends Error {
  override readonly name = 'WireRefusal';
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }

  /** As the service writes it. */
  get body(): { readonly detail: string } {
    return { detail: this.message };
  }
}

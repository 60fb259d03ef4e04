/** Reasoning in the form in which it leaves the service: opaque, and of use only to whom it was given. */
export function encrypt(reasoning: string, owner: string): string {
  return `gAAAA${Buffer.from(JSON.stringify([owner, reasoning])).toString('base64url')}`;
}

/** Whether this service gave that content to this owner. */
export function isIssued(content: string, owner: string): boolean {
  try {
    const inside: unknown = JSON.parse(Buffer.from(content.slice(5), 'base64url').toString());
    return content.startsWith('gAAAA') && Array.isArray(inside) && inside[0] === owner;
  } catch {
    return false;
  }
}

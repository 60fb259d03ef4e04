/** Who raises the errors of this backend. */
export const packageName = 'jsonl-history';

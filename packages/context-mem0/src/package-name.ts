/** Named by every error of this package. */
export const packageName = '@minne/context-mem0';

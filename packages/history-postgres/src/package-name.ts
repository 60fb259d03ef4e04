/** What errors of this package name as their origin. */
export const packageName = '@minne/history-postgres';

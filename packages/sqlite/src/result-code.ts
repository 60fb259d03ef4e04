/** Primary result codes of SQLite, from https://www.sqlite.org/rescode.html. */
const codes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
};

const waitedInVain =
  'Another connection was writing for longer than busyTimeout; repeat the call or raise busyTimeout.';

const remedies: ReadonlyMap<number | undefined, string> = new Map([
  [codes.busy, waitedInVain],
  [codes.locked, waitedInVain],
  [codes.readOnly, 'Give this process the right to write the file and its folder.'],
  [codes.corrupt, 'The file is damaged; restore it from a copy.'],
  [codes.full, 'Make room on the disk and repeat the call; nothing of it was written.'],
  [codes.cantOpen, 'Set path to a file in a folder that this process may write to.'],
  [codes.notADatabase, 'The file is no SQLite database; set path to another.'],
]);

/** Whether an error says that another connection stood in the way. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === codes.busy || code === codes.locked;
}

/** Whether the same call may succeed later: another connection was in the way, or the disk was full. */
export function mayPass(error: unknown): boolean {
  return isBusy(error) || primaryCode(error) === codes.full;
}

/** Whether an error says that a page of the file is damaged; what lies on others may be readable. */
export function isCorrupt(error: unknown): boolean {
  return primaryCode(error) === codes.corrupt;
}

/** Whether an error says that there can be no database at a path: of the file system, or of SQLite. */
export function isUnusable(error: unknown): boolean {
  const code = primaryCode(error);
  const isOfFileSystem = error instanceof Error && 'syscall' in error;
  return isOfFileSystem || code === codes.cantOpen || code === codes.readOnly;
}

/** What helps against an error of SQLite or of the file system. */
export function remedyFor(error: unknown): string {
  return (
    remedies.get(primaryCode(error)) ?? 'Check path and the disk; nothing of the call was written.'
  );
}

/** The primary result code of an error of SQLite; `undefined` for other errors. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  // The low byte of an extended code is the primary one.
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

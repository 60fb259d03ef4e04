const pattern = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?Z$/;

/** Whether `text` is a time in UTC as RFC 3339 writes it. */
export function isUtcTime(text: string): boolean {
  return pattern.test(text) && !Number.isNaN(Date.parse(text));
}

/** Which of two times in UTC is later, whatever digits each has after the second: as `sort` wants it. */
export function compareTimes(left: string, right: string): number {
  const [one, other] = [sortable(left), sortable(right)];
  return one < other ? -1 : one > other ? 1 : 0;
}

function sortable(text: string): string {
  const [, second = '', fraction = ''] = pattern.exec(text) ?? [];
  return `${second}.${fraction.padEnd(9, '0')}`;
}

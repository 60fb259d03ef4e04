/** Prints a Markdown table, the first column to the left and the others to the right. */
export function printTable(title, head, rows) {
  const lines = [head, ...rows].map((cells) => cells.map(String));
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column].length)));
  const line = (cells) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  console.log(`\n${title}\n\n${[line(lines[0]), rule, ...lines.slice(1).map(line)].join('\n')}`);
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** A number with about three figures. */
export function figure(number) {
  if (number >= 100) return Math.round(number).toLocaleString('en');
  return number >= 10 ? number.toFixed(1) : number.toFixed(2);
}

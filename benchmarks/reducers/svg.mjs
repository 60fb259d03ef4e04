// As much of SVG as the plots need. Colours are legible on light and on dark pages.

const style = `
  text { font: 13px system-ui, sans-serif; fill: #57606a }
  .title { font-weight: 600 }
  .axis { stroke: #8b949e; stroke-width: 1; fill: none }
  .grid { stroke: #8b949e; stroke-width: 0.5; stroke-opacity: 0.35 }
  .line { fill: none; stroke-width: 1.6; stroke-linejoin: round }
  .a { stroke: #2f81f7; fill: #2f81f7 } .b { stroke: #d1772c; fill: #d1772c }
  .c { stroke: #2da44e; fill: #2da44e } .d { stroke: #a371f7; fill: #a371f7 }
  .e { stroke: #8b949e; fill: #8b949e } .line { fill: none }
  .band { stroke: none; fill-opacity: 0.6 } .told { stroke: none; fill-opacity: 0.2 }
  @media (prefers-color-scheme: dark) { text { fill: #adbac7 } }
`;

const escaped = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const rounded = (number) => Number(number.toFixed(1));

export function text(x, y, value, { anchor = 'start', name, turned = false } = {}) {
  const turn = turned ? ` transform="rotate(-90 ${x} ${y})"` : '';
  const kind = name === undefined ? '' : ` class="${name}"`;
  return `<text x="${x}" y="${y}" text-anchor="${anchor}"${kind}${turn}>${escaped(value)}</text>`;
}

export function line(x1, y1, x2, y2, name) {
  return `<line x1="${rounded(x1)}" y1="${rounded(y1)}" x2="${rounded(x2)}" y2="${rounded(y2)}" class="${name}"/>`;
}

export function path(points, name, { closed = false } = {}) {
  const steps = points.map(
    ([x, y], index) => `${index === 0 ? 'M' : 'L'}${rounded(x)} ${rounded(y)}`,
  );
  return `<path d="${steps.join('')}${closed ? 'Z' : ''}" class="${name}"/>`;
}

/** A panel with its axes: places by value, and the marks that were asked for. */
export function panel({ left, top, width, height, x, y }) {
  const atX = (value) => left + (value / x.most) * width;
  const atY = (value) => top + height - (value / y.most) * height;
  const parts = [];
  for (const value of y.ticks) {
    parts.push(line(left, atY(value), left + width, atY(value), 'grid'));
    parts.push(text(left - 8, atY(value) + 4, y.write(value), { anchor: 'end' }));
  }
  for (const value of x.ticks) {
    parts.push(line(atX(value), top + height, atX(value), top + height + 4, 'axis'));
    if (x.write !== undefined) {
      parts.push(text(atX(value), top + height + 19, x.write(value), { anchor: 'middle' }));
    }
  }
  parts.push(
    path(
      [
        [left, top],
        [left, top + height],
        [left + width, top + height],
      ],
      'axis',
    ),
  );
  return { atX, atY, parts };
}

export function document(width, height, description, parts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(description)}</title>`,
    `<style>${style}</style>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

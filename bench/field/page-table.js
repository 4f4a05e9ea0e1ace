/** Returns a table in Markdown. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** Returns a text of a program as a cell of a table: one line, as code. */
export function cellText(text) {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('`', "'").replaceAll('|', '\\|').trim();
  return line === '' ? '' : `\`${line.length > 140 ? `${line.slice(0, 140)}…` : line}\``;
}

/** Groups values by a key, in the order of their first ones. */
export function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return [...groups.values()];
}

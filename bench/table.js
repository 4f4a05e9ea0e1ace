/** What benches measured, as tables: rows of `{ what, unit, values: { [contender]: number }, ratio, goal }`. */

/** For people at a terminal. */
export function plainTable(name, rows) {
  const [head, ...lines] = cells(name, rows);
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column].length)));
  const print = (line) =>
    line
      .map((cell, column) => (isText(column, head) ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd();
  return [print(head), print(widths.map((width) => '─'.repeat(width))), ...lines.map(print)].join('\n');
}

/** For a page. */
export function markdownTable(name, rows) {
  const [head, ...lines] = cells(name, rows);
  const rule = head.map((_, column) => (isText(column, head) ? '---' : '---:'));
  return [head, rule, ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function cells(name, rows) {
  const contenders = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  const isJudged = rows.some(({ ratio, goal }) => ratio !== undefined || goal !== undefined);
  return [
    [name, 'unit', ...contenders, ...(isJudged ? ['ratio', GOAL] : [])],
    ...rows.map(({ what, unit = '', values, ratio, goal = '' }) => [
      what,
      unit,
      ...contenders.map((contender) => number(values[contender])),
      ...(isJudged ? [number(ratio), String(goal)] : []),
    ]),
  ];
}

const GOAL = 'goal';

const isText = (column, head) => column < 2 || head[column] === GOAL;

function number(value) {
  if (typeof value !== 'number') return value === undefined ? '' : String(value);
  return value.toLocaleString('en', value < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });
}

/** Where a comment can stand. A format without such a comment leaves it out. */
export const COMMENT_PLACES = [
  'first line',
  'line before a member',
  'block before a member',
  'end of a line',
  'block at the end of a line',
  'before a value',
  'in a list',
  'after the last member',
  'server that is commented out',
  'last line',
] as const;
export type CommentPlace = (typeof COMMENT_PLACES)[number];

/** How a text is laid out. */
export interface Layout {
  /** Indentation of each depth, again from the first one below the last one. Absent: all on one line. */
  indent?: readonly string[];
  eol: '\n' | '\r\n';
  hasByteOrderMark: boolean;
  hasFinalLineEnd: boolean;
  hasTrailingCommas: boolean;
  hasListsOnLines: boolean;
  comments: readonly CommentPlace[];
  /** Chooses among the ways in which the format can write the same: quotes, tables. */
  way: number;
}

const INDENTS: Readonly<Record<string, readonly string[] | undefined>> = {
  two: ['  '],
  four: ['    '],
  tabs: ['\t'],
  mixed: ['  ', '\t', '    '],
  'one line': undefined,
};

const COMMENTS: readonly (readonly CommentPlace[])[] = [
  [],
  ['first line', 'end of a line'],
  ['line before a member', 'in a list', 'last line'],
  ['block before a member', 'server that is commented out'],
  ['block at the end of a line', 'after the last member'],
  ['before a value', 'end of a line', 'in a list'],
  COMMENT_PLACES,
];

/** Returns layout `index`, with the names of what is special in it. The counts of the choices differ, so that they meet in many ways. */
export function layoutOf(index: number): { layout: Layout; names: readonly string[] } {
  const [indentName, indent] = pick(Object.entries(INDENTS), index);
  const comments = pick(COMMENTS, index);
  const layout: Layout = {
    ...(indent && { indent }),
    eol: index % 3 === 2 ? '\r\n' : '\n',
    hasByteOrderMark: index % 8 === 3,
    hasFinalLineEnd: index % 4 !== 1,
    hasTrailingCommas: index % 7 >= 2 && index % 2 === 0,
    hasListsOnLines: index % 9 > 3,
    comments,
    way: index,
  };
  const flags = Object.entries(layout).filter(([, value]) => typeof value === 'boolean');
  return {
    layout,
    names: [
      `indentation ${indentName}`,
      JSON.stringify(layout.eol),
      ...flags.map((flag) => flag.join(' ')),
      ...comments,
    ],
  };
}

export function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length]!;
}

/** Comments that people write. Those that look like code or like the end of one stand in the way of a careless editor. */
const NOTES = [
  'shared by the team',
  'TODO: pin it',
  'see https://example.com/a#b',
  '"quoted", [list] {x: 1}',
  "don't",
  'größer',
];

/** Returns a function that gives another note each time. */
export function notes(): () => string {
  let count = 0;
  return () => `${pick(NOTES, count)} (${++count})`;
}

/** Marks of the start and the end of a server, which writers put into the text. */
export const SERVER_START = '«';
export const SERVER_END = '»';

/** Ends a text as the layout wants it, and takes the marks out. Returns also the parts outside of its servers. */
export function finished(
  marked: string,
  { eol, hasByteOrderMark, hasFinalLineEnd }: Layout,
): { text: string; outside: string[] } {
  const all = (hasByteOrderMark ? '\ufeff' : '') + marked + (hasFinalLineEnd ? '\n' : '');
  const parts = all.replaceAll('\n', eol).split(/[«»]/);
  return { text: parts.join(''), outside: parts.filter((_, index) => index % 2 === 0) };
}

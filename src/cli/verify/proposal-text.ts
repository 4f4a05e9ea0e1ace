import type { EventPlace, Proposal } from '../../verify/propose/propose-ignores.ts';

/** Maximum number of examples shown for one rule. */
const SEEN_MAX = 3;

export interface ProposalTextOptions {
  file: string;
  /** Content of the file. */
  text?: string;
  /** Whether a check of the first run has failed. */
  isFailed?: boolean;
}

/** Says what a failed check can be if two runs are equal. */
const CHANGED =
  'What fails is a change of the server, or follows from a value that was sent as recorded: a note names each of them.';

/** Returns the proposals to copy, line by line: YAML for single events of the cassette, and options for the session. */
export function proposalText(
  proposals: readonly Proposal[],
  { file, text = '', isFailed = false }: ProposalTextOptions,
): string[] {
  if (proposals.length === 0)
    return [
      'No rule is proposed: two runs of the server say the same, in all that is compared.',
      ...(isFailed ? [CHANGED] : []),
    ];
  const session = proposals.filter(({ beside }) => beside === undefined);
  return [
    'Two runs of the server differ here, or a date differs from the cassette.',
    ...besideEvents(proposals, file, text.split('\n')),
    ...(session.length > 0
      ? [
          '',
          'These options leave out dates and times in the whole session. A pattern may also stand in "match", as \'/PATTERN/\':',
        ]
      : []),
    ...session.flatMap(optionLines),
  ];
}

/**
 * Formats one YAML block for each event, in which all other text is a comment. The last event comes first, so that pasting a block does not shift the line
 * numbers of the remaining events.
 */
function besideEvents(proposals: readonly Proposal[], file: string, lines: readonly string[]): string[] {
  const events = new Map<number, { place: EventPlace; of: Proposal[] }>();
  for (const proposal of proposals) {
    for (const place of proposal.beside ?? []) {
      const event = events.get(place.line) ?? { place, of: [] };
      events.set(place.line, { place, of: [...event.of, proposal] });
    }
  }
  if (events.size === 0) return [];
  return [
    'Leave out an id, or another value that a later message may repeat, in the answer that returns it. verify sends it in',
    'later requests, and another one in a later answer fails. A pattern comes from three values, which may lack characters of',
    'others: if a later run fails, widen it. From the last line to the first:',
    ...[...events.values()]
      .sort((a, b) => b.place.line - a.place.line)
      .flatMap(({ place, of }) => [
        '',
        `  # ${whereText(place, { file, hasEnd: lines.some((line) => /^\s*- end\b/.test(line)) })}`,
        ...blockOf(of, place, keyColumn(lines[place.line - 1])),
        ...[
          ...seenLines(of.flatMap(({ seen }) => seen)),
          ...wholeTextLines(of),
          ...(of.some(({ patterns }) => patterns.length === 0) ? [ANY_VALUE] : []),
        ].map((line) => `      # ${line.trim()}`),
      ]),
  ];
}

function whereText({ line, next, hasMatch }: EventPlace, { file, hasEnd }: { file: string; hasEnd: boolean }): string {
  if (hasMatch) return `add to "match" of the event at ${file}:${line}`;
  return next === undefined
    ? `below the event at ${file}:${line}, ${hasEnd ? 'above "- end"' : 'at the end of the file'}`
    : `insert at ${file}:${next}, below the event of line ${line}`;
}

/** Column at which a recorder writes the keys of an event. */
const KEY_COLUMN = 2;

/** Returns the column of an event's keys, given the event's first line, so that the block can be pasted unchanged. */
function keyColumn(line = ''): number {
  return /^\s*-\s+(?=\S)/.exec(line)?.[0].length ?? KEY_COLUMN;
}

function blockOf(
  proposals: readonly Proposal[],
  { hasMatch, rules: present = [] }: EventPlace,
  column: number,
): string[] {
  const rules = proposals.flatMap(({ patterns, pointers }) =>
    patterns.length > 0 ? patterns.map((pattern) => `/${pattern}/`) : pointers,
  );
  const isThere = (rule: string) => present.includes(rule);
  const added = [...new Set(rules)].filter((rule) => !isThere(rule));
  const items = added.map((rule) => `    - '${rule.replaceAll("'", "''")}'`);
  const block = items.length === 0 ? [] : [...(hasMatch ? [] : ['match:']), '  ignore:', ...items];
  const vain = [...new Set(rules)].filter(isThere).map((rule) => `  # '${rule}' ${VAIN}`);
  return [...block.map((line) => ' '.repeat(column) + line), ...vain];
}

/** Says why a rule that an event has already does not make its message equal. */
const VAIN =
  'is there already, but the live value is in an answer without this rule: the server divides its list into other pages.';

/** Says what a rule for a place lets pass. */
const ANY_VALUE =
  '      No pattern fits. A pointer passes any value there, and a missing one unless a later call sends it.';

function wholeTextLines(proposals: readonly Proposal[]): string[] {
  const whole = proposals.filter(({ patterns }) => patterns.length > 0).flatMap(({ pointers }) => pointers);
  return whole.length === 0
    ? []
    : [`      Or the whole text, which may then be missing: '${[...new Set(whole)].join("', '")}'`];
}

function seenLines(seen: readonly string[]): string[] {
  const shown = [...new Set(seen)];
  const more = shown.length - SEEN_MAX;
  return [
    ...shown.slice(0, SEEN_MAX).map((example) => `    ${example}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

function optionLines({ patterns, pointers, seen }: Proposal): string[] {
  return [
    `  ${(patterns.length > 0 ? patterns.map(patternOption) : pointers.map(pointerOption)).join(' ')}`,
    ...seenLines(seen).map((line) => `  ${line}`),
    patterns.length > 0
      ? `      Or the whole text, which may then be missing: ${pointers.map(pointerOption).join(' ')}`
      : ANY_VALUE,
  ];
}

const patternOption = (pattern: string): string => `--ignore-pattern ${quoted(pattern)}`;
const pointerOption = (pointer: string): string => `--ignore ${quoted(pointer)}`;
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

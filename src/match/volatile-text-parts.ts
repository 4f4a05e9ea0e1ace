/** Kind of a part of a text: literal text, or a value that may be new in each run. */
type Kind = 'literal' | 'uuid' | 'date' | 'time' | 'value';

/** A part of a text. */
export interface Part {
  kind: Kind;
  text: string;
}

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = String.raw`\d\d?:\d\d(?::\d\d(?:\.\d+)?)?`;
const FORMS: readonly [Kind, string][] = [
  ['uuid', String.raw`\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b`],
  ['date', String.raw`\b\d{4}-\d\d-\d\d(?:[T ]${TIME}(?:Z\b|[+-]\d\d:?\d\d\b)?)?(?!\w)`],
  ['date', String.raw`\b\d{1,4}/\d{1,2}/\d{1,4}\b`],
  ['date', String.raw`\b[A-Z][a-z]{2}, \d\d ${MONTH} \d{4} \d\d:\d\d:\d\d GMT\b`],
  ['date', String.raw`\b${MONTH}[a-z]{0,6} \d{1,2}, \d{4}\b`],
  ['time', String.raw`\b${TIME}(?: ?[AP]M)?(?![\w:])`],
  ['value', String.raw`\b\d+(?:\.\d+)?(?:[num\u00b5]?s|min|h)?(?!\w)`],
  ['value', String.raw`\w+`],
];
const VALUE = new RegExp(FORMS.map(([, source]) => `(${source})`).join('|'), 'g');

/** Divides a text into values and the literal text between them. A word without a digit is literal. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  const literal = (end: number) => {
    if (end > done) parts.push({ kind: 'literal', text: text.slice(done, end) });
  };
  let done = 0;
  for (const match of text.matchAll(VALUE)) {
    const [value, ...groups] = match;
    if (!/\d/.test(value)) continue;
    literal(match.index);
    const [kind] = FORMS[groups.findIndex((group) => group !== undefined)]!;
    parts.push({ kind, text: value });
    done = match.index + value.length;
  }
  literal(text.length);
  return parts;
}

/** A form of values that differ between runs, as an expression. */
export interface Shape {
  source: string;
  /** Whether few other texts have this form, so that it needs no literal text around it. */
  isSpecific: boolean;
  /** Whether values of this form depend on the day or the time. */
  isTime: boolean;
  /** Whether no later message names something by a value of this form, as it would by an id: dates, times, durations. */
  isPassing: boolean;
}

/** Returns the narrowest source that all values have in common, for values of one shape. */
type Narrow = (values: readonly string[]) => string;

const DATE = String.raw`\d{4}-[01]\d-[0-3]\d`;
const MINUTES = String.raw`[0-2]\d:[0-5]\d`;
const SECONDS = String.raw`:[0-5]\d`;

/** Returns the first form that all parts have. Optional if some parts are empty. */
function commonForm(parts: readonly string[], forms: readonly (readonly [RegExp, string])[]): string {
  const filled = parts.filter((part) => part !== '');
  if (filled.length === 0) return '';
  const [, source] = forms.find(([form]) => filled.every((part) => form.test(part)))!;
  return filled.length === parts.length ? source : `(${source})?`;
}

/** Returns the group with an index of each match. Empty: the group did not take part. */
function groupOf(matches: readonly RegExpExecArray[], index: number): string[] {
  return matches.map((match) => match[index] ?? '');
}

/** Returns the form of seconds and their fraction. Fractions of other lengths than 3 and 6 may lose their zeros. */
function secondsForm(matches: readonly RegExpExecArray[], [seconds, fraction]: readonly [number, number]): string {
  const fractions = groupOf(
    matches.filter((match) => match[seconds] !== undefined),
    fraction,
  );
  const parts = commonForm(fractions, [
    [/^\.\d{3}$/, String.raw`\.\d{3}`],
    [/^\.\d{6}$/, String.raw`\.\d{6}`],
    [/./, String.raw`\.\d+`],
  ]);
  return commonForm(groupOf(matches, seconds), [[/./, SECONDS + parts]]);
}

const DATE_TIME = /^\d{4}-\d\d-\d\d([T ])\d\d?:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;
const TIME_OF_DAY = /^\d\d?:\d\d(:\d\d)?(\.\d+)?( ?[AP]M)?$/;

const dateTimeForm: Narrow = (values) => {
  const matches = values.map((value) => DATE_TIME.exec(value)!);
  const between = commonForm(groupOf(matches, 1), [
    [/T/, 'T'],
    [/ /, ' '],
    [/./, '[T ]'],
  ]);
  const zone = commonForm(groupOf(matches, 4), [
    [/^Z$/, 'Z'],
    [/^.\d\d:/, String.raw`[+-]\d\d:\d\d`],
    [/^.\d{4}/, String.raw`[+-]\d{4}`],
    [/./, String.raw`(Z|[+-]\d\d:?\d\d)`],
  ]);
  return DATE + between + MINUTES + secondsForm(matches, [2, 3]) + zone;
};

const timeForm: Narrow = (values) => {
  const matches = values.map((value) => TIME_OF_DAY.exec(value)!);
  const half = commonForm(groupOf(matches, 3), [
    [/^ /, ' [AP]M'],
    [/^[AP]/, '[AP]M'],
    [/./, ' ?[AP]M'],
  ]);
  return String.raw`[0-2]?\d:[0-5]\d` + secondsForm(matches, [1, 2]) + half;
};

const SHAPES: readonly (Shape & { whole: RegExp; narrow?: Narrow | undefined })[] = (
  [
    ['[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', 'specific'],
    [String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`, 'specific', 'time', dateTimeForm],
    [DATE, 'specific', 'time'],
    [String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?`, 'specific', 'time', dateTimeForm],
    [String.raw`\d{1,4}/\d{1,2}/\d{1,4}`, 'specific', 'time'],
    [String.raw`[A-Z][a-z]{2}, [0-3]\d [A-Z][a-z]{2} \d{4} [0-2]\d:[0-5]\d:[0-5]\d GMT`, 'specific', 'time'],
    [String.raw`[A-Z][a-z]{2,8} \d{1,2}, \d{4}`, 'specific', 'time'],
    [String.raw`\d\d?:\d\d(:\d\d(\.\d+)?)?( ?[AP]M)?`, 'common', 'time', timeForm],
    [String.raw`[12]\d{9}(\d{3})?`, 'common', 'digits of a time'],
    [String.raw`\d+`, 'common'],
    [String.raw`\d+(\.\d+)?`, 'common'],
    ['\\d+(\\.\\d+)?([num\u00b5]?s|min|h)', 'common', 'duration'],
    ['[0-9a-fA-F]{8,}', 'common'],
    [String.raw`\w+`, 'common'],
  ] as const
).map(([source, specific, kind, narrow]) => ({
  source,
  narrow,
  whole: new RegExp(`^(?:${source})$`),
  isSpecific: specific === 'specific',
  isTime: kind === 'time' || kind === 'digits of a time',
  isPassing: kind === 'time' || kind === 'duration',
}));

/**
 * Returns the narrowest known form that all values have. Of a time, it has the parts that all values have, such as
 * milliseconds. Undefined: there is none.
 */
export function shapeOf(values: readonly string[]): Shape | undefined {
  const found = SHAPES.find(({ whole }) => values.every((value) => whole.test(value)));
  return found?.narrow === undefined ? found : { ...found, source: found.narrow(values) };
}

/** Reports whether two different values depend on the day or the time. */
export function areTimes(values: readonly string[]): boolean {
  return shapeOf(values)?.isTime ?? false;
}

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

const SHAPES: readonly (Shape & { whole: RegExp })[] = (
  [
    ['[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', 'specific'],
    [String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`, 'specific', 'time'],
    [String.raw`\d{4}-\d\d-\d\d`, 'specific', 'time'],
    [String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?`, 'specific', 'time'],
    [String.raw`\d{1,4}/\d{1,2}/\d{1,4}`, 'specific', 'time'],
    [String.raw`[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT`, 'specific', 'time'],
    [String.raw`[A-Z][a-z]{2,8} \d{1,2}, \d{4}`, 'specific', 'time'],
    [String.raw`\d\d?:\d\d(:\d\d(\.\d+)?)?( ?[AP]M)?`, 'common', 'time'],
    [String.raw`[12]\d{9}(\d{3})?`, 'common', 'digits of a time'],
    [String.raw`\d+`, 'common'],
    [String.raw`\d+(\.\d+)?`, 'common'],
    ['\\d+(\\.\\d+)?([num\u00b5]?s|min|h)', 'common', 'duration'],
    ['[0-9a-fA-F]{8,}', 'common'],
    [String.raw`\w+`, 'common'],
  ] as const
).map(([source, specific, kind]) => ({
  source,
  whole: new RegExp(`^(?:${source})$`),
  isSpecific: specific === 'specific',
  isTime: kind === 'time' || kind === 'digits of a time',
  isPassing: kind === 'time' || kind === 'duration',
}));

/** Returns the narrowest known form that all values have. Undefined: there is none. */
export function shapeOf(values: readonly string[]): Shape | undefined {
  return SHAPES.find(({ whole }) => values.every((value) => whole.test(value)));
}

/** Reports whether two different values depend on the day or the time. */
export function areTimes(values: readonly string[]): boolean {
  return shapeOf(values)?.isTime ?? false;
}

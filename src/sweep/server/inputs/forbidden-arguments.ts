import { type Arbitrary, double, integer, oneof, string } from 'fast-check';
import { isObject } from '../../../protocol/message.ts';
import type { Place } from './schema-places.ts';
import type { Arguments } from './serialize-arguments.ts';
import type { ToolInputs } from './tool-argument-model.ts';

/** Arguments to try. The whole schema decides later which of them it allows. */
export interface Proposal {
  /** Arguments that are always tried. */
  listed: readonly Arguments[];
  /** Generator of more arguments, of which a sample is drawn. Absent: only the listed arguments are used. */
  drawn?: Arbitrary<Arguments>;
}

const FARTHEST = 2 ** 53 - 1;
const LENGTH_MAX = 100_000;
const EXTRA_KEY = 'mcp-record';

/** Leaves out a required property. At the root, also leaves out all arguments. */
export function missingRequired({ places, withValue }: ToolInputs): Proposal {
  const listed = places.flatMap(({ path, value, hints }) => {
    if (!isObject(value)) return [];
    const without = membersOf(hints, 'required')
      .flat()
      .map((key) => Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)));
    return [...without, {}].map((one) => withValue(path, one));
  });
  return { listed: [undefined, ...listed] };
}

/** A value of each JSON type, and the texts that a server may silently convert. */
const OF_ANY_TYPE: readonly unknown[] = [0, 1, 1.5, '', 'a', '1', 'true', true, false, null, [], [0], {}, { a: 0 }];

/** Puts a value of another type in a place. */
export function wrongType({ places, withValue }: ToolInputs): Proposal {
  const listed = places.flatMap(({ path, hints }) => {
    const allowed = new Set(membersOf(hints, 'type').flat());
    if (allowed.size === 0) return [];
    // Servers may treat the null of absent arguments as no arguments.
    const values = OF_ANY_TYPE.filter((value) => !isOfType(value, allowed) && !(path.length === 0 && value === null));
    return values.map((value) => withValue(path, value));
  });
  return { listed };
}

function isOfType(value: unknown, allowed: ReadonlySet<unknown>): boolean {
  if (value === null) return allowed.has('null');
  if (Array.isArray(value)) return allowed.has('array');
  if (typeof value !== 'number') return allowed.has(typeof value);
  return allowed.has('number') || (allowed.has('integer') && Number.isInteger(value));
}

/** Puts a value outside its `enum` or `const` in a place. */
export function notInEnum(tool: ToolInputs): Proposal {
  return proposalFor(tool, ({ hints }) => {
    const values = [...membersOf(hints, 'enum').flat(), ...membersOf(hints, 'const')];
    if (values.length === 0) return { listed: [] };
    const texts = values.filter((value) => typeof value === 'string');
    const numbers = values.filter((value) => typeof value === 'number');
    const [other = ''] = texts;
    return {
      listed: [
        ...(texts.length > 0 ? ['', `${other}x`, other.toUpperCase(), other.toLowerCase(), EXTRA_KEY] : []),
        ...(numbers.length > 0 ? [-1, 0, Math.max(...numbers) + 1] : []),
      ],
      ...(texts.length > 0 && { drawn: string({ maxLength: 10 }) }),
    };
  });
}

/** Puts a number in a place that violates `minimum`, `maximum` or `multipleOf`. */
export function outOfRange(tool: ToolInputs): Proposal {
  return proposalFor(tool, ({ hints }) => {
    const isWhole = membersOf(hints, 'type').includes('integer');
    const lowest = numbersOf(hints, 'minimum', 'exclusiveMinimum');
    const highest = numbersOf(hints, 'maximum', 'exclusiveMaximum');
    const steps = numbersOf(hints, 'multipleOf');
    // Validators disagree about multiples of fractions: in floating point, 0.3 / 0.1 differs from 3.
    const isVague = steps.some((step) => !Number.isInteger(step));
    const listed = [
      ...lowest.flatMap((bound) => [...(isVague ? [] : [bound]), bound - 1, ...(isWhole ? [] : [bound - 0.5])]),
      ...highest.flatMap((bound) => [...(isVague ? [] : [bound]), bound + 1, ...(isWhole ? [] : [bound + 0.5])]),
      ...steps.map((step) => step / 2),
    ];
    if (isVague) return { listed };
    const drawn = [
      ...lowest.filter((bound) => bound > -FARTHEST).map((bound) => integer({ min: -FARTHEST, max: Math.ceil(bound) })),
      ...highest.filter((bound) => bound < FARTHEST).map((bound) => integer({ min: Math.floor(bound), max: FARTHEST })),
      ...(lowest.length + highest.length > 0 && !isWhole ? [double({ noNaN: true, noDefaultInfinity: true })] : []),
    ];
    return { listed, ...(drawn.length > 0 && { drawn: oneof(...drawn) }) };
  });
}

/** Puts a string or array in a place that violates a length limit or `uniqueItems`. */
export function wrongLength(tool: ToolInputs): Proposal {
  return proposalFor(tool, ({ hints, value }) => {
    const few = numbersOf(hints, 'minLength').filter((length) => length > 0 && length <= LENGTH_MAX);
    const many = numbersOf(hints, 'maxLength').filter((length) => length < LENGTH_MAX);
    const texts = [
      ...few.flatMap((length) => ['', 'a'.repeat(length - 1)]),
      ...many.flatMap((length) => ['a'.repeat(length + 1), '1'.repeat(length + 1)]),
    ];
    const items = Array.isArray(value) ? value : [];
    const item = items[0] ?? '';
    const times = (length: number) => Array.from({ length }, (_, index) => items[index] ?? item);
    return {
      listed: [
        ...texts.filter((text) => isQuickFor(hints, text)),
        ...numbersOf(hints, 'minItems').flatMap((length) => (length > 0 ? [[], items.slice(0, length - 1)] : [])),
        ...numbersOf(hints, 'maxItems').flatMap((length) => (length < LENGTH_MAX ? [times(length + 1)] : [])),
        ...(membersOf(hints, 'uniqueItems').includes(true) ? [[item, item]] : []),
      ],
    };
  });
}

/** Puts a string in a place that violates its `pattern`. */
export function patternMismatch(tool: ToolInputs): Proposal {
  return proposalFor(tool, ({ hints }) => {
    if (membersOf(hints, 'pattern').length === 0) return { listed: [] };
    return { listed: ['', ' ', 'a', 'A', '0', '-', '/'], drawn: string({ maxLength: 8 }) };
  });
}

/** Adds a property where `additionalProperties` is false. */
export function additionalProperty(tool: ToolInputs): Proposal {
  return proposalFor(tool, ({ hints, value, path }) => {
    const isClosed = hints.some((one) => one.additionalProperties === false || one.unevaluatedProperties === false);
    if (!isClosed || !isObject(value)) return { listed: [] };
    const base = path.length === 0 && isObject(tool.smallest) ? tool.smallest : value;
    return { listed: [0, '', true].map((extra) => ({ ...base, [EXTRA_KEY]: extra })) };
  });
}

const QUICK_LENGTH_MAX = 20;

/** Reports whether a text is short, or has no pattern to match: a pattern can take exponential time for a long text. */
export function isQuickFor(hints: Place['hints'], text: string): boolean {
  return text.length <= QUICK_LENGTH_MAX || membersOf(hints, 'pattern').length === 0;
}

/** Returns the arguments with the proposed values of each place in turn. */
export function proposalFor(
  { places, withValue }: ToolInputs,
  valuesAt: (place: Place) => { listed: readonly unknown[]; drawn?: Arbitrary<unknown> },
): Proposal {
  const proposals = places.map((place) => ({ path: place.path, ...valuesAt(place) }));
  const drawn = proposals.flatMap(({ path, drawn }) => (drawn ? [drawn.map((value) => withValue(path, value))] : []));
  return {
    listed: proposals.flatMap(({ path, listed }) => listed.map((value) => withValue(path, value))),
    ...(drawn.length > 0 && { drawn: oneof(...drawn) }),
  };
}

/** Returns all values of a keyword in the schemas of a place. */
export function membersOf(hints: Place['hints'], keyword: string): unknown[] {
  return hints.flatMap((schema) => (keyword in schema ? [schema[keyword]] : []));
}

export function numbersOf(hints: Place['hints'], ...keywords: readonly string[]): number[] {
  return keywords.flatMap((keyword) => membersOf(hints, keyword)).filter((one) => typeof one === 'number');
}

import { type Arbitrary, array, double, integer, oneof } from 'fast-check';
import { isObject } from '../../../protocol/message.ts';
import { isQuickFor, membersOf, numbersOf, type Proposal, proposalFor } from './forbidden-arguments.ts';
import type { Place } from './schema-places.ts';
import type { ToolInputs } from './tool-argument-model.ts';

const LONG = 100_000;
const DRAWN_MAX = 30;
const WITH_PATTERN_MAX = 10;
const SAFE_MAX = 2 ** 53 - 1;

/** Texts at which programs break, the shortest first. */
const EDGE_TEXTS: readonly string[] = [
  '',
  ' ',
  '0',
  '\0',
  '\u0007',
  '\n',
  '"',
  '\\',
  '%',
  '../',
  '\u00e9',
  'e\u0301',
  '\u{1f600}',
  '\u{10ffff}',
  '\u05d0\u05d1',
  '\u202eabc',
  '\u2028',
  '\ufeff',
  '__proto__',
  'a\0b',
  '{{x}}',
  'a'.repeat(1_000),
];

/** Numbers at which programs break. */
const EDGE_NUMBERS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  255,
  256,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  SAFE_MAX,
  2 ** 53,
  -(2 ** 53),
  2 ** 64,
  1e308,
  -1e308,
  0.1,
  5e-324,
];

/** A character of any script. Letters and control characters are as likely as all others. */
const CHARACTER: Arbitrary<string> = oneof(
  { withCrossShrink: true },
  integer({ min: 0x61, max: 0x7a }),
  integer({ min: 0, max: 0x1f }),
  integer({ min: 0x20, max: 0xd7ff }),
  integer({ min: 0xe000, max: 0x10ffff }),
).map((code) => String.fromCodePoint(code));

/** Sizes of the ranges that numbers are drawn from. Several sizes make small numbers as likely as large numbers. */
const RANGES: readonly number[] = [100, 10_000, 1_000_000, 1_000_000_000, SAFE_MAX];

/** Texts: empty, long, of other scripts, with control characters. */
export function edgeStrings(tool: ToolInputs): Proposal {
  return proposalFor(tool, (place) => {
    if (!mayBe(place, 'string') || isChosen(place)) return { listed: [] };
    const { hints } = place;
    const least = Math.max(0, ...numbersOf(hints, 'minLength'));
    const most = Math.min(LONG, ...numbersOf(hints, 'maxLength'));
    const hasPattern = membersOf(hints, 'pattern').length > 0;
    const drawnMax = hasPattern ? WITH_PATTERN_MAX : DRAWN_MAX;
    const bounds = [least, most].map((length) => 'a'.repeat(Math.min(length, LONG)));
    const drawn =
      least > drawnMax || most < least
        ? undefined
        : oneof(
            { withCrossShrink: true },
            array(CHARACTER, { minLength: least, maxLength: Math.min(most, drawnMax) }).map((all) => all.join('')),
            ...(hasPattern ? [] : [integer({ min: least, max: most }).map((length) => 'a'.repeat(length))]),
          );
    const listed = [...EDGE_TEXTS, ...bounds].filter((text) => isQuickFor(hints, text));
    return { listed, ...(drawn && { drawn }) };
  });
}

/** Numbers: 0, -0, the bounds of the schema, the bounds of integers and of doubles. */
export function edgeNumbers(tool: ToolInputs): Proposal {
  return proposalFor(tool, (place) => {
    const isReal = mayBe(place, 'number');
    if (!(isReal || mayBe(place, 'integer')) || isChosen(place)) return { listed: [] };
    const { hints } = place;
    const bounds = numbersOf(hints, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum');
    const least = Math.max(-SAFE_MAX, ...numbersOf(hints, 'minimum', 'exclusiveMinimum').map(Math.ceil));
    const most = Math.min(SAFE_MAX, ...numbersOf(hints, 'maximum', 'exclusiveMaximum').map(Math.floor));
    const drawn: Arbitrary<unknown>[] = [
      ...RANGES.map((size) => ({ min: Math.max(least, -size), max: Math.min(most, size) }))
        .filter(({ min, max }) => min <= max)
        .map((range) => integer(range)),
      ...(isReal ? [double({ noNaN: true, noDefaultInfinity: true })] : []),
    ];
    return {
      listed: [...EDGE_NUMBERS, ...bounds, ...bounds.flatMap((bound) => [bound - 1, bound + 1])],
      ...(drawn.length > 0 && { drawn: oneof({ withCrossShrink: true }, ...drawn) }),
    };
  });
}

const DEPTHS = [10, 100];
const MANY = 1_000;

/** Lists and objects: empty, long, deep; optional properties left out and given; each choice of an `enum`. */
export function edgeStructures(tool: ToolInputs): Proposal {
  const { places, smallest, withValue } = tool;
  const [root] = places;
  const { listed } = proposalFor(tool, (place) => {
    const { hints, value } = place;
    const choices = [...membersOf(hints, 'enum').flat(), ...membersOf(hints, 'const')];
    if (choices.length > 0) return { listed: choices };
    const lists = mayBe(place, 'array') ? listsLike(value) : [];
    const objects = mayBe(place, 'object')
      ? [{}, { '': '' }, { __proto__: null, a: {} }, ...DEPTHS.map(deepObject)]
      : [];
    const others = mayBe(place, 'boolean') ? [true, false] : [];
    return { listed: [...lists, ...objects, ...others, ...(mayBe(place, 'null') ? [null] : [])] };
  });
  const withEach = Object.entries(isObject(root?.value) ? root.value : {}).map(([key, one]) => withValue([key], one));
  return { listed: [...(tool.allows({}) ? [undefined] : []), smallest, root?.value, ...withEach, ...listed] };
}

function listsLike(value: unknown): unknown[] {
  const [item] = Array.isArray(value) ? value : [];
  const filled = item === undefined ? [] : [[item], Array.from({ length: MANY }, () => item)];
  return [[], ...filled, ...DEPTHS.map(deepList)];
}

function deepList(depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>((inner) => [inner], []);
}

function deepObject(depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: inner }), {});
}

/** Reports whether the schemas of a place name a type, or none. */
function mayBe({ hints }: Place, type: string): boolean {
  const types = membersOf(hints, 'type').flat();
  return types.length === 0 ? hints.length > 0 : types.includes(type);
}

function isChosen({ hints }: Place): boolean {
  return membersOf(hints, 'enum').length > 0 || membersOf(hints, 'const').length > 0;
}

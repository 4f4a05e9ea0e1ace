import fc from 'fast-check';

/** Keys that mean something to objects or to JSON Pointers, and nothing to JSON. */
const HOSTILE_KEYS = ['__proto__', 'constructor', 'toString', '', '*', '0', '~', '/', '~1', '-', 'id', 'a', 'b'];
const HOSTILE_TEXTS = ['\\', '"', '{', ']', ',', ':', '\\"', '\u2028', '\0', '\0exact 1'];

/** A string as one of its spellings: plain, or with its letters as `\u` escapes. */
function token(content: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const spell = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const escaped = (text: string) =>
    [...text].map((one) => (/[a-z_]/.test(one) ? spell(one) : JSON.stringify(one).slice(1, -1)));
  return fc
    .tuple(content, fc.boolean())
    .map(([text, plain]) => (plain ? JSON.stringify(text) : `"${escaped(text).join('')}"`));
}

const space = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n  ');
const number = fc.oneof(fc.integer().map(String), fc.constantFrom('0', '-0', '1.0', '1e2', '-2.5E-3'));
const leaf = fc.oneof(
  fc.constantFrom('null', 'true', 'false'),
  number,
  token(fc.oneof(fc.string(), fc.constantFrom(...HOSTILE_TEXTS))),
);
// JSON.parse of Node 24.21 and 26.10 takes an escaped key for one that is a backslash, once it has read an object with that in the
// same place: after {"/":1,"\\":2} it reads {"/":1,"\u0061":2} as if that were repeated.
const key = token(
  fc.oneof(
    fc.constantFrom(...HOSTILE_KEYS),
    fc.string().filter((text) => !text.includes('\\')),
  ),
);

/** JSON as any sender might write it: white space, escapes, odd keys. Keys repeat only where `repeats` says so. */
export function jsonText({ repeats = false }: { repeats?: boolean } = {}): fc.Arbitrary<string> {
  return fc.letrec<{ node: string; list: string; object: string }>((tie) => {
    const node = fc.tuple(space, tie('node'), space).map((parts) => parts.join(''));
    const member = fc.tuple(space, key, space, node);
    const members = fc.uniqueArray(member, {
      maxLength: 4,
      selector: ([, name]) => (repeats ? {} : JSON.parse(name)),
      comparator: (a, b) => a === b,
    });
    return {
      node: fc.oneof({ maxDepth: 4 }, leaf, tie('list'), tie('object')),
      list: fc.array(node, { maxLength: 4 }).map((items) => `[${items.join()}]`),
      object: members.map((all) => `{${all.map(([a, name, b, value]) => `${a}${name}${b}:${value}`).join()}}`),
    };
  }).node;
}

/** Any JSON value as a parser gives it. */
export const jsonValue: fc.Arbitrary<unknown> = jsonText().map((text) => JSON.parse(text));

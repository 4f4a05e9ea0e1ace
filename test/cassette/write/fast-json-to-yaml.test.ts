import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FastJsonToYaml, fastJsonToYaml } from '../../../src/cassette/write/fast-json-to-yaml.ts';
import { jsonToYamlPieces } from '../../../src/cassette/write/json-to-yaml.ts';
import { RESERVED_WORDS } from '../../../src/cassette/write/plain-scalar.ts';
import { HARD_STRINGS } from '../arbitrary.ts';

const COLUMN = 2;
const plainJson = new FastJsonToYaml();

/** What is written of a text. */
const asText = (line: string) => jsonToYamlPieces(line, COLUMN)?.join('');

/** What is written for `line`; undefined: it is left to what reads text. */
function written(line: string, room = 64 * 1024): string | undefined {
  const yaml = Buffer.alloc(room);
  const end = plainJson.write(Buffer.from(`${line}\n`), 0, yaml, 0, COLUMN);
  return end < 0 ? undefined : yaml.toString('latin1', 0, end);
}

const USUAL = [
  '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"get-sum","arguments":{"a":1,"b":2.5}}}',
  '{"jsonrpc":"2.0","id":8,"result":{"content":[{"type":"text","text":"The sum of 1 and 2.5 is 3.5."}]}}',
  ' { "a" : [ 1 , [ true , false ] , null , -0 , -12.50 ] ,\t"b":{ }, "c":[[],{}] }\r',
  '{"":"","a: b":"c #d","e:":"f:","y":"No","on":"offer","~":"null ","$x":"(y)"}',
  '[]',
  '{}',
];

describe('plain JSON, from bytes to bytes', () => {
  it.each(USUAL)('is what the text would be: %s', (line) => {
    expect(written(line)).toBe(asText(line));
  });

  it('quotes reserved words, in whatever case, and nothing that shares bits with one', () => {
    const alike = (letter: string) => String.fromCharCode(letter.charCodeAt(0) ^ 0x40);
    const words = RESERVED_WORDS.flatMap((word) => [
      word,
      word.toUpperCase(),
      ...[...word].slice(1).map((letter, i) => word.slice(0, i + 1) + alike(letter) + word.slice(i + 2)),
    ]);
    for (const word of words.filter((it) => !/[%&]/.test(it))) {
      const line = JSON.stringify({ [word]: word });
      expect(written(line)).toBe(asText(line));
    }
  });

  it.each(['e1', 'E0', 'e+12', 'E-007', 'e1234567', 'e', 'e+', 'e1a', 'e+-1', 'be1'])(
    'is what the text would be, also where that is an exponent alone, or like one: %s',
    (word) => {
      const line = JSON.stringify({ [word]: word });
      expect(written(line)).toBe(asText(line));
    },
  );

  it('is written behind what is there, and says where its line ends', () => {
    const yaml = Buffer.alloc(64 * 1024, '-');
    const json = Buffer.from('{"a":1}\n{"b":2} \r\n{"c":3}\n');
    expect(plainJson.write(json, 8, yaml, 3, COLUMN)).toBe(12);
    expect(yaml.toString('latin1', 0, 14)).toBe('---\n    b: 2--');
    expect(plainJson.end).toBe(17);
  });

  it.each([
    ['what is not ASCII', '{"a":"ä"}'],
    ['an escape', '{"a":"\\n"}'],
    ['a percent sign', '{"a":"%41"}'],
    ['an address', '{"a":"b@c"}'],
    ['a control character', '{"a":"\u0001"}'],
    ['DEL', '{"a":"\u007f"}'],
    ['an exponent', '{"a":1e3}'],
    ['a long number', `{"a":${'1'.repeat(100)}}`],
    ['a long key', `{"${'a'.repeat(100)}":1}`],
    ['a long string', `{"a":"${'b'.repeat(10_000)}"}`],
    ['deep nesting', '['.repeat(40) + ']'.repeat(40)],
    ['many keys', `{${Array.from({ length: 80 }, (_, n) => `"k${n}":1`).join()}}`],
  ])('leaves %s to what reads text', (_, line) => {
    expect(written(line)).toBeUndefined();
  });

  it.each([
    '',
    '1',
    '"a"',
    '{',
    '{}}',
    '{} {}',
    '[1,]',
    '{"a"}',
    '{"a":1,}',
    '{"a":1,"a":2}',
    '[01]',
    '[+1]',
    '[1.]',
    '[-]',
    '[tru]',
    '[nullx]',
    '["a]',
    '[1 2]',
  ])('leaves what is no message: %s', (line) => {
    expect(written(line)).toBeUndefined();
  });

  it('leaves what there is no room for', () => {
    expect(written('{"a":1,"b":2}', 8_000)).toBeUndefined();
  });

  it('writes what it writes as the text is written', () => {
    const text = fc.oneof(
      fc.constantFrom(...HARD_STRINGS),
      fc.string(),
      fc.stringMatching(/^[yntofaUSLE: #]{0,6}$/),
      fc.stringMatching(/^[eE01+-]{0,5}$/),
    );
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(true, false, null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(text, tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    let plain = 0;
    fc.assert(
      fc.property(fc.dictionary(text, value, { maxKeys: 4 }), fc.constantFrom(0, 1), (message, space) => {
        const line = JSON.stringify(message, null, space).replaceAll('\n', ' ');
        const yaml = written(line);
        if (yaml === undefined) return;
        plain++;
        expect(yaml).toBe(asText(line));
      }),
      { numRuns: 2_000 },
    );
    expect(plain).toBeGreaterThan(300);
  });

  it('takes no damaged message that the text would not be', () => {
    const damage = fc.record({
      line: fc.constantFrom(...USUAL),
      at: fc.nat(120),
      instead: fc.constantFrom(...'{}[]",: \\019.-etn#\n'),
    });
    fc.assert(
      fc.property(damage, ({ line, at, instead }) => {
        const damaged = line.slice(0, at) + instead + line.slice(at + 1);
        const yaml = written(damaged);
        if (yaml !== undefined) expect(yaml).toBe(asText(damaged.split('\n')[0]!));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('plain JSON of a text', () => {
  it.each(USUAL)('is the same: %s', (line) => {
    expect(fastJsonToYaml(line, COLUMN)).toBe(written(line));
    expect(fastJsonToYaml(line, 0)).toBe(jsonToYamlPieces(line, 0)?.join(''));
  });

  it.each([
    ['an escape', '{"a":"\\n"}'],
    ['a letter of several bytes', '{"a":"ä"}'],
    ['a letter of which the last byte is that of another', '{"a":"\u0161"}'],
    ['half a letter', '{"a":"\ud83d"}'],
    ['a line break in the middle', '{"a":1,\n"b":2}'],
    ['a line break behind it, and more', '{"a":1}\n{"b":2}'],
    ['one thing behind the other', '{"a":1}{"b":2}'],
    ['what is long', JSON.stringify(Array.from({ length: 4_000 }, () => 'abc'))],
  ])('is left to what reads text where there is %s', (_, text) => {
    expect(fastJsonToYaml(text, COLUMN)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { FastYamlReader, readFastYaml } from '../../../../src/cassette/read/fast-yaml/fast-yaml-reader.ts';

const read = (text: string) => readFastYaml(text, 2)?.map(({ key, json }) => [key, json]);

function readIn(reader: FastYamlReader, text: string, column = 2) {
  const bytes = Buffer.from(`${text}\n`);
  return reader.read(bytes, { start: 0, column });
}

describe('our own reader', () => {
  it('reads an event as our writer wrote it', () => {
    expect(
      read(
        '- server:\n    a:\n      - - 1\n        - x: "2"\n          "y": [ok\n      - {}\n    b: |-\n      l1\n      l2\n  after: 400\n',
      ),
    ).toBeUndefined();
    expect(
      read(
        '- server:\n    a:\n      - - 1\n        - x: "2"\n          "y": yo\n      - {}\n    b: |-\n      l1\n      l2\n  after: 400\n',
      ),
    ).toEqual([
      ['server', '{"a":[[1,{"x":"2","y":"yo"}],{}],"b":"l1\\nl2"}'],
      ['after', '400'],
    ]);
  });

  it('says where each key stands', () => {
    expect(readFastYaml('- a: 1\n  # note\n\n  b: 2', 2)).toEqual([
      { key: 'a', json: '1', at: 2 },
      { key: 'b', json: '2', at: 19 },
    ]);
  });

  it.each([
    '- a: é\n  ',
    "- a: 'é'\n  ",
    `- a: ${'é'.repeat(2_000)}\n  `,
    '- a: |\n    é\n  ',
    '- é: 1\n  ',
    '- a:\n    é: 1\n  ',
    '- a: 1\n  # é\n  ',
  ])('says after how many characters, not bytes: %j', (text) => {
    expect(readFastYaml(`${text}b: 1`, 2)?.[1]).toEqual({ key: 'b', json: '1', at: text.length });
  });

  it.each(['# title\n', '\n'])('reads a header at column 0, below %j', (above) => {
    const header = readFastYaml(`${above}format: mcp-record/1\n"x": 1\n`, 0);
    expect(header?.map(({ key }) => key)).toEqual(['format', 'x']);
  });

  it('takes an exponent alone for the text that older cassettes mean', () => {
    expect(read('- client:\n    e1: E0\n    a:\n      - e+12')).toEqual([['client', '{"e1":"E0","a":["e+12"]}']]);
  });

  it('reads no more than one mapping of a text', () => {
    expect(read('- a: 1\n- b: 2')).toBeUndefined();
  });

  it('reads no further than the bytes it is given', () => {
    const bytes = Buffer.from('- a: |\n    x\n    y\n- b: 1\n');
    const first = bytes.subarray(0, '- a: |\n    x\n'.length);
    const fields = new FastYamlReader().read(first, { start: 0, column: 2 });
    expect(fields).toEqual([{ key: 'a', json: '"x\\n"', at: 2 }]);
  });

  it('skips comments on lines of their own, wherever they stand', () => {
    expect(read('- client:\n# one\n    # two\n    a:\n\n          # three\n      b: 1\n  # four')).toEqual([
      ['client', '{"a":{"b":1}}'],
    ]);
  });

  it.each([
    '',
    '- ',
    '- a',
    '- a: 1 # note',
    '-  a: 1',
    '- # note\n  a: 1',
    '- a: 1\n b: 2',
    '- a: 1\n   b: 2',
    '- a: 1\n    - 2',
    '- a: 1\nb: 2',
    '- a: 1\n  a: 2',
    '- é: 1\n  é: 2',
    '- a:\n',
    '- a:\n   b: 1',
    '- a:\n      b: 1',
    '- a:\n  - 1',
    '- a:\n    - 1\n    b: 2',
    '- a:\n    b: 1\n    - 2',
    '- a:\n    -\n      1',
    '- a:\n    - 1\n      - 2',
    '- a:\n    b: 1\n      c: 2',
    '- a:\n    b:\n  c: 1',
    '- a: [1]',
    '- a: {b: 1}',
    '- a: "x\n    y"',
    '- a: x\n    y',
    '- &x a: 1',
    '- a: *x',
    '- a: !t 1',
    '- ? a\n  : 1',
    '- 1: 2',
    '- true: 1',
    '- a :1',
    '- a:  1',
    '- a: 1 ',
    '- a:\tb',
    '- a: b: 1',
    '- a: b:  c: 1',
    '- a\n\n    b: 1',
    '- a:\n    x 1',
    '- a:\n    -x1',
    '- a:\n    - 1\n    x b',
    '- a: |+\n    x',
    '- "a"x 1',
    '- "a"x "b: c"',
    '\t- a: 1',
  ])('leaves %j to others', (text) => {
    expect(readFastYaml(text, 2)).toBeUndefined();
    expect(readIn(new FastYamlReader(), text)).toBeUndefined();
  });

  it.each(['- a: \ud800', '- \ud800: é'])('leaves %j to others, as UTF-8 has no half a character', (text) => {
    expect(readFastYaml(text, 2)).toBeUndefined();
  });

  it.each(['', '# note\n', 'a', 'a\n  b: 1'])('leaves the header %j, which has no keys, to others', (text) => {
    const reader = new FastYamlReader();
    readIn(reader, '- a: 1');
    expect(readIn(reader, text, 0)).toBeUndefined();
    expect(readFastYaml(text, 0)).toBeUndefined();
  });

  it.each([
    ['- "a: b": 1', 'a: b', '1'],
    ["- 'a: b': 1", 'a: b', '1'],
    ['- "a\\"\\\\b": 1', 'a"\\b', '1'],
    ['- "a b":\n    c: 1', 'a b', '{"c":1}'],
    ['- ключ:\n    c: 1', 'ключ', '{"c":1}'],
    ['- a:\n    ключ: 1', 'a', '{"ключ":1}'],
  ])('reads the key of %j', (text, key, json) => {
    expect(read(text)).toEqual([[key, json]]);
  });

  it('reads however many stand side by side, which are no deeper for it', () => {
    expect(read(`- a:\n${'    - - 1\n'.repeat(70)}`)).toEqual([['a', JSON.stringify(Array(70).fill([1]))]]);
  });

  it('leaves what is nested too deeply to others', () => {
    const nested = (levels: number) => `- a:\n    ${'- '.repeat(levels)}1`;
    expect(readFastYaml(nested(64), 2)).toBeDefined();
    expect(readFastYaml(nested(65), 2)).toBeUndefined();
  });

  it('tells a repeated key however deeply it is nested', () => {
    const nested = (key: string) => `- a:\n    ${'- '.repeat(63)}b: 1\n${' '.repeat(130)}${key}: 2`;
    expect(readFastYaml(nested('c'), 2)).toBeDefined();
    expect(readFastYaml(nested('b'), 2)).toBeUndefined();
  });

  it('reads one text after the other, whatever the one before was', () => {
    const reader = new FastYamlReader();
    const keys = Array.from({ length: 40 }, (_, n) => `    k${n}: ${n}\n`).join('');
    expect(readIn(reader, `- a:\n${keys}    k0: 0`)).toBeUndefined();
    expect(readIn(reader, '')).toBeUndefined();
    expect(readIn(reader, `- a: ${'x'.repeat(100_000)}`)?.[0]?.json).toHaveLength(100_002);
    expect(readIn(reader, `- ключ: ключ\n  b: ${'é'.repeat(2_000)}\n  c: 1`)).toEqual([
      { key: 'ключ', json: '"ключ"', at: 2 },
      { key: 'b', json: JSON.stringify('é'.repeat(2_000)), at: 15 },
      { key: 'c', json: '1', at: 2021 },
    ]);
    expect(Object.keys(JSON.parse(readIn(reader, `- a:\n${keys}`)![0]!.json))).toHaveLength(40);
  });

  it('reads up to the next dash at the start of a line', () => {
    const text = '- a:\n    - 1\n# note\n\n- b: |\n    é\n- c: 3\n';
    const bytes = Buffer.from(text);
    const reader = new FastYamlReader();
    const all = [];
    for (let start = 0; start < bytes.length; start = reader.end) all.push(reader.read(bytes, { start, column: 2 }));
    expect(all.flat()).toEqual([
      { key: 'a', json: '[1]', at: 2 },
      { key: 'b', json: '"é\\n"', at: 2 },
      { key: 'c', json: '3', at: 2 },
    ]);
  });
});

it('a reader that refused a text reads the next one as a new reader does', () => {
  const reader = new FastYamlReader();
  const texts = ['- a: 1\n', '- a: 1\n  b: {\n', '- a: é\n  b: [x]\n', '- c: 2\n  d: 3\n', 'x', '- e: "é"\n  f: 4\n'];
  for (const text of texts) expect(readFastYaml(text, 2, reader)).toEqual(readFastYaml(text, 2));
});

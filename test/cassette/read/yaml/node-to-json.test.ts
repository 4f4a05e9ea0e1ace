import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { fieldsOf } from '../../../../src/cassette/read/yaml/node-to-json.ts';

function read(text: string, omitted?: string) {
  const document = parseDocument(text, { uniqueKeys: false });
  const fields = fieldsOf(document.contents, document as never, omitted);
  return Array.isArray(fields) ? Object.fromEntries(fields.map(({ key, json }) => [key, json])) : fields.why;
}

describe('YAML as JSON text', () => {
  it('keeps the source of numbers that are JSON, and gives the value of others', () => {
    expect(read('a: 1.0\nb: -0\nc: 1e400\nd: 0x1F\ne: .5\nf: +1')).toEqual({
      a: '1.0',
      b: '-0',
      c: '1e400',
      d: '31',
      e: '0.5',
      f: '1',
    });
  });

  it('reads every shape of a value', () => {
    expect(read('a: [1, {b: ~}]\nc: "x\\x41"\nd: >\n  folded\n  text\ne: true\nf:')).toEqual({
      a: '[1,{"b":null}]',
      c: '"xA"',
      d: '"folded text\\n"',
      e: 'true',
      f: 'null',
    });
  });

  it('takes keys as they are written', () => {
    expect(read('1.0: a\ntrue: b\n"x y": c\n<<: d')).toEqual({
      '1.0': '"a"',
      true: '"b"',
      'x y': '"c"',
      '<<': '"d"',
    });
  });

  it('repeats what an alias stands for', () => {
    expect(read('a: &x [1.0]\nb: *x')).toEqual({ a: '[1.0]', b: '[1.0]' });
  });

  it('leaves a key out when told to', () => expect(read('a: 1\nb: 2', 'b')).toEqual({ a: '1' }));

  it.each([
    ['[1]', 'this is not a mapping of keys to values'],
    ['a: .inf', 'JSON has no number .inf: put it in quotes if it is a text'],
    ['a: !!str 1', 'a cassette has no tags, and here is tag:yaml.org,2002:str'],
    ['a: 1\na: 2', 'the key "a" stands there twice'],
    ['[a]: 1', 'a key is a text, and nothing else'],
    ['a: &a [*a]', 'it is nested deeper than 64 levels'],
    [`a: ${'['.repeat(70)}${']'.repeat(70)}`, 'it is nested deeper than 64 levels'],
    [`a: &a 1\nb: [${'*a,'.repeat(1001)}]`, 'it has more than 1000 aliases'],
  ])('refuses %j', (text, why) => expect(read(text)).toBe(why));
});

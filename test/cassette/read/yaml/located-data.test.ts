import { expect, it } from 'vitest';
import { yamlData } from '../../../../src/cassette/read/yaml/located-data.ts';

const read = (text: string) => yamlData({ file: 'rules.yaml', text, line: 1 });
const TEXT = ['seed: 7', 'faults:', '  - do: cut', '    when: { method: tools/call }', ''].join('\n');

it('YAML is data', () => {
  expect(read(TEXT).value).toEqual({ seed: 7, faults: [{ do: 'cut', when: { method: 'tools/call' } }] });
  expect(read('a: &x [1]\nb: *x\n').value).toEqual({ a: [1], b: [1] });
});

it('each of its values stands somewhere, and what is not there, where it would', () => {
  const { placeOf } = read(TEXT);
  expect(placeOf(['faults'])).toMatchObject({ file: 'rules.yaml', line: 2 });
  expect(placeOf(['faults', 0, 'do'])).toMatchObject({ line: 3 });
  expect(placeOf(['faults', 0, 'when', 'method'])).toMatchObject({ line: 4 });
  expect(placeOf(['faults', 0, 'when', 'tool'])).toMatchObject({ line: 4 });
  expect(placeOf(['faults', 3])).toMatchObject({ line: 2 });
  expect(placeOf([])).toMatchObject({ line: 1 });
});

it('what is no YAML is refused', () => {
  expect(() => read('a: [')).toThrow(/CASSETTE_DAMAGED/);
  expect(() => read('a: 1\n---\nb: 2\n')).toThrow(/CASSETTE_DAMAGED/);
});

it.each([
  ['an alias of nothing', 'a: *none\n', /Unresolved alias/],
  [
    'a bomb of aliases',
    `a: &a [x]\n${'bcd'.replaceAll(
      /./g,
      (key) =>
        `${key}: &${key} [${Array(20)
          .fill(`*${String.fromCharCode(key.charCodeAt(0) - 1)}`)
          .join(', ')}]\n`,
    )}`,
    /Excessive alias count/,
  ],
])('%s is an error of the file', (_, text, why) => {
  expect(() => yamlData({ file: 'a.yaml', text, line: 1 })).toThrow(
    expect.objectContaining({ code: 'CASSETTE_DAMAGED', message: expect.stringMatching(why) }),
  );
});

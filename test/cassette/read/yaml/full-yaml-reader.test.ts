import { describe, expect, it } from 'vitest';
import { yamlCassette, yamlList, yamlMapping } from '../../../../src/cassette/read/yaml/full-yaml-reader.ts';

const source = (text: string) => ({ file: 'a.yaml', text, line: 7 });

describe('what only the yaml package reads', () => {
  it('a mapping, with the place of each key', () => {
    expect(yamlMapping(source('a: 1 # one\nb: {c: 1.0}'))).toEqual([
      { key: 'a', json: '1', at: 0 },
      { key: 'b', json: '{"c":1.0}', at: 11 },
    ]);
  });

  it('a list of mappings', () => {
    expect(yamlList(source('- a: [1, 2]'))).toEqual([[{ key: 'a', json: '[1,2]', at: 2 }]]);
  });

  it('a whole cassette of any shape, aliases too', () => {
    expect(yamlCassette(source('{"events": [{"a": &x 1}, {"b": *x}], "format": "f"}'))).toEqual({
      header: [{ key: 'format', json: '"f"', at: 37 }],
      events: [
        { fields: [{ key: 'a', json: '1', at: 13 }], at: 12 },
        { fields: [{ key: 'b', json: '1', at: 26 }], at: 25 },
      ],
    });
    expect(yamlCassette(source('events:\nformat: f')).events).toEqual([]);
    expect(yamlCassette(source('format: f')).events).toBeUndefined();
  });

  it.each([
    ['a: "open', 'missing closing "quote. [CASSETTE_DAMAGED]\n  at a.yaml:7:9'],
    ['a: 1\n b: 2', 'CASSETTE_DAMAGED]\n  at a.yaml:8:2\n'],
    ['a: 1\r\n\r\n   b:', 'CASSETTE_DAMAGED]\n  at a.yaml:9:4\n'],
    ['a: b: 2\n', 'CASSETTE_DAMAGED]\n  at a.yaml:7:4\n'],
    ['a: b: 2\n c: 2', 'CASSETTE_DAMAGED]\n  at a.yaml:7:4\n'],
    ['a: !x 1', 'unresolved tag: !x'],
    ['a: 1\n--- \nb: 2', 'CASSETTE_DAMAGED'],
    ['', 'this is not a mapping'],
  ])('refuses %j', (text, message) => expect(() => yamlMapping(source(text))).toThrow(message));

  it('refuses what is nested too deeply to be read', () => {
    for (const nested of ['[', '{a: ', '- ', '? ', '[{a: '])
      expect(() => yamlMapping(source(nested.repeat(20_000)))).toThrow('it is nested deeper than 64 levels');
  });

  it('refuses events that are no list', () => {
    expect(() => yamlCassette(source('events: 1'))).toThrow('this is not a list of events');
    expect(() => yamlCassette(source('- 1'))).toThrow('this is not a mapping');
  });
});

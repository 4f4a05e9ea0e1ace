import { describe, expect, it } from 'vitest';
import { Splitter } from '../../src/cassette/splitter.ts';

const TAPE =
  '# title\nformat: f\nevents:\n# note\n\n- a: 1\n  b: |-\n    - no item\n\n    x\n- c: 2\n-x: 3\n- - 4\n- end: complete\n';

function split(pieces: string[]) {
  const splitter = new Splitter('a.yaml');
  const items = pieces.flatMap((piece) => splitter.push(piece));
  return {
    header: splitter.header,
    items: items.map(({ line, text }) => [line, text]),
    rest: splitter.rest(),
  };
}

describe('a tape cut into events', () => {
  const whole = split([TAPE]);

  it('begins each at a dash that starts its line', () => {
    expect(whole).toEqual({
      header: { file: 'a.yaml', text: '# title\nformat: f\n', line: 1 },
      items: [
        [6, '- a: 1\n  b: |-\n    - no item\n\n    x\n'],
        [11, '- c: 2\n-x: 3\n'],
        [13, '- - 4\n'],
      ],
      rest: { file: 'a.yaml', text: '- end: complete\n', line: 14 },
    });
  });

  it('is the same wherever the text was cut', () => {
    for (let cut = 0; cut <= TAPE.length; cut++)
      expect(split([TAPE.slice(0, cut), TAPE.slice(cut)])).toEqual(whole);
    expect(split([...TAPE])).toEqual(whole);
  });

  it('has no header where no dash follows "events:"', () => {
    for (const text of [
      '',
      'hello',
      'events:',
      'events:\n',
      'events:\n-',
      'events: []\n',
      'events:\n  - a: 1\n',
      '  events:\n- a: 1\n',
    ]) {
      expect(split([text])).toEqual({
        header: undefined,
        items: [],
        rest: { file: 'a.yaml', text, line: 1 },
      });
    }
  });
});

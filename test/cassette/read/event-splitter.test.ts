import { describe, expect, it } from 'vitest';
import { EventSplitter, eventEnd } from '../../../src/cassette/read/event-splitter.ts';

const TAPE =
  '# title\nformat: f\nevents:\n# note\n\n- a: 1\n  b: |-\n    - no item\n\n    x\n- c: 2\n-x: 3\n- - 4\n- end: complete\n';

function split(pieces: string[]) {
  const splitter = new EventSplitter('a.yaml');
  const runs = pieces.flatMap((piece) => splitter.push(Buffer.from(piece)));
  return {
    header: splitter.header,
    firstLine: splitter.firstLine,
    items: runs.flatMap(itemsOf),
    rest: splitter.rest().toString(),
  };
}

function itemsOf(run: Buffer): string[] {
  const end = eventEnd(run, 0);
  return [run.toString('utf8', 0, end), ...(end < run.length ? itemsOf(run.subarray(end)) : [])];
}

describe('a cassette cut into events', () => {
  const whole = split([TAPE]);

  it('begins each at a dash that starts its line', () => {
    expect(whole).toEqual({
      header: { file: 'a.yaml', text: '# title\nformat: f\n', line: 1 },
      items: ['- a: 1\n  b: |-\n    - no item\n\n    x\n', '- c: 2\n-x: 3\n', '- - 4\n'],
      firstLine: 6,
      rest: '- end: complete\n',
    });
  });

  it('is the same wherever the text was cut', () => {
    for (let cut = 0; cut <= TAPE.length; cut++) expect(split([TAPE.slice(0, cut), TAPE.slice(cut)])).toEqual(whole);
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
        firstLine: 1,
        items: [],
        rest: text,
      });
    }
  });
});

import { describe, expect, it } from 'vitest';
import { checkLinesInBatches } from '../../../src/redact/fast-prefilter/check-lines-in-batches.ts';
import { emptyTrigramTable } from '../../../src/redact/fast-prefilter/trigram-scan.ts';
import { KnownValues } from '../../../src/redact/replace/known-values.ts';

/** Lines that are clean but for the word `dirty`; what was looked at is noted. */
function asking(dirty: string, needles = new KnownValues(emptyTrigramTable())) {
  const looks: string[] = [];
  const isClean = checkLinesInBatches((ascii, start, end) => {
    const seen = Buffer.from(ascii.subarray(start, end)).toString();
    looks.push(seen);
    return !seen.includes(dirty);
  }, needles);
  const ask = (chunk: Buffer) => {
    const answers: boolean[] = [];
    for (let start = 0; start < chunk.length; start = chunk.indexOf(10, start) + 1)
      answers.push(isClean(chunk, start, chunk.indexOf(10, start)));
    return answers;
  };
  return { looks, isClean, ask };
}

describe('looking ahead', () => {
  it('looks once at all lines that came together, where all are clean', () => {
    const { looks, ask } = asking('no');
    expect(ask(Buffer.from('a\nb\nc\n'))).toEqual([true, true, true]);
    expect(looks).toEqual(['a\nb\nc\n']);
  });

  it('looks at each where one is not', () => {
    const { looks, ask } = asking('no');
    expect(ask(Buffer.from('a\nno\nc\n'))).toEqual([true, false, true]);
    expect(looks).toEqual(['a\nno\nc\n', 'a', 'no', 'c']);
  });

  it('looks once at a line that came alone', () => {
    const { looks, ask } = asking('no');
    expect(ask(Buffer.from('no\n'))).toEqual([false]);
    expect(looks).toEqual(['no']);
  });

  it('looks anew at other bytes, also where they took the place of those before', () => {
    const { ask } = asking('no');
    const chunk = Buffer.from('aa\nbb\ncc\n');
    expect(ask(chunk)).toEqual([true, true, true]);
    expect(ask(Buffer.from('aa\nno\n'))).toEqual([true, false]);
    expect(ask(chunk)).toEqual([true, true, true]);
    chunk.write('no', 3);
    expect(ask(chunk)).toEqual([true, false, true]);
  });

  it('looks anew as soon as a secret is learnt', () => {
    const needles = new KnownValues(emptyTrigramTable());
    const { looks, isClean } = asking('no', needles);
    const chunk = Buffer.from('a\nb\nc\n');
    expect(isClean(chunk, 0, 1)).toBe(true);
    needles.add('hunter2hunter', () => '[redacted:x:1]');
    expect([isClean(chunk, 2, 3), isClean(chunk, 4, 5)]).toEqual([true, true]);
    expect(looks).toEqual(['a\nb\nc\n', 'b\nc\n']);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noPoints, unreachedFaultsAdvice } from '../../../src/cli/sweep/sweep-options.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();

it('a cassette without points: the last recording beside it is named, if there is one', () => {
  const [file, second, third] = ['session.yaml', 'session-2.yaml', 'session-3.yaml'].map((name) => join(folder, name));
  const message = () =>
    noPoints({ file: file!, shard: undefined, why: 'its client makes no call', next: 'Record.' }).message;
  writeFileSync(file!, '');
  expect(message()).not.toContain('later recording');
  writeFileSync(second!, '');
  writeFileSync(third!, '');
  expect(message()).toContain(`Record. A later recording is in ${third}.`);
  const part = noPoints({ file: file!, shard: '3/3', why: '', next: 'Record.' });
  expect(part.message).not.toContain('later recording');
});

describe('faults that would change nothing are named with the option that leaves them out', () => {
  const of = (faults?: string, point: string[] = []) => ({ point, ...(faults !== undefined && { faults }) });
  const result = (name: string, verdict: string, why?: string) => ({
    point: { name, fault: name.split('@', 1)[0]! },
    verdict,
    ...(why !== undefined && { why }),
  });
  const vain = (name: string) => result(name, 'unreached', 'the fault changed nothing: no other message');
  const ended = result('cut@2', 'unreached', 'it ended with 1 before the fault happened');
  const results = [
    result('cut@1', 'passed'),
    ended,
    vain('reorder@1'),
    vain('token-refused@1'),
    vain('token-refused@2'),
  ];

  it('also those that are named, or among the defaults', () => {
    const text = 'Nothing was tested with reorder, token-refused: see why above. To leave them out: --faults';
    expect(unreachedFaultsAdvice(of('all,-clog'), results)).toBe(`${text} all,-clog,-reorder,-token-refused`);
    expect(unreachedFaultsAdvice(of('-clog'), results)).toBe(`${text} -clog,-reorder,-token-refused`);
    expect(unreachedFaultsAdvice(of(), results)).toBe(`${text} -reorder,-token-refused`);
    expect(unreachedFaultsAdvice(of('cut:after=5,reorder,token-refused'), results)).toBe(`${text} cut:after=5`);
    expect(unreachedFaultsAdvice(of('+reorder,token-refused'), results)).toBe(`${text} cut`);
    expect(unreachedFaultsAdvice(of('reorder'), [vain('reorder@1')])).toBe(
      'Nothing was tested with reorder: see why above. Choose other faults',
    );
  });

  it('also if they happen at some messages, which have a sweep of their own', () => {
    const some = [
      result('cut@1', 'passed'),
      vain('reorder@1'),
      result('reorder@2', 'passed'),
      result('reorder@3', 'hung'),
    ];
    expect(unreachedFaultsAdvice(of('all'), some)).toBe(
      'reorder could not happen at each message: see why above. To leave it out: --faults all,-reorder. For the 2 where it happens, a sweep of their own: --point reorder@2 --point reorder@3',
    );
  });

  it('but not where the client ended before, or points are named', () => {
    expect(unreachedFaultsAdvice(of('all'), results.slice(0, 2))).toBeUndefined();
    expect(unreachedFaultsAdvice(of(undefined, ['reorder@1']), results)).toBeUndefined();
  });
});

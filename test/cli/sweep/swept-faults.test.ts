import { describe, expect, it } from 'vitest';
import {
  allFaultsOn,
  checkFaultCase,
  isNoticeable,
  leftOutFaults,
  sweptFaults,
  sweptPairs,
  withoutPoint,
} from '../../../src/cli/sweep/swept-faults.ts';
import { misbehaviourCases } from '../../../src/sweep/server/misbehaviour-cases.ts';
import { misbehavioursOver } from '../../../src/sweep/server/misbehaviour-table.ts';
import { misbehaviourPair, pairRules } from '../../../src/sweep/server/two-misbehaviours-per-session.ts';
import { session } from '../../sweep/server/swept-server.ts';

const defaults = ['cut', 'drop'];
const swept = (faults: string | undefined, ...point: string[]) => sweptFaults({ faults, point, defaults });

it.each([
  ['the defaults', undefined, [{ name: 'cut' }, { name: 'drop' }]],
  ['some', 'drop,latency', [{ name: 'drop' }, { name: 'latency' }]],
  ['the defaults and one more', '+latency', [{ name: 'cut' }, { name: 'drop' }, { name: 'latency' }]],
  [
    'one with parameters, among others',
    'cut, latency:delay=3000,jitter=5,drop',
    [{ name: 'cut' }, { name: 'latency', params: { delay: 3000, jitter: 5 } }, { name: 'drop' }],
  ],
  ['one as --fault takes it', 'latency::delay=3', [{ name: 'latency', params: { delay: 3 } }]],
  ['the defaults but one', '-cut', [{ name: 'drop' }]],
  ['a default with parameters', '+cut:bytes=3', [{ name: 'cut', params: { bytes: 3 } }, { name: 'drop' }]],
  ['one with a number alone', 'latency:100', [{ name: 'latency', params: { delay: 100 } }]],
  [
    'one with several parameters',
    'latency,latency:100,latency:delay=100,jitter=5',
    [
      { name: 'latency' },
      { name: 'latency', params: { delay: 100 }, row: 'latency:delay=100' },
      { name: 'latency', params: { delay: 100, jitter: 5 }, row: 'latency:delay=100,jitter=5' },
    ],
  ],
  [
    'a default with and without parameters',
    '+cut,cut:bytes=3',
    [{ name: 'cut' }, { name: 'cut', params: { bytes: 3 }, row: 'cut:bytes=3' }, { name: 'drop' }],
  ],
  ['the same one twice', 'latency,drop,latency:delay=1000,latency', [{ name: 'latency' }, { name: 'drop' }]],
])('--faults names %s', (_, text, faults) => {
  expect(swept(text)).toEqual(faults);
});

it('a point brings its fault along', () => {
  expect(swept('drop', 'latency@3', 'drop@1')).toEqual([{ name: 'drop' }, { name: 'latency' }]);
  expect(swept(undefined, 'cut@1')).toEqual([{ name: 'cut' }, { name: 'drop' }]);
  const slower = { name: 'latency', params: { delay: 100 }, row: 'latency:delay=100' };
  expect(swept('latency', 'latency:delay=100@3')).toEqual([{ name: 'latency' }, slower]);
  expect(swept('latency:100', 'latency:delay=100@3')).toEqual([slower]);
  const asByDefault = { name: 'latency', params: { delay: 1000 }, row: 'latency:delay=1000' };
  expect(swept('latency', 'latency:delay=1000@3')).toEqual([{ name: 'latency' }, asByDefault]);
  expect(swept('latency:100', 'latency@3')).toEqual([{ name: 'latency', params: { delay: 100 } }]);
});

it('a fault that the client cannot notice is refused', () => {
  const point = { name: 'slow-reader@2', fault: 'slow-reader', params: { rate: 1 }, message: 2, line: 5, title: '' };
  expect(() => checkFaultCase(point, 'stdio')).toThrow(/slow-reader@2.*noticed by its sender alone/s);
  expect(() => checkFaultCase({ ...point, fault: 'throttle' }, 'stdio')).not.toThrow();
});

it.each([
  ['unknown', 'ctu', 'Did you mean "cut"?'],
  ['unknown, with a parameter', 'ctu:bytes=3', 'there is no fault "ctu:bytes=3"'],
  ['with a method', 'latency:tools/call:delay=5', 'A sweep chooses the messages itself.'],
  ['with a value alone', 'cut:3000', 'Write --faults cut, or cut:parameter=value.'],
  ['with a word alone', 'latency:slow', 'Write --faults latency, or latency:parameter=value.'],
  ['after nothing', '+', 'there is no fault ""'],
  ['with a minus beside others', '-cut,latency', 'some faults have a minus, and others have none'],
  ['with a minus after a plus', '+latency,-cut', 'some faults have a minus, and others have none'],
  ['with a minus, and is misspelt', '-ctu', 'Did you mean "-cut"?'],
  ['with a minus, and is no default fault', '-latency', '"latency" is none of the faults of this sweep'],
  ['with a minus and parameters', '-cut:bytes=3', '"cut:bytes=3" is none of the faults'],
  ['with a minus, as are all others', '-cut,-drop', 'no fault is left'],
  ['without a change to make', 'patch', 'without a change to make, patch tests nothing'],
  ['as an object', '{ do: patch, merge: { id: 1 } }', 'an object or a list has no short form'],
])('a fault that is named %s is refused', (_, text, reason) => {
  expect(() => swept(text)).toThrow(reason);
});

describe('a fault that --faults names, and that no message of the server can have', () => {
  const points = [{ fault: 'cut' }];
  const vain = (faults: string | undefined) => withoutPoint(swept(faults), points, faults);

  it('is none that it leaves out, nor one of the others', () => {
    expect(vain('-drop')).toBeUndefined();
    expect(vain('-cut')).toBeUndefined();
  });

  it('is a fault of the messages of a client: --server, and late, are named', () => {
    expect(vain('cancel')?.why).toBe('"cancel" is a fault of the messages of a client, and here a client is tested');
    expect(vain('cut,cancel')?.next).toMatch(
      /^To test a server, add --server: .* --faults cancel .*--faults late tests\.$/,
    );
    expect(vain('+ignore-cancel')?.next).toMatch(/ --fault ignore-cancel FILE, .*--faults late tests\.$/);
  });

  it('is another fault: the cassette needs such messages', () => {
    expect(vain('progress')?.why).toBe('no message of its server can have the fault progress');
    expect(vain('insufficient-scope')?.why).toBe('no request of its client can have the fault insufficient-scope');
  });

  it('has no place in any sweep: the command that tries it is named', () => {
    expect(vain('slow-close')?.why).toMatch(/^a sweep has no place for "slow-close"/);
    expect(vain('slow-close')?.next).toContain('mcp-record replay --fault slow-close FILE, ');
    expect(vain('oauth-error')?.next).toContain('mcp-record replay --http --auth --fault oauth-error FILE, ');
  });

  it('is no problem for a default, or where the fault has a message', () => {
    expect([vain(undefined), vain('cut'), vain('+cut')]).toEqual([undefined, undefined, undefined]);
  });
});

describe('pairs of misbehaviours', () => {
  const cases = misbehaviourCases(session, misbehavioursOver('stdio'));
  const { draw, whyNot } = pairRules(session, 'stdio');
  const given = {
    file: 'c.yaml',
    cases,
    side: 'client',
    draw: (options: { count: number; seed: number }) => draw(cases, options),
    pairOf: misbehaviourPair,
    whyNot,
  } as const;
  const namesOf = (options: { pairs?: string; seed?: string; shard?: string; point?: string[] }) =>
    sweptPairs(given, { point: [], ...options }).points.map(({ name }) => name);

  it('are found by the parts of a sweep as by the whole', () => {
    const whole = namesOf({ pairs: '50', seed: '3' });
    const parts = [1, 2, 3, 4].flatMap((part) => namesOf({ pairs: '50', seed: '3', shard: `${part}/4` }));
    expect(new Set(whole).size).toBe(50);
    expect(parts.sort()).toEqual(whole.sort());
    const { head } = sweptPairs(given, { point: [], pairs: '50', seed: '3', shard: '1/4' });
    expect(head).toMatch(/^13 of 50 of [\d ,]+ pairs, drawn with --seed 3$/);
  });

  it('are at most 100 000', () => {
    expect(() => namesOf({ pairs: '100001' })).toThrow(/at most 100.000 pairs/);
  });

  it('are named in their order', () => {
    expect(namesOf({ point: ['junk@3+slice@4'] })).toEqual(['junk@3+slice@4']);
    expect(() => namesOf({ point: ['slice@4+junk@3'] })).toThrow(/Write --point junk@3\+slice@4/);
    expect(() => namesOf({ point: ['leave@3+junk@4'] })).toThrow(/the client has left after leave@3/);
  });
});

it('--faults all are the faults of the transport, and those without a message are named', () => {
  const all = allFaultsOn('stdio', defaults);
  expect(all.slice(0, 2)).toEqual(defaults);
  expect(all).toEqual(expect.arrayContaining(['latency', 'stderr-flood', 'ignore-cancel']));
  for (const other of ['reset', 'patch']) expect(all).not.toContain(other);
  expect(allFaultsOn('http', defaults)).toContain('reset');
  const named = sweptFaults({ faults: 'all', point: [], defaults, all });
  expect(named).toEqual(all.map((name) => ({ name })));
  const points = all.filter((name) => name !== 'progress').map((fault) => ({ fault }));
  expect(leftOutFaults(named, points)).toBe('left out, since no message of this session can have them: progress');
  expect(
    leftOutFaults(
      named,
      all.map((fault) => ({ fault })),
    ),
  ).toBeUndefined();
});

it('--faults all can do without some, and takes no others', () => {
  const all = ['cut', 'stall', 'coalesce', 'reorder'];
  const named = (faults: string) => sweptFaults({ faults, point: [], defaults: ['cut'], all }).map(({ name }) => name);
  expect(named('all,-coalesce, -reorder')).toEqual(['cut', 'stall']);
  expect(() => named('all,latency')).toThrow(/all has every fault already/);
  expect(() => named('all,-latency')).toThrow(/"latency" is none of the faults of this sweep/);
});

it('a fault that the tested client cannot notice is told apart', () => {
  const point = { name: 'p', message: 1, line: 1, title: 't' };
  expect(isNoticeable({ ...point, fault: 'cut' }, 'stdio')).toBe(true);
  expect(isNoticeable({ ...point, fault: 'slow-reader', params: { rate: 10 } }, 'stdio')).toBe(false);
  expect(() => isNoticeable({ ...point, fault: 'slow-reader' }, 'stdio')).toThrow('"rate" is missing');
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/match/canonical-json.ts';
import { ExactNumber } from '../../src/match/exact-json-value.ts';
import { without } from '../../src/match/ignore-rules.ts';
import { describeDifference, differences } from '../../src/match/json-difference.ts';
import { fuzzed } from '../support/fuzz.ts';
import { jsonValue } from '../support/json.ts';

const paths = (recorded: unknown, live: unknown) => differences(recorded, live).map(({ path }) => path);

describe('differences', () => {
  it('are none between a value and itself', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(differences(value, structuredClone(value))).toEqual([]);
      }),
    );
  });

  it('are some exactly where two values are not equal', () => {
    fc.assert(
      fc.property(jsonValue, jsonValue, (a, b) => {
        expect(differences(a, b).length > 0).toBe(canonicalJson(a) !== canonicalJson(b));
      }),
      fuzzed(2_000),
    );
  });

  it('name paths that, once ignored, leave no difference: the advice of a miss helps', () => {
    fc.assert(
      fc.property(jsonValue, jsonValue, (a, b) => {
        const ignored = paths(a, b);
        expect(canonicalJson(without(a, ignored))).toBe(canonicalJson(without(b, ignored)));
      }),
      fuzzed(2_000),
    );
  });

  it('are listed where they are, with both values, or with the one that is there', () => {
    expect(differences({ a: [1, { b: 2 }], gone: 0 }, { a: [1, { b: 3 }, 'more'], new: null })).toStrictEqual([
      { path: '/a/1/b', recorded: 2, live: 3 },
      { path: '/a/2', live: 'more' },
      { path: '/gone', recorded: 0 },
      { path: '/new', live: null },
    ]);
  });

  it('are none where both sides have nothing', () => {
    expect(paths([undefined, 1, undefined], [undefined, 2])).toEqual(['/1']);
  });

  it('stop where the kinds differ', () => {
    expect(paths({ a: { b: 1 } }, { a: [1] })).toEqual(['/a']);
    expect(paths([], {})).toEqual(['']);
    expect(paths(null, {})).toEqual(['']);
  });

  it('escape what a pointer would take for its own', () => {
    expect(paths({ 'a/b': 1, 'm~n': 1 }, {})).toEqual(['/a~1b', '/m~0n']);
  });

  it('compare big numbers by value', () => {
    expect(paths([new ExactNumber('1e400')], [new ExactNumber('1e400')])).toEqual([]);
    expect(paths([new ExactNumber('1e400')], [new ExactNumber('1e401')])).toEqual(['/0']);
    expect(paths([new ExactNumber('1e400')], [{ digits: '1e400' }])).toEqual(['/0']);
  });

  it.each(['constructor', 'toString', '__proto__'])('take a key "%s" for a key', (key) => {
    const odd = JSON.parse(`{"${key}":1}`);
    expect(differences({}, odd)).toEqual([{ path: `/${key}`, live: 1 }]);
    expect(differences(odd, {})).toEqual([{ path: `/${key}`, recorded: 1 }]);
    expect(differences(odd, {}).map(describeDifference)).toEqual([`/${key} (1 → nothing)`]);
  });
});

describe('a difference in words', () => {
  it('shows the path and both values', () => {
    expect(describeDifference({ path: '/params/arguments/b', recorded: 3, live: 4 })).toBe(
      '/params/arguments/b (3 → 4)',
    );
    expect(describeDifference({ path: '', live: {} })).toBe('/ (nothing → {})');
  });

  it('cuts what is long', () => {
    expect(describeDifference({ path: '/a', live: 'x'.repeat(38) })).toBe(`/a (nothing → "${'x'.repeat(38)}")`);
    const text = describeDifference({
      path: '/a',
      recorded: 'x'.repeat(1_000),
      live: new ExactNumber('1e400'),
    });
    expect(text).toBe(`/a ("xxxx… → 1e400)`);
    const words = describeDifference({ path: '/a', recorded: `${'x '.repeat(15)}${'y'.repeat(15)}`, live: 1 });
    expect(words).toBe(`/a ("${'x '.repeat(15)}${'y'.repeat(9)}… → 1)`);
  });

  it('shows only the beginning of a token that is cut, which no redaction would recognize', () => {
    const token = `ghp_${'aZ09'.repeat(9)}`;
    for (const live of [token, `the key is ${token}`, { authorization: `Bearer ${token}` }])
      expect(describeDifference({ path: '/a', live })).toContain('ghp_…)');
  });
});

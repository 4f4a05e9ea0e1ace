import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../../src/cassette/cassette.ts';
import { BAD_INPUT } from '../../../../src/sweep/server/inputs/input-verdict.ts';
import type { InputResult } from '../../../../src/sweep/server/inputs/sweep-inputs.ts';
import { fixture } from '../../../support/process.ts';
import { overStdio, sessionOf, sweepInputsOf } from './swept-inputs.ts';

const said = ({ point, verdict, why }: InputResult) => `${point.name} ${verdict}: ${why}`;

/** Sweeps a server with some seeds, and returns the results. */
async function resultsOf(sdk: string, seeds: readonly number[]): Promise<InputResult[]> {
  const program = fixture('swept-sdk-tools.js', sdk);
  const played: Cassette = await sessionOf(program, [['greet', { name: 'Ada' }, 'Hello, Ada']]);
  const target = overStdio(program);
  const found: InputResult[] = [];
  for (const seed of seeds) found.push(...(await sweepInputsOf(target, { played, seed, deadline: 5_000 })));
  return found;
}

describe('a server on an official SDK is not accused of anything', { timeout: 240_000 }, () => {
  it.each(['sdk-1', 'sdk-2'])('%s with Zod 4', async (sdk) => {
    const results = await resultsOf(sdk, [1, 2, 3]);
    expect(results.filter(({ verdict }) => !['passed', 'refused'].includes(verdict)).map(said)).toEqual([]);
    expect(results.length).toBeGreaterThan(40);
  });

  it('sdk-1 with Zod 3, whose schemas forbid what it ignores', async () => {
    const results = await resultsOf('sdk-1-zod-3', [1]);
    expect(results.filter(({ verdict }) => BAD_INPUT.has(verdict)).map(said)).toEqual([]);
    const ignored = results.filter(({ verdict }) => verdict === 'ignored');
    expect(ignored.map(({ point }) => point.fault)).toEqual(ignored.map(() => 'additional-property'));
    expect(ignored.length).toBeGreaterThan(0);
  });
});

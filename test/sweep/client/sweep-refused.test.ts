import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';
import { sweepsOf } from './sweeps.ts';

const cassette = join(temporaryFolder(), 'cassette.yaml');
sweepsOf(cassette);

describe('a sweep is refused', () => {
  it.each([
    ['a client that is not there', ['--', 'no-such-client'], 'COMMAND_NOT_FOUND'],
    ['a client that hangs by itself', ['--deadline', '300', '--', 'sleep', '600'], 'SWEEP_BASELINE'],
    ['a client that fails by itself', ['--', 'false'], 'SWEEP_BASELINE'],
    ['an unknown fault', ['--faults', 'ctu', '--', 'true'], 'USAGE_BAD_SWEEP'],
    ['a fault with a method', ['--faults', 'latency:tools/call:delay=5', '--', 'true'], 'USAGE_BAD_SWEEP'],
    ['a parameter that is none', ['--faults', 'latency:dely=5', '--', 'true'], 'FAULT_BAD_RULE'],
    ['a fault of HTTP over stdio', ['--faults', 'reset', '--', 'true'], 'FAULT_NO_MEANING'],
    ['a fault of stdio over HTTP', ['--http', '--faults', 'stderr-flood', '--', 'true'], 'FAULT_NO_MEANING'],
    ['a client over HTTP that fails by itself', ['--http', '--', 'false'], 'SWEEP_BASELINE'],
    ['an unknown point', ['--point', 'cut@99', '--', 'true'], 'USAGE_BAD_SWEEP'],
    ['a shard that is none', ['--shard', '3/2', '--', 'true'], 'USAGE_BAD_SWEEP'],
    ['no jobs', ['--jobs', '0', '--', 'true'], 'USAGE_BAD_SWEEP'],
  ])('for %s', async (_, [...args], code) => {
    const split = args.indexOf('--');
    const command = mcpRecord('sweep', ...args.slice(0, split), cassette, ...args.slice(split));
    const { stderr, status } = await run(command);
    expect([stderr, status]).toEqual([expect.stringContaining(`[${code}]`), 2]);
  });
});

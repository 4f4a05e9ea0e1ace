import { expect, it } from 'vitest';
import { playControls } from '../../../../src/sweep/server/judge/control-cases.ts';
import type { Attempt } from '../../../../src/sweep/server/judge/evidence-types.ts';
import { misbehaviourCases } from '../../../../src/sweep/server/misbehaviour-cases.ts';
import { three } from '../orders/three-calls.ts';

async function controlsOf(fault: string, transport: 'stdio' | 'http') {
  const point = misbehaviourCases(three, [fault], transport).find(({ message }) => message === 4)!;
  const played: string[] = [];
  await playControls([point], (cases) => {
    played.push(...cases.map(({ misbehaviour }) => misbehaviour.name));
    return Promise.resolve({} as Attempt);
  });
  return played;
}

it.each([
  ['duplicate', 'stdio', ['ask-again']],
  ['cancel', 'http', ['leave-out', 'ask-again']],
  ['latency', 'http', []],
  ['slice', 'http', []],
  ['out-of-order', 'stdio', ['leave-out']],
] as const)('after %s over %s, other answers are compared with those of %j', async (fault, transport, controls) => {
  expect(await controlsOf(fault, transport)).toEqual(controls);
});

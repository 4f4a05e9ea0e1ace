import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/faults/fault.ts';
import { FAULTS } from '../../src/faults/fault-table.ts';
import { observe } from '../../src/faults/messages/observe.ts';
import type { Rule } from '../../src/faults/rules/fault-rule.ts';
import { parseShortRule } from '../../src/faults/rules/parse-fault-rules.ts';
import { reorder } from '../../src/faults/timing/reorder.ts';
import { faulty, hearing, latin1, observed, post } from '../scenario/faulty.ts';
import { plain, rows } from '../scenario/rows.ts';
import { ANSWER, CALL, liveServer, replayedServer } from '../scenario/servers.ts';

describe.each([
  ['live', liveServer],
  ['replayed', replayedServer],
])('a %s server', (_, start) => {
  describe.each(rows)('with $fault', ({ fault, first, asked = 1, ...expected }) => {
    it.each(['json', 'sse'] as const)('answers a raw client in its own way: %s', async (form) => {
      await using far = await start(form);
      await using line = await faulty(far, [parseShortRule(fault, 'http')]);
      using client = line.client().says(post(CALL));
      if (first) {
        const isOfEvery = fault.includes('::');
        await line.firing(isOfEvery && form === 'sse' ? 2 : 1);
        await hearing(client, first[form]);
        await line.passing(client.left);
      }
      expect(await observed(client)).toBe(expected[form]);
      expect(far.heard.length).toBe(asked);
      expect(line.troubles).toEqual([]);
    });
  });

  it('passes on the body of a request that is no message', async () => {
    await using far = await start('json');
    await using line = await faulty(far, []);
    using client = line.client().says(post('{ half a message'));
    await observed(client);
    expect(far.heard).toEqual(['POST { half a message']);
  });

  it.each(['json', 'sse'] as const)('passes as it is where no rule fires, whatever the rule: %s', async (form) => {
    await using far = await start(form);
    const rules = [...FAULTS.values()]
      .filter(({ transports }) => transports.includes('http'))
      .map((kind): Rule => ({ fault: { kind, values: requiredOf(kind) }, when: { tool: 'another' } }));
    await using line = await faulty(
      far,
      rules.filter(({ fault }) => fault.kind.name !== 'down'),
    );
    using client = line.client().says(post(CALL));
    expect(await observed(client)).toBe(plain[form]);
    expect(line.fired).toEqual([]);
  });
});

it('reorder swaps the frames of a stream, and of several, each with the end of its own', async () => {
  await using far = await liveServer('sse');
  await using swapped = await faulty(far, [reorder()]);
  using alone = swapped.client().says(post(CALL));
  expect(await observed(alone)).toBe('200 sse «data: ANSWER⏎⏎» «data: PROGRESS⏎⏎» . end');

  await using bodies = await liveServer('json');
  // A rule that fires at once says when the first answer is held.
  await using line = await faulty(bodies, [observe(), reorder()]);
  using first = line.client().says(post(CALL));
  await line.firing(1);
  expect(first.heard).toBe('');
  using second = line.client().says(post(CALL.replace('"id":1', '"id":2')));
  expect(await observed(second)).toBe(`200 json 47/47 ${latin1(ANSWER).replace(':1,', ':2,')} end`);
  expect(await observed(first)).toBe(plain.json);
});

function requiredOf({ params }: Fault['kind']): Record<string, unknown> {
  const required = { delay: 5, for: 5, rate: 100, status: 500 };
  return {
    ...Object.fromEntries(Object.entries(params).map(([key, { fallback }]) => [key, fallback])),
    ...required,
  };
}

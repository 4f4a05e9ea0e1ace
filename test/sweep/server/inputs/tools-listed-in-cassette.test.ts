import { expect, it } from 'vitest';
import { listedTools } from '../../../../src/sweep/server/inputs/tools-listed-in-cassette.ts';
import { call, cassette, client, request, server } from '../../../support/conversation.ts';

const list = (id: number, tools: unknown) => [
  client(request(id, 'tools/list')),
  server({ jsonrpc: '2.0', id, result: { tools } }),
];
const toolsOf = (...annotations: (object | undefined)[]) =>
  listedTools(
    cassette(
      ...list(
        1,
        annotations.map((one, index) => ({ name: `t${index}`, annotations: one })),
      ),
    ),
  );

it('a tool is destructive unless it says that it only reads, or removes nothing', () => {
  const tools = toolsOf(
    undefined,
    {},
    { readOnlyHint: false },
    { readOnlyHint: true },
    { destructiveHint: false },
    { readOnlyHint: true, destructiveHint: true },
    { readOnlyHint: 'true', destructiveHint: 0 },
  );
  expect(tools.map(({ isDestructive }) => isDestructive)).toEqual([true, true, true, false, false, true, true]);
});

it('tools are those of all pages, in their last definition, with what they were called with', () => {
  const played = cassette(
    ...list(1, [{ name: 'a', inputSchema: 1 }, { name: 'b' }, 'none', { name: 3 }]),
    ...list(2, [{ name: 'c' }, { name: 'a', inputSchema: 2 }]),
    client(call(3, 'a', { x: 1 })),
    ...list(4, 'none'),
  );
  expect(
    listedTools(played).map(({ name, position, inputSchema, recorded }) => [name, position, inputSchema, recorded]),
  ).toEqual([
    ['a', 1, 2, [{ x: 1 }]],
    ['b', 2, undefined, []],
    ['c', 3, undefined, []],
  ]);
});

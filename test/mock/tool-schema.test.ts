import { expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { mockServer, tool } from '../../src/adapters/mock.ts';
import { connectTo, WAYS } from './clients.ts';

const forecast = z.object({ city: z.string(), days: z.number().int().default(3) });

it.each(WAYS)('a tool with a schema of zod is listed and checked, to $client over $over', async ({ client, over }) => {
  const handlers = [
    tool('forecast', ({ city, days }) => ({ said: `${city} ${days.toFixed(1)}` }), {
      inputSchema: forecast,
      outputSchema: z.object({ said: z.string() }),
    }),
  ];
  const server = await mockServer({ over, handlers } as { over: 'http' });
  const peer = await connectTo(server, client);
  const { tools } = (await peer.request('tools/list')) as { tools: unknown[] };
  expect(tools).toMatchObject([
    {
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      outputSchema: { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] },
    },
  ]);
  const call = (args: object) => peer.request('tools/call', { name: 'forecast', arguments: args });
  expect(await call({ city: 'Oslo' })).toMatchObject({ structuredContent: { said: 'Oslo 3.0' } });
  expect(await call({ city: 7, days: 1.5 })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^Input validation error: .*forecast: city: .*; days: /) }],
  });
  await peer.close();
  expect((await server.finish()).failures).toMatchObject([{ kind: 'invalid' }]);
});

it('arguments are checked with a JSON Schema, as a server of the SDK checks them', async () => {
  const inputSchema = {
    type: 'object',
    properties: { a: { type: 'number' }, unit: { enum: ['C', 'F'] } },
    required: ['a'],
  };
  const wrong = { type: 'object', properties: { a: { type: 'numbr' } } };
  const place = `${import.meta.filename}:`;
  const server = await mockServer({
    handlers: [tool('add', ({ a }) => a + 1, { inputSchema }), tool('bad', () => 'x', { inputSchema: wrong })],
  });
  const peer = await connectTo(server, WAYS[0]!.client);
  const call = (name: string, args: object) => peer.request('tools/call', { name, arguments: args });
  expect(await call('add', { a: 1, more: true })).toMatchObject({ content: [{ text: '2' }] });
  expect(await call('add', { a: 'one', unit: 'K' })).toEqual({
    isError: true,
    content: [
      {
        type: 'text',
        text: 'Input validation error: Invalid arguments for tool add: a: must be number; unit: must be equal to one of the allowed values: "C", "F"',
      },
    ],
  });
  expect(await call('bad', { a: 1 })).toMatchObject({ isError: true });
  await peer.close();
  const { failures } = await server.finish();
  expect(failures).toMatchObject([
    { kind: 'invalid', text: expect.stringContaining('a: must be number; unit: must be equal') },
    { kind: 'thrown', text: expect.stringContaining('inputSchema is no JSON Schema') },
  ]);
  for (const { text } of failures) expect(text).toContain(place);
});

it('the arguments of a handler have the type that the schema describes', () => {
  tool('a', (args) => expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>(), { inputSchema: forecast });
  const inputSchema = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      unit: { enum: ['C', 'F'] },
      days: { type: 'array', items: { type: 'integer' } },
      more: { description: 'anything' },
    },
    required: ['city', 'unit'],
  } as const;
  tool(
    'b',
    (args) => {
      expectTypeOf(args.city).toEqualTypeOf<string>();
      expectTypeOf(args.unit).toEqualTypeOf<'C' | 'F'>();
      expectTypeOf(args.days).toEqualTypeOf<number[] | undefined>();
      expectTypeOf(args.more).toBeAny();
      // @ts-expect-error: it has no such argument.
      void args.town;
    },
    { inputSchema },
  );
  tool('c', ({ anything }) => expectTypeOf(anything).toBeAny());
  tool('d', ({ anything }) => expectTypeOf(anything).toBeAny(), {
    inputSchema: { type: 'object' } as Record<string, unknown>,
  });
  tool<{ a: number }>('e', ({ a }) => expectTypeOf(a).toEqualTypeOf<number>(), { inputSchema: { type: 'object' } });
});

it.each([
  ['of a version that cannot say itself', z3.object({ a: z3.string() }), 'zod 4.2'],
  ['of members alone', { city: z.string() }, 'z.object('],
  ['of a text', z.string(), 'its type is "string"'],
  ['of a list', { type: 'array' }, 'its type is "array"'],
  ['of anything', {}, 'its type is not said'],
  ['that is a text', 'object', 'a schema is an object'],
])('refuses a schema %s', (_, inputSchema, next) => {
  const define = () => tool('a', () => 'x', { inputSchema: inputSchema as never });
  expect(define).toThrow(expect.objectContaining({ code: 'HANDLER_INVALID', message: expect.stringContaining(next) }));
});

it('a schema of a library that has no JSON Schema of it is refused, with what to do', () => {
  const old = (vendor: string) => ({ '~standard': { version: 1, vendor, validate: (value: unknown) => ({ value }) } });
  const refused = (vendor: string) => () => tool('add', () => 5, { inputSchema: old(vendor) as never });
  // z.toJSONSchema is not there in zod 3, and refuses a schema of it in zod 4.
  expect(refused('zod')).toThrow(/a schema of zod of this version .*: use zod 4\.2 or later, or pass a JSON Schema\./);
  expect(refused('odd')).toThrow(/of odd of this version .*: use a newer version of it, or pass a JSON Schema\./);
});

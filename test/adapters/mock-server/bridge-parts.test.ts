import { expect, it } from 'vitest';
import { encodePart, PartDecoder, type PartKind } from '../../../src/adapters/mock-server/bridge-parts.ts';

const PARTS: [PartKind, string][] = [
  ['protocol', '{"jsonrpc":"2.0"}\n'],
  ['stderr', ''],
  ['protocol', 'é'.repeat(300)],
  ['close', ''],
  ['exit', 'SIGKILL'],
];

it.each([1, 2, 5, 7, 1000])('parts come as they were sent, in pieces of %i bytes', (size) => {
  const came: [PartKind, string][] = [];
  const decoder = new PartDecoder((kind, data) => came.push([kind, Buffer.from(data).toString()]));
  const all = Buffer.concat(PARTS.map(([kind, text]) => encodePart(kind, Buffer.from(text))));
  for (let at = 0; at < all.length; at += size) decoder.write(all.subarray(at, at + size));
  expect(came).toEqual(PARTS);
});

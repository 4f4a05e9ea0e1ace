import type { Cassette } from '../../src/cassette/cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import type { Id } from '../../src/protocol/message.ts';
import { cassette, request } from '../support/conversation.ts';

/** A cassette of some name; every frame is an event on a line of its own. */
export function named(file: string, ...frames: Frame[]): Cassette {
  return { ...cassette(...frames), file };
}

export const a = (...frames: Frame[]): Cassette => named('a.yaml', ...frames);
export const b = (...frames: Frame[]): Cassette => named('b.yaml', ...frames);

export const list = (id: Id, cursor?: string) => request(id, 'tools/list', cursor ? { cursor } : undefined);

export const tools = (id: Id, names: readonly string[], nextCursor?: string) => ({
  jsonrpc: '2.0' as const,
  id,
  result: { tools: names.map((name) => ({ name })), ...(nextCursor && { nextCursor }) },
});

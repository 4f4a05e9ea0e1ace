import type { Side } from '../../../src/channel/frame.ts';

/** What one side says in a conversation; over HTTP, on the stream of the request with the id `on`, if there is one. */
export interface Line {
  from: Side;
  message: Message;
  on?: Id;
  /** The other side has not heard this when the next line is said. */
  crosses?: boolean;
}

export type Id = string | number;

/** A message as it stands on the wire. */
export interface Message {
  jsonrpc: '2.0';
  id?: Id | null;
  method?: string;
  params?: Params;
  result?: Params;
  error?: { code: number; message: string; data?: unknown };
}

export type Params = Record<string, unknown>;

export const isRequest = ({ id, method }: Message): boolean => method !== undefined && id !== undefined;
export const isResponse = ({ method }: Message): boolean => method === undefined;

/** What every request of 2026-07-28 carries in `_meta`. */
export const ENVELOPE: Params = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {}, roots: {} },
  'io.modelcontextprotocol/clientInfo': { name: 'client', version: '1.0.0' },
};

/** How the client of 2026-07-28 cancels: over HTTP this is what closing the stream of the request means. */
export const cancelOf = (requestId: Id): Message => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, _meta: ENVELOPE },
});

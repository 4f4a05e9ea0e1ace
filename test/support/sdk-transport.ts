import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Channel } from '../../src/channel/channel.ts';
import { JsonText } from '../../src/protocol/json-text.ts';

/** A channel of messages as a real SDK client takes it. */
export function sdkTransport(channel: Channel): Transport {
  const transport: Transport = {
    async start() {
      channel.listen((frame) => {
        if (frame.kind === 'message') transport.onmessage?.(frame.json.value as JSONRPCMessage);
        if (frame.kind === 'close') transport.onclose?.();
      });
    },
    async send(message) {
      const json = new JsonText(JSON.stringify(message));
      channel.send({ kind: 'message', at: 0, from: 'client', json });
    },
    async close() {
      channel.send({ kind: 'close', at: 0, from: 'client' });
      transport.onclose?.();
    },
  };
  return transport;
}

// The AI SDK. Its tools are called as a model would have them called.
import { load } from '../installed.mjs';
import { server, TIMEOUT, url, use } from '../session.mjs';

const { createMCPClient } = await load('clients/ai-sdk', '@ai-sdk/mcp');
const { Experimental_StdioMCPTransport } = await load('clients/ai-sdk', '@ai-sdk/mcp/mcp-stdio');

let client;
let tools;
// A time limit by AbortSignal keeps no process alive, and a host has other work.
const otherWork = setInterval(() => {}, TIMEOUT);
await use({
  open: async () => {
    client = await createMCPClient({
      transport: url ? { type: 'http', url } : new Experimental_StdioMCPTransport(server),
      initializationOptions: { timeout: TIMEOUT },
    });
  },
  list: async () => {
    tools = await client.tools();
    return Object.keys(tools);
  },
  call: (name, args) =>
    tools[name].execute(args, { messages: [], toolCallId: name, abortSignal: AbortSignal.timeout(TIMEOUT) }),
  close: () => {
    clearInterval(otherWork);
    return client?.close();
  },
});

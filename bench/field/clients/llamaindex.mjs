// LlamaIndex: tools of a server as tools of LlamaIndex.
import { load } from '../installed.mjs';
import { server, url, use } from '../session.mjs';

const { mcp } = await load('clients/llamaindex', '@llamaindex/tools');

const client = mcp(url ? { url, verbose: false } : { ...server, verbose: false });
let tools;
await use({
  open: async () => {
    tools = await client.tools();
  },
  list: async () => tools.map(({ metadata }) => metadata.name),
  call: (name, args) => tools.find(({ metadata }) => metadata.name === name).call(args),
  close: () => client.cleanup(),
});

import { createRequestStateCodec, McpServer } from '@modelcontextprotocol/server';
import { offerAsking } from './asking.js';
import { offerInputRequired } from './input-required.js';
import { offerPrompts } from './prompts.js';
import { offerResources } from './resources.js';
import { offerTools } from './tools.js';

const states = createRequestStateCodec({ key: 'a key that is as long as it has to be, and no secret' });

/** A server with what the scenarios of the suite call by name. `changed` tells who listens that a list has changed. */
export function everythingAskedFor({ changed }) {
  const server = new McpServer(
    { name: 'conformance-server', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  );
  offerTools(server, { changed });
  offerAsking(server);
  offerInputRequired(server, { states });
  offerResources(server);
  offerPrompts(server);
  return server;
}

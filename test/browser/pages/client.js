import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What a client of the SDK, in a web page, sees of the server at `url`. */
export async function see(url) {
  const client = new Client({ name: 'page', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  const { tools } = await client.listTools();
  const { content } = await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
  const unknown = await client.readResource({ uri: 'test://none' }).then(
    () => 'read',
    (error) => error.message,
  );
  const hasSession = transport.sessionId !== undefined;
  if (hasSession) await transport.terminateSession();
  await client.close();
  return { tools: tools.map(({ name }) => name), said: content[0].text, unknown, hasSession };
}

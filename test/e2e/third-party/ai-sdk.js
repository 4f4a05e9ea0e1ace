/** `ai-sdk.js URL`: what a program on `@ai-sdk/mcp`, installed where it runs, sees of a server. */
const { createMCPClient } = await import('@ai-sdk/mcp');

const client = await createMCPClient({ transport: { type: 'http', url: process.argv[2] } });
const tools = await client.tools();
const execute = (name, input) => tools[name].execute(input, { toolCallId: name, messages: [] });
const echoed = await execute('echo', { message: 'hello' });
const sum = await execute('get-sum', { a: 1, b: 2 });
const resources = await client.listResources();
await client.close();
console.log(JSON.stringify({ tools: Object.keys(tools), echoed, sum, resources }));

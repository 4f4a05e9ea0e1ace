import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import type { MisbehaveOptions, StdioServer } from '../../../src/adapters/mock-server/mock-server-types.ts';

const call = (id: number, name: string) => `
- client: { id: ${id}, method: tools/call, params: { name: ${name}, arguments: {} } }
- server: { id: ${id}, result: { content: [{ type: text, text: "${name} of the tape" }] } }`;
/** A cassette with two calls. */
export const TWO_CALLS: string = `format: mcp-record/1\nevents:${call(1, 'add')}${call(2, 'multiply')}\n`;

/** A client that starts its server anew whenever it has died. */
export class Restarting {
  starts = 0;
  readonly #server: StdioServer;
  #client: Promise<Client> | undefined;

  constructor(server: StdioServer) {
    this.#server = server;
  }

  /** The answer to a call that is made until it is answered, and at most so many times. */
  async call(name: string, attempts = 2): Promise<unknown> {
    try {
      const { content } = await (await this.#connected()).callTool({ name });
      return (content as { text: string }[])[0]?.text;
    } catch (error) {
      if (attempts === 1) throw error;
      return this.call(name, attempts - 1);
    }
  }

  async ping(): Promise<void> {
    await (await this.#connected()).ping();
  }

  async close(): Promise<void> {
    await (await this.#client)?.close();
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#start();
    return this.#client;
  }

  async #start(): Promise<Client> {
    this.starts++;
    const { command, args } = this.#server;
    const client = new Client({ name: 'test', version: '1' });
    client.onclose = () => {
      this.#client = undefined;
    };
    await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
    return client;
  }
}

type Start = (options?: MisbehaveOptions) => Promise<StdioServer>;

/** Returns how mock servers over stdio that play `tape` are started: by itself, and in the process of the test. */
export function startsOverStdio(tape: string): [kind: string, start: Start][] {
  return [
    ['plays by itself', (options) => mockServer(tape, { over: 'stdio', onUnused: 'report', ...options })],
    [
      'answers in the process of the test',
      (options) => mockServer(tape, { over: 'stdio', onUnused: 'report', handlers: [], ...options }),
    ],
  ];
}

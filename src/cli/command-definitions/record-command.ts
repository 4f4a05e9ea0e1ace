import { withFaultOptions } from '../options/fault-options.ts';
import { withRedactionOptions } from '../options/redaction-options.ts';
import { CA_OPTION, type CommandDefinition, collect, HTTP_OPTION } from './command-definition.ts';

/** `mcp-record record`. */
export const RECORD_COMMAND: CommandDefinition = {
  name: 'record',
  summary: 'put a recorder between a client and a server',
  examples: [
    'record -o cassette.yaml -- npx @modelcontextprotocol/server-everything stdio',
    'record -o cassette.yaml --http https://example.com/mcp --listen 127.0.0.1:8080',
    `record -o session.yaml --lists --call 'add {"a": 1, "b": 2}' -- node server.js`,
    'record -o cassette.yaml --proxy mcp.example.com,auth.example.com -- node client.js',
    'record -o cassette.yaml --restart-on change --watch src -- node server.js',
  ],
  describe: (command) =>
    withFaultOptions(withRedactionOptions(command))
      .argument('[command...]', 'the server, as the client would start it; with --proxy: the client')
      .requiredOption('-o, --output <path>', 'cassette to write, or a directory for one per session')
      .option('--timing <how>', 'gaps in the cassette: coarse, exact or none', 'coarse')
      .option('--no-redact', 'keep passwords and tokens')
      .option(...HTTP_OPTION)
      .option(
        '--proxy <hosts>',
        'be the HTTPS proxy of a client, and record its sessions with these hosts (comma-separated)',
      )
      .option('--proxy-ca <folder>', 'with --proxy: folder of the certificate authority that the client trusts')
      .option(
        '--keep-authorization',
        'with --http or --proxy: also record how clients get their tokens, without the tokens (docs/auth-recorded.md)',
      )
      .option('--stdio', 'with --http: the client speaks stdio, as with a command')
      .option('--lists', 'without a client: open a session, read every list of the server, and end')
      .option('--call <call>', 'with --lists: also call a tool: \'TOOL {"name": "value"}\' (repeatable)', collect, [])
      .option('--restart-on <when>', 'keep the session over restarts of the server: on change, crash or change,crash')
      .option('--otlp [url]', 'send traces to this collector of OpenTelemetry (docs/traces.md)')
      .option('--watch <path>', 'with --restart-on change: also watch this file or folder (repeatable)', collect, [])
      .option(
        '--header <header>',
        "with --http: 'Name: value' for every request; env:NAME inserts a variable, cmd:COMMAND the output of a command (repeatable)",
        collect,
        [],
      )
      .option('--listen <address>', 'with --http or --proxy: address for clients', '127.0.0.1:0')
      .option(CA_OPTION[0], 'with --http or --proxy: additional trusted certificates (PEM)')
      .option('--allow-host <name>', 'with --http: additional host name of this machine (repeatable)', collect, [])
      .option('--idle <seconds>', 'with --http or --proxy: end sessions that are silent for this time', '600')
      .option('--body-limit <MB>', 'with --http or --proxy: maximum size of messages to record completely', '64')
      .option('--sessions <n>', 'with --http or --proxy: maximum number of concurrent sessions', '100000')
      .option('--connections <n>', 'with --http or --proxy: maximum number of concurrent connections', '10000')
      .passThroughOptions(),
  load: () => import('../commands/live/record.ts'),
};

// The Inspector in its mode for the command line, each command with a session of its own.
import { print, program } from '../cli.mjs';
import { server, url, use } from '../session.mjs';

const at = url ? [url, '--transport', 'http'] : [server.command, ...server.args];
const inspector = (...words) =>
  print(
    program(
      'clients/inspector',
      '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
      '--cli',
      ...at,
      ...words,
    ),
  );
await use({
  open: async () => {},
  list: () => inspector('--method', 'tools/list'),
  call: (name, args) =>
    inspector(
      '--method',
      'tools/call',
      '--tool-name',
      name,
      '--tool-arg',
      ...Object.entries(args).map((pair) => pair.join('=')),
    ),
  close: async () => {},
});

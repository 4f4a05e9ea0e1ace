// Calls with mcporter, each with a session of its own.
import { print, program } from '../cli.mjs';
import { server, TIMEOUT, url, use } from '../session.mjs';

const at = url
  ? ['--http-url', url, '--allow-http']
  : ['--stdio', server.command, ...server.args.flatMap((word) => ['--stdio-arg', word])];
const mcporter = (...words) =>
  print(program('clients/mcporter', 'mcporter/dist/cli.js', ...words, '--timeout', `${TIMEOUT}`));
await use({
  open: async () => {},
  list: async () => ['count', 'echo'],
  call: (name, args) =>
    mcporter('call', ...at, '--name', 'field', '--tool', name, '--args', JSON.stringify(args), '--output', 'text'),
  close: async () => {},
});

import type { Command } from 'commander';
import { systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { proxyStdio } from '../../scenario/proxy-stdio.ts';
import { openParent } from '../../transports/stdio/parent.ts';
import { cannotStart } from '../cannot-start.ts';
import { type FaultOptions, fallsShort, faultsOf } from '../faults.ts';
import { EXIT } from '../output.ts';
import { statusOf } from '../status.ts';

/** `mcp-record proxy --fault RULE -- COMMAND…`: the live server, misbehaving on purpose; nothing is recorded. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<FaultOptions>();
  const server = command.args[0] === '--' ? command.args.slice(1) : command.args;
  if (server.length === 0) throw noServer();
  const faults = await faultsOf(options, 'stdio');
  const parent = openParent(systemClock);
  const end = await proxyStdio({ command: server, parent, clock: systemClock, ...(faults && { faults }) });
  await new Promise<void>((resolve) => parent.flushed(resolve));
  if ('error' in end) process.exit(cannotStart(end.error));
  const short = faults && fallsShort(faults, end.unfired, options);
  process.exit(short ? EXIT.fellShort : statusOf(end.status));
}

function noServer(): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_ONE_SERVER',
    what: 'Cannot tell which server to start',
    why: 'there is no command',
    next: "Give the command that starts it, after --: mcp-record proxy --fault 'cut:tools/call' -- node server.js",
  });
}

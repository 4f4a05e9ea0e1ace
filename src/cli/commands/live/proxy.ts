import type { Command } from 'commander';
import { stdioFaultProxy } from '../../../fault-proxy/stdio-fault-proxy.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { openParent } from '../../../transports/stdio/parent-channel.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { EXIT } from '../../io/output.ts';
import { cannotStart } from '../../io/recording-failures.ts';
import { sayWaitingForClient } from '../../io/waiting-for-client-hint.ts';
import { type FaultOptions, fallsShort, faultsOf } from '../../options/fault-options.ts';

export interface Options extends FaultOptions {
  http?: string;
  listen: string;
  allowHost: string[];
  ca?: string;
}

/**
 * Runs `mcp-record proxy --fault RULE -- COMMAND…` or `--http URL`: injects faults between a client and a live server.
 * Nothing is recorded.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const server = command.args[0] === '--' ? command.args.slice(1) : command.args;
  if (server.length > 0 === (options.http !== undefined)) throw whichServer(options.http);
  if (options.http !== undefined) return (await import('./inject-faults-over-http.ts')).run(options.http, options);
  const faults = await faultsOf(options, 'stdio');
  const parent = openParent(systemClock);
  sayWaitingForClient(`passing on what ${server.join(' ')} says`);
  const end = await stdioFaultProxy({
    command: server,
    parent,
    clock: systemClock,
    ...(faults && { faults }),
  });
  await new Promise<void>((resolve) => parent.flushed(resolve));
  if ('error' in end) process.exit(cannotStart(end.error));
  const short = faults && fallsShort(faults, end.unfired, options);
  process.exit(short ? EXIT.fellShort : childExitStatus(end.status));
}

function whichServer(http: string | undefined): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_ONE_SERVER',
    what: 'Cannot tell which server is meant',
    why: http === undefined ? 'there is neither a command nor --http' : 'there is a command and --http',
    next: "Give the command that starts it, after --: mcp-record proxy --fault 'cut:tools/call' -- node server.js; or its URL: --http URL",
  });
}

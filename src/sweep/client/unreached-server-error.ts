import { McpRecordError } from '../../kernel/errors.ts';
import { lastLines } from '../../text-report/last-lines.ts';
import type { Ended } from './run-command.ts';
import { type ServerAddress, wayTo } from './server-address.ts';

export interface UnreachedServer {
  subcommand: 'run' | 'sweep';
  command: readonly string[];
  at: ServerAddress;
  ended: Pick<Ended, 'status' | 'signal' | 'stderr' | 'timedOut'>;
}

/** Returns the error for a command that never connected to the mock server, so that its run tested nothing. */
export function unreachedServerError({ subcommand, command, at, ended }: UnreachedServer): McpRecordError {
  const { does, word, variable } = wayTo(at);
  const named = command.some((text) => text.includes(word));
  const how = ended.timedOut ? 'was not done at its deadline' : `ended with ${ended.signal ?? ended.status}`;
  const said = lastLines(ended.stderr).join('\n    ');
  const place = 'url' in at ? 'URL' : 'command line';
  return new McpRecordError({
    code: 'SERVER_NOT_REACHED',
    what: `Cannot ${subcommand} ${command.join(' ')}`,
    why: `it ${how} and did not ${does} the mock server${named ? '' : `: there is no ${word} in it`}${said && `:\n    ${said}`}`,
    next: named
      ? `See that it gets so far as to ${does} the mock server.`
      : `Write ${word} where the ${place} of its server belongs, or let it read the variable ${variable}.`,
  });
}

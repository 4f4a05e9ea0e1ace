import { execSync, type StdioOptions } from 'node:child_process';
import type { Headers } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';

/** RFC 9110, 5: a token, and visible characters with blanks between. */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([!-~](?:[ \t!-~]*[!-~])?)?[ \t]*$/;

/** `Name: before cmd:COMMAND`, to the end of the text. */
const COMMAND = /^([^:]+:(?:|.*[ \t]))cmd:(.+)$/s;

/** Tools that ask for a token over the network take seconds; one that waits for a person must not hang. */
const COMMAND_WITHIN: Milliseconds = 60_000;

/**
 * Headers as the command line gives them, `Name: value`, so that no credential is seen in a list of processes: `env:NAME`
 * in a value stands for that variable, and `cmd:COMMAND` at its end for what that command of the shell prints, once.
 * @throws McpRecordError USAGE_BAD_HEADER
 */
export function headersFrom(texts: readonly string[], env: NodeJS.ProcessEnv): Headers {
  return Object.fromEntries(texts.map((text) => headerIn(text, env)));
}

function headerIn(text: string, env: NodeJS.ProcessEnv): [name: string, value: string] {
  const name = text.split(':', 1)[0]!;
  const [, before, command] = COMMAND.exec(text) ?? [];
  const filled = (before ?? text).replaceAll(/\benv:(\w+)/g, (_, variable: string) => {
    const value = env[variable];
    if (value) return value;
    throw badHeader(name, `the variable ${variable} is not set`);
  });
  const whole = command === undefined ? filled : filled + printedBy(command, name, env);
  const [, token, value = ''] = HEADER.exec(whole) ?? [];
  if (token !== undefined) return [token.toLowerCase(), value];
  throw badHeader(name, 'it is not a name, a colon and a value in plain ASCII');
}

/** What a command prints; what it says on stderr is said on ours. */
function printedBy(command: string, name: string, env: NodeJS.ProcessEnv): string {
  const because = (why: string) => badHeader(name, `${why}: ${command}`);
  let printed: string;
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
    printed = execSync(command, { env, stdio, timeout: COMMAND_WITHIN, encoding: 'utf8' }).trim();
  } catch (error) {
    // Its message may hold what the command had printed.
    const { status, signal } = error as { status?: number | null; signal?: string | null };
    throw because(`its command ended with ${status ?? signal ?? 'no status'}`);
  }
  if (printed === '') throw because('its command printed nothing');
  return printed;
}

function badHeader(name: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_HEADER',
    what: `Cannot send the header ${JSON.stringify(name)}`,
    why,
    next: "Write, for example, --header 'Authorization: Bearer env:MY_TOKEN', or 'Authorization: Bearer cmd:print-token'.",
  });
}

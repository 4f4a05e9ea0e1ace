import type { Headers } from '../channel/frame.ts';
import { McpRecordError } from '../kernel/errors.ts';

/** RFC 9110, 5: a token, and visible characters with blanks between. */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([!-~](?:[ \t!-~]*[!-~])?)?[ \t]*$/;

/**
 * Headers as the command line gives them, `Name: value`. `env:NAME` in a value stands for that variable, so that no
 * credential is seen in a list of processes.
 * @throws McpRecordError USAGE_BAD_HEADER
 */
export function headersFrom(texts: readonly string[], env: NodeJS.ProcessEnv): Headers {
  return Object.fromEntries(texts.map((text) => headerIn(text, env)));
}

function headerIn(text: string, env: NodeJS.ProcessEnv): [name: string, value: string] {
  const name = text.split(':', 1)[0]!;
  const filled = text.replaceAll(/\benv:(\w+)/g, (_, variable: string) => {
    const value = env[variable];
    if (value) return value;
    throw badHeader(name, `the variable ${variable} is not set`);
  });
  const [, token, value = ''] = HEADER.exec(filled) ?? [];
  if (token !== undefined) return [token.toLowerCase(), value];
  throw badHeader(name, 'it is not a name, a colon and a value in plain ASCII');
}

function badHeader(name: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_HEADER',
    what: `Cannot send the header ${JSON.stringify(name)}`,
    why,
    next: "Write, for example, --header 'Authorization: Bearer env:MY_TOKEN'.",
  });
}

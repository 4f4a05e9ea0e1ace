import { badHeader } from '../options/header-options.ts';

/** Header whose value is read from an environment variable at sending time. `before`: text in front of the value. */
export interface HeaderFromEnv {
  name: string;
  before: string;
  variable: string;
}

/**
 * Returns headers without their values, for a file that must have no secret. `Bearer env:TOKEN` is the text `Bearer ` and
 * the variable `TOKEN`. Any other value stands for a variable of the header's name, such as `MCP_HEADER_X_TENANT`.
 * @throws McpRecordError USAGE_BAD_HEADER
 */
export function headersWithoutValues(texts: readonly string[]): HeaderFromEnv[] {
  return texts.map((text) => {
    const [, token] = HEADER_NAME.exec(text) ?? [];
    if (token === undefined) throw badHeader(text.split(':', 1)[0]!, 'it is not a name, a colon and a value');
    const name = token.toLowerCase();
    const [, before = '', variable] = FROM_ENV.exec(text.slice(token.length + 1).trim()) ?? [];
    const own = `MCP_HEADER_${name.toUpperCase().replaceAll(/\W/g, '_')}`;
    return variable === undefined ? { name, before: '', variable: own } : { name, before, variable };
  });
}

const HEADER_NAME = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):/;
/** Matches an optional authentication scheme and the name of a variable. */
const FROM_ENV = /^((?:Bearer|Basic|Token) )?env:(\w+)$/i;

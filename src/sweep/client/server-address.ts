import { McpRecordError } from '../../kernel/errors.ts';

/** Environment variable with the mock server's command line, as a JSON array of words. */
export const SERVER_VARIABLE = 'MCP_RECORD_SERVER';
/** Placeholder in the command's arguments for the words of the mock server's command line. */
export const SERVER_WORDS = '{server}';
/** Environment variable with the URL of a listening mock server. */
export const URL_VARIABLE = 'MCP_RECORD_URL';
/** What plays the server on the other transport, by the address of this one. */
const OTHER_TRANSPORT = {
  words:
    'For a client that connects to a URL: add --http of sweep or shrink, or "transport: http" to a scenario. The transport of the cassette does not matter.',
  url: 'For a client that starts its server: leave out --http of sweep or shrink, or "transport: http" of a scenario.',
};
/** Placeholder inside the command's arguments for the mock server's URL. */
export const URL_WORD = '{url}';

/** Address of the mock server: a command line to start, or a URL. */
export type ServerAddress = { words: readonly string[] } | { url: string };

/**
 * Returns the command, and its environment, as they name the mock server.
 * @throws McpRecordError SERVER_NOT_REACHED if the command has the placeholder of another transport
 */
export function substituteAddress(
  at: ServerAddress,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): { command: string[]; env: NodeJS.ProcessEnv } {
  checkPlaceholder(at, command);
  if ('url' in at) {
    const { url } = at;
    return {
      command: command.map((word) => word.replaceAll(URL_WORD, () => url)),
      env: { ...env, [URL_VARIABLE]: url },
    };
  }
  const { words } = at;
  return {
    command: command.flatMap((word) => (word === SERVER_WORDS ? words : [word])),
    env: { ...env, [SERVER_VARIABLE]: JSON.stringify(words) },
  };
}

/** Describes how a command reaches the mock server, for messages. */
export function wayTo(at: ServerAddress): { does: string; word: string; variable: string } {
  return 'url' in at
    ? { does: 'connect to', word: URL_WORD, variable: URL_VARIABLE }
    : { does: 'start', word: SERVER_WORDS, variable: SERVER_VARIABLE };
}

function checkPlaceholder(at: ServerAddress, command: readonly string[]): void {
  const { word, does } = wayTo(at);
  const other = 'url' in at ? SERVER_WORDS : URL_WORD;
  const has = (text: string) => command.some((one) => one.includes(text));
  if (has(word) || !has(other)) return;
  throw new McpRecordError({
    code: 'SERVER_NOT_REACHED',
    what: `Cannot run ${command.join(' ')}`,
    why: `it has ${other}, and this mock server is ${'url' in at ? 'at a URL' : 'a command'}`,
    next: `Write ${word} in place of ${other}, and let the client ${does} it. ${OTHER_TRANSPORT['url' in at ? 'url' : 'words']}`,
  });
}

import { systemClock as clock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { ServerUnderTest } from '../../sweep/server/server-under-test-types.ts';
import { headersFrom } from '../options/header-options.ts';
import type { SweepCommandOptions } from './sweep-options.ts';

/**
 * Returns the server of a sweep: a command, or a URL with `--http`.
 * @throws McpRecordError USAGE_ONE_SERVER, USAGE_BAD_URL, USAGE_BAD_HEADER
 */
export async function serverTarget(
  words: readonly string[],
  options: Pick<SweepCommandOptions, 'http' | 'header'>,
): Promise<ServerUnderTest> {
  if (!options.http) return (await import('../../sweep/server/stdio-server.ts')).stdioServer(words, clock);
  const [url = ''] = words;
  if (words.length !== 1) {
    throw new McpRecordError({
      code: 'USAGE_ONE_SERVER',
      what: 'Cannot tell which server to sweep',
      why: `--http takes one URL, and there are ${words.length} words after the cassette`,
      next: 'Write mcp-record sweep --server --http FILE URL.',
    });
  }
  const [{ httpServer }, { parseUpstream }] = await Promise.all([
    import('../../sweep/server/connect-to-http-server.ts'),
    import('../../transports/http/upstream/parse-upstream.ts'),
  ]);
  return httpServer({
    upstream: parseUpstream(url, process.env),
    clock,
    headers: headersFrom(options.header, process.env),
  });
}

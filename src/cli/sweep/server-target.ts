import type { Headers } from '../../channel/frame.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { ServerUnderTest } from '../../sweep/server/server-under-test-types.ts';

/**
 * Returns the server of a sweep: a command, or a URL with `--http`, to which `headers` are sent.
 * @throws McpRecordError USAGE_ONE_SERVER, USAGE_BAD_URL
 */
export async function serverTarget(
  words: readonly string[],
  { http, headers }: { http: boolean | undefined; headers: Headers },
): Promise<ServerUnderTest> {
  if (!http) return (await import('../../sweep/server/stdio-server.ts')).stdioServer(words, clock);
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
    headers,
  });
}

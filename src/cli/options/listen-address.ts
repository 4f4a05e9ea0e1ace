import { McpRecordError } from '../../kernel/errors.ts';
import { isLoopback } from '../../protocol/loopback.ts';

/**
 * Parses a loopback address such as `127.0.0.1:8080`, or a port alone.
 * @throws McpRecordError USAGE_BAD_LISTEN
 */
export function parseListenAddress(text: string, option = '--listen'): { hostname: string; port: number } {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.*):)?(\d{1,5})$/.exec(text) ?? [];
  if (port !== '' && Number(port) < 65_536 && isLoopback(host))
    return { hostname: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  throw new McpRecordError({
    code: 'USAGE_BAD_LISTEN',
    what: `Cannot listen on "${text}"`,
    why: 'it is not a loopback address with a port: recorded sessions are private, and served on this machine only',
    next: `Give ${option} 127.0.0.1:PORT; port 0 takes any that is free.`,
  });
}

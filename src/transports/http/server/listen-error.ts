import { McpRecordError } from '../../../kernel/errors.ts';

/** Returns the error for an unusable listening address. */
export function listenError({ hostname, port }: { hostname: string; port: number }, cause: Error): McpRecordError {
  const { code } = cause as NodeJS.ErrnoException;
  return new McpRecordError({
    code: 'HTTP_CANNOT_LISTEN',
    what: `Cannot listen on ${hostname}:${port}`,
    why: code === 'EADDRINUSE' ? 'another program listens there' : cause.message,
    next: 'Choose another port with --listen 127.0.0.1:PORT; port 0 takes any that is free.',
    cause,
  });
}

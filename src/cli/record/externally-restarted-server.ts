import { systemClock as clock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { RestartedHttpServer } from '../../restart/http/restarted-http-server.ts';
import type { Upstream } from '../../transports/http/upstream/parse-upstream.ts';
import { say } from '../io/output.ts';
import { restartOccasions } from './restart-occasions.ts';

/** Options of a recorder with `--restart-on` and `--http`. */
export interface ExternallyRestartedServerOptions {
  http: string;
  restartOn: string;
  watch: string[];
}

/**
 * Returns the server at a URL that its owner restarts.
 * @throws McpRecordError USAGE_BAD_RESTART_ON, USAGE_RESTART_HTTP
 */
export function externallyRestartedServer(
  { http, restartOn, watch }: ExternallyRestartedServerOptions,
  address: { upstream: Upstream; ca: readonly string[] | undefined },
): RestartedHttpServer {
  if (restartOccasions(restartOn).onChange || watch.length > 0) throw cannotWatch(http);
  return new RestartedHttpServer({ ...address, clock, say, notBack: (error) => say(error.message) });
}

function cannotWatch(url: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_RESTART_HTTP',
    what: `Cannot watch the files of the server at ${url}`,
    why: 'the recorder has not started it',
    next: 'Write --restart-on crash alone, and restart the server with your own tools: its clients keep their sessions.',
  });
}

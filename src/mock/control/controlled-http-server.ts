import type { Cassette } from '../../cassette/cassette.ts';
import { usesMethod } from '../../cassette/uses-method.ts';
import { systemClock } from '../../kernel/clock.ts';
import { REVISIONS } from '../../protocol/revisions.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { ReplayOutcome } from '../../replay/findings/replay-outcome.ts';
import { type ListeningServerOptions, startListeningServer } from '../server/fault-proxied-server.ts';
import type { ServerHandlers } from '../server/handlers-and-sessions.ts';
import type { ServerDescription } from '../server/server-fallback-answers.ts';
import { type ControlApiOptions, startControlApi } from './control-api-server.ts';
import { ServerControl } from './control-operations.ts';
import { FailingRequests } from './failing-requests.ts';
import { FaultHistory, type FaultHistoryOptions } from './fault-rules-and-firings.ts';
import { recordedRevisions } from './revisions-in-cassettes.ts';

export interface ControlledHttpServerOptions
  extends Pick<
    ListeningServerOptions,
    'name' | 'endpoint' | 'address' | 'path' | 'auth' | 'refused' | 'fired' | 'unchanged'
  > {
  cassettes: readonly Cassette[];
  /** Description of a server without a cassette. Its handlers answer every request. */
  description?: ServerDescription;
  faults: FaultHistoryOptions;
  allowed: readonly string[];
  /** Address of the control API. */
  control: Pick<ControlApiOptions, 'address' | 'refused'>;
  /** Called immediately with each finding. */
  report(finding: Finding): void;
}

/** A mock server over HTTP, with its control API. */
export interface ControlledHttpServer {
  handlers: ServerHandlers;
  url: string;
  sseUrl?: string;
  issuer?: string;
  /** URL of the control API. */
  controlUrl: string;
  /** Resolves with the exit status when a fault ends the server. */
  exited: Promise<number | string>;
  /**
   * Ends the server and its control API. Returns the outcome since the last reset, and whether any check failed since
   * the start.
   */
  finish(): Promise<{ outcome: ReplayOutcome; hasFailed: boolean }>;
}

/**
 * Starts a mock server over HTTP, with a control API that programs use to inspect and change it.
 * @throws McpRecordError HTTP_CANNOT_LISTEN
 */
export async function startControlledHttpServer(options: ControlledHttpServerOptions): Promise<ControlledHttpServer> {
  const { name, cassettes, description, report, allowed } = options;
  const faults = new FaultHistory(options.faults);
  const failing = new FailingRequests();
  const server = await startListeningServer({
    ...options,
    endpoint: { ...options.endpoint, onUnfired: 'fail' },
    played: { files: cassettes, report, ...(description && { description }) },
    faults: options.faults.initial,
    fired(one, rules) {
      faults.noteFired(one, rules);
      options.fired?.(one, rules);
    },
    unchanged(one, rules) {
      faults.noteUnchanged(one, rules);
      options.unchanged?.(one, rules);
    },
    unfired: () => [...faults.unfired(), ...failing.unmet()],
    intercept: failing.intercept,
  });
  const { url, sseUrl, issuer, journal, handlers, outcome, expireSessions, exited } = server;
  const control = new ServerControl({
    server: {
      transport: 'http',
      cassette: name,
      url,
      protocol: description ? REVISIONS : recordedRevisions(cassettes),
      usesMethod: (method) => usesMethod(cassettes, method),
      journal,
      handlers,
      useFaults: ({ rules, seed }) => server.use(rules, seed),
      outcome,
      reset: ({ rules, seed }) => server.reset(rules, seed),
      expireSessions,
    },
    faults,
    failing,
    clock: options.endpoint.clock ?? systemClock,
  });
  const api = await startControlApi({ ...options.control, control, allowed });
  return {
    handlers,
    url,
    ...(sseUrl !== undefined && { sseUrl }),
    ...(issuer !== undefined && { issuer }),
    controlUrl: api.url,
    exited,
    async finish() {
      const ended = await server.finish();
      await api.close();
      return { outcome: ended, hasFailed: control.hasFailed };
    },
  };
}

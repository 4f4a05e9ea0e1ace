import { HttpMessageLog } from '../../journal/http-message-log.ts';
import { requestsOf } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { systemClock } from '../../kernel/clock.ts';
import { type EndpointOutcome, type FetchEndpoint, withLate } from '../../mock/endpoint/fetch-endpoint.ts';
import { EndedEndpoint } from '../../mock/endpoint/refuse-after-end.ts';
import { checkTestEnd } from '../../modes/validate-api-options.ts';
import type { HttpTrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import { EndpointRecording, type EndpointRecordingOptions } from './endpoint-recording.ts';
import { fetchWithTap, type Send } from './fetch-with-tap.ts';
import { logTrafficMessages } from './journal-live-traffic.ts';

export interface LiveEndpointOptions extends EndpointRecordingOptions {
  mode: 'record' | 'passthrough';
  send: Send;
}

/** State between two calls of `reset`. */
interface Round {
  recording: EndpointRecording | undefined;
  end: AbortController;
  lost: unknown;
  afterEnd: EndedEndpoint;
  outcome: EndpointOutcome | undefined;
}

/**
 * Opens an endpoint that forwards to the real server, and records it in mode `record`.
 * @throws McpRecordError USAGE_BAD_URL
 */
export function openLiveEndpoint(options: LiveEndpointOptions): FetchEndpoint {
  const { cassette, mode, send } = options;
  const received = new MessageLog(systemClock);
  const sessions = new HttpMessageLog(received);
  /** Number of cassette files written in earlier rounds. */
  let recorded = 0;
  const begin = (): Round => ({
    recording: mode === 'record' ? new EndpointRecording({ ...options, recorded }) : undefined,
    end: new AbortController(),
    lost: undefined,
    afterEnd: new EndedEndpoint(cassette),
    outcome: undefined,
  });
  let round = begin();
  const tap = () => {
    const tap = round.recording?.exchange();
    const hear = logTrafficMessages(sessions);
    return (piece: HttpTrafficEvent) => {
      hear(piece);
      tap?.(piece);
    };
  };
  return {
    cassette,
    mode,
    canRecord: true,
    async fetch(request) {
      const now = round;
      if (now.outcome) return refusal(request, now.afterEnd);
      try {
        return await fetchWithTap(request, { send, clock: systemClock, tap: tap(), signal: now.end.signal });
      } catch (error) {
        now.lost = error;
        throw error;
      }
    },
    received: (method) => requestsOf(received.journal, method),
    journal: received.journal,
    use() {},
    resetHandlers() {},
    finish(run = { passed: true }) {
      checkTestEnd(run);
      const { passed } = run;
      const { recording, end, lost, afterEnd, outcome } = round;
      if (outcome) return withLate(outcome, afterEnd);
      round.outcome = recording?.end(passed, lost) ?? { findings: [], failed: false, failures: [] };
      if (round.outcome.written !== undefined) recorded += recording?.count ?? 0;
      end.abort();
      return round.outcome;
    },
    reset() {
      // A recording continues across resets, so that no session is lost.
      if (round.outcome) round = begin();
      received.journal.reset();
      sessions.reset();
    },
    get hasEnded() {
      return round.outcome !== undefined;
    },
  };
}

async function refusal(request: Request, afterEnd: EndedEndpoint): Promise<Response> {
  const {
    status,
    headers = {},
    body,
  } = afterEnd.refuse({
    method: request.method,
    body: await request.text(),
  });
  return new Response(body ?? null, { status, headers });
}

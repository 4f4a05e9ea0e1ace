import { systemClock } from '../kernel/clock.ts';
import type { Request as RpcRequest } from '../protocol/message.ts';
import type { HttpPiece } from '../transports/http/piece.ts';
import { type EndpointOutcome, type FetchEndpoint, requestsIn } from './endpoint.ts';
import { EndpointRecording, type EndpointRecordingOptions } from './endpoint-recording.ts';
import { forward, type Send } from './forward.ts';

export interface LiveEndpointOptions extends EndpointRecordingOptions {
  mode: 'record' | 'passthrough';
  send: Send;
}

/**
 * The real server as an endpoint, recorded if so asked.
 * @throws McpRecordError USAGE_BAD_URL
 */
export function openLiveEndpoint(options: LiveEndpointOptions): FetchEndpoint {
  const { cassette, mode, send } = options;
  const recording = mode === 'record' ? new EndpointRecording(options) : undefined;
  const requests: RpcRequest[] = [];
  const end = new AbortController();
  let lost: unknown;
  const exchange = () => {
    const tape = recording?.exchange();
    return (piece: HttpPiece) => {
      if (piece.kind === 'data' && piece.from === 'client')
        requests.push(...requestsIn(Buffer.from(piece.data).toString()));
      tape?.(piece);
    };
  };
  let outcome: EndpointOutcome | undefined;
  return {
    cassette,
    mode,
    async fetch(request) {
      try {
        return await forward(request, { send, clock: systemClock, tap: exchange(), signal: end.signal });
      } catch (error) {
        lost = error;
        throw error;
      }
    },
    received: (method) => requests.filter((request) => method === undefined || request.method === method),
    finish({ passed } = { passed: true }) {
      outcome ??= recording?.end(passed, lost) ?? { findings: [], failed: false };
      end.abort();
      return outcome;
    },
  };
}

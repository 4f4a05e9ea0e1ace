import { existsSync } from 'node:fs';
import { probeName } from '../cassette/file-name.ts';
import { loadCassette } from '../cassette/load.ts';
import type { Move } from '../cassette/moves.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { unguessable } from '../kernel/random.ts';
import type { Ignore } from '../match/ignore.ts';
import { alikeOn } from '../modes/replayed.ts';
import { isRequest, type Request as RpcRequest } from '../protocol/message.ts';
import { createRedactor } from '../redact/redactor.ts';
import { discoveredOn, type Reply } from '../replay/era.ts';
import { type Finding, unusedFinding } from '../replay/finding.ts';
import { type HttpTape, httpTape } from '../replay/http-tape.ts';
import type { PlayedRun } from '../replay/player-options.ts';
import { type HttpHandler, HttpServer } from '../replay/serve-http.ts';
import type { Timing } from '../replay/timing.ts';
import { answerFetch } from './answer-fetch.ts';
import { type Expectations, type ReplayOutcome, replayOutcome } from './replay-outcome.ts';

export interface EndpointOptions extends Expectations {
  timing?: Timing;
  /** What does not count when a live request is compared with the recorded ones, beside the volatile. */
  ignore?: readonly Ignore[];
  clock?: Clock;
}

/** How it went with an endpoint. */
export interface EndpointOutcome extends ReplayOutcome {
  /** The cassette, where it was recorded. */
  written?: string;
  /** The recording of a run that did not pass; the cassette is as it was. */
  kept?: string;
}

/** An MCP endpoint whose requests are handed to it, for any number of clients. */
export interface FetchEndpoint {
  /** Path of the cassette. */
  cassette: string;
  /** What was asked for, and came to hold here. */
  mode: 'replay' | 'record' | 'passthrough';
  /** Answers a request as `fetch` would have it answered. */
  fetch(request: Request): Promise<Response>;
  /** The JSON-RPC requests that clients have made, in order. */
  received(method?: string): RpcRequest[];
  /**
   * Ends every session; what was recorded becomes the cassette, unless the run did not pass. Later calls give the same
   * outcome.
   * @throws McpRecordError TAPE_NOT_WRITTEN
   */
  finish(run?: { passed: boolean }): EndpointOutcome;
}

/** The MCP endpoint of a recorded server: each client hears it from the beginning of a tape. */
export interface Endpoint extends FetchEndpoint {
  /** Serves one request, read whole. */
  serve: HttpHandler;
}

/**
 * The recorded server over Streamable HTTP, without a socket. Of several tapes each session is given one.
 * @throws McpRecordError those of `loadCassette`
 */
export function openEndpoint(
  file: string,
  options: EndpointOptions = {},
  files: readonly string[] = [file],
): Endpoint {
  const { timing = 'instant', ignore = [], clock = systemClock } = options;
  const cassettes = files.map((one) => loadCassette(one));
  const events = cassettes.flatMap((cassette) => cassette.events);
  const tapes = cassettes.map((cassette) => httpTape(cassette, probeOf(cassette.file)));
  const findings: Finding[] = [];
  const runs: PlayedRun[] = [];
  const requests: RpcRequest[] = [];
  const server = new HttpServer({
    tapes,
    clock,
    timing,
    ignore: [...ignore, ...alikeOn(events, () => createRedactor({ env: process.env }))],
    report: ({ kind, ...finding }) => kind === 'unused' || findings.push({ kind, ...finding }),
    finished: (run) => runs.push(run),
    newSession: unguessable,
  });
  const serve: HttpHandler = (request, reply) => {
    requests.push(...requestsIn(request.body));
    return server.serve(request, reply);
  };
  let outcome: EndpointOutcome | undefined;
  return {
    cassette: file,
    mode: 'replay',
    serve,
    fetch: (request) => answerFetch(request, serve),
    received: (method) => requests.filter((request) => method === undefined || request.method === method),
    finish() {
      if (outcome) return outcome;
      server.end();
      findings.push(...tapes.flatMap((tape) => unusedOf(tape, runs)));
      outcome = replayOutcome(findings, options);
      return outcome;
    },
  };
}

/** The JSON-RPC requests that the body of an HTTP request brings; of what is not JSON, none. */
export function requestsIn(body: string): RpcRequest[] {
  try {
    return [JSON.parse(body)].flat().filter(isRequest);
  } catch {
    return [];
  }
}

/** What the server said to the process that a probing client started before the session, if its tape lies beside. */
function probeOf(file: string): Reply | undefined {
  const probe = probeName(file);
  return existsSync(probe) ? discoveredOn(loadCassette(probe).events) : undefined;
}

/** Each client uses what it uses: unused is what none of them did. */
function unusedOf({ file, score }: HttpTape, runs: readonly PlayedRun[]): Finding[] {
  const unused = runs.filter((run) => run.file === file).map((run) => new Set(run.unused));
  const moves = score.moves.filter((move) => unused.every((one) => one.has(move)) && isAsked(move));
  return moves.length === 0 ? [] : [unusedFinding(moves, file)];
}

function isAsked({ from, message }: Move): boolean {
  return from === 'client' && isRequest(message) && message.method !== 'ping';
}

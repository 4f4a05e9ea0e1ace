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
import type { HttpRequest } from '../replay/http-request.ts';
import { httpTape } from '../replay/http-tape.ts';
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

/** The MCP endpoint of a recorded server, for any number of clients, each from the beginning of the tape. */
export interface Endpoint {
  /** Path of the cassette. */
  cassette: string;
  /** Answers a request as `fetch` would have it answered. */
  fetch(request: Request): Promise<Response>;
  /** Serves one request, read whole. */
  serve: HttpHandler;
  /** The JSON-RPC requests that clients have made, in order. */
  received(method?: string): RpcRequest[];
  /** Ends every session. Later calls give the same outcome. */
  finish(): ReplayOutcome;
}

/**
 * The recorded server over Streamable HTTP, without a socket.
 * @throws McpRecordError those of `loadCassette`
 */
export function openEndpoint(file: string, options: EndpointOptions = {}): Endpoint {
  const { timing = 'instant', ignore = [], clock = systemClock } = options;
  const cassette = loadCassette(file);
  const findings: Finding[] = [];
  const requests: RpcRequest[] = [];
  let sessions = 0;
  const server = new HttpServer({
    tapes: [httpTape(cassette, probeOf(file))],
    clock,
    timing,
    ignore: [...ignore, ...alikeOn(cassette.events, () => createRedactor({ env: process.env }))],
    report: (finding) => void findings.push(finding),
    newSession() {
      sessions++;
      return unguessable();
    },
  });
  const serve: HttpHandler = (request, reply) => {
    requests.push(...requestsIn(request));
    return server.serve(request, reply);
  };
  let outcome: ReplayOutcome | undefined;
  return {
    cassette: file,
    serve,
    fetch: (request) => answerFetch(request, serve),
    received: (method) => requests.filter((request) => method === undefined || request.method === method),
    finish() {
      if (outcome) return outcome;
      server.end();
      outcome = replayOutcome(usedByNone(findings, sessions, file), options);
      return outcome;
    },
  };
}

/** The JSON-RPC requests that an HTTP request brings; of what is not JSON, none. */
function requestsIn({ body }: HttpRequest): RpcRequest[] {
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
function usedByNone(findings: readonly Finding[], sessions: number, file: string): Finding[] {
  const unused = findings.filter(({ kind }) => kind === 'unused');
  const others = findings.filter(({ kind }) => kind !== 'unused');
  const [first, ...rest] = unused;
  if (first === undefined || unused.length < sessions) return others;
  const isUnusedByAll = ({ line }: Move) =>
    rest.every(({ moves = [] }) => moves.some((move) => move.line === line));
  const moves = (first.moves ?? []).filter(isUnusedByAll);
  return moves.length === 0 ? others : [...others, unusedFinding(moves, file)];
}

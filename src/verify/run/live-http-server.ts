import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { isObject, isRequest, isResponse, resultOf } from '../../protocol/message.ts';
import type { ReplayPlan } from '../../replay/plan/server-plan.ts';
import { McpHttpClient, type McpHttpClientOptions } from '../../transports/http/client/mcp-http-client.ts';
import type { ServerEvent } from '../../transports/http/client/server-event.ts';
import { StreamCounter } from '../../transports/http/client/stream-counter.ts';
import { httpFailureOf, NO_RESPONSE } from '../compare/classify-http-failure.ts';
import type { LiveEvents, LiveServer, RefusedOpen } from './live-server-types.ts';

/** Options of a live server over HTTP. */
export interface HttpServerOptions
  extends Pick<McpHttpClientOptions, 'upstream' | 'clock' | 'headers' | 'ca' | 'patience'> {
  /** Maximum wait for the response to a notification. Default: `patience`. */
  responseWaitMax?: Milliseconds;
}

/** Maximum duration of a session's end. */
const GRACE: Milliseconds = 2_000;

/** Returns a live server over HTTP, in any revision. */
export function liveHttpServer(options: HttpServerOptions): LiveServer {
  const { clock, responseWaitMax = options.patience } = options;
  const streams = new StreamCounter();
  let client: McpHttpClient;
  let listener: LiveEvents;
  let cassette: RecordedHttp;
  let wasThere = false;
  let hasSession = false;
  const resumableRequests = new Set<string>();
  const refusedOpens: RefusedOpen[] = [];
  /** When the client sent its last message. */
  let sentAt: Milliseconds = clock.now();

  /**
   * Calls back when every notification and answer of the client has an HTTP response. The server has to send one
   * (2025-11-25, "Sending Messages to the Server"). Those without are reported, `responseWaitMax` after the last message.
   */
  const whenAccepted = (task: () => void): void => {
    const { refusedMessage } = listener;
    if (refusedMessage === undefined) return task();
    let isOver = false;
    const go = (): void => {
      if (isOver) return;
      isOver = true;
      stop();
      task();
    };
    const stop = clock.after(Math.max(GRACE, sentAt + responseWaitMax - clock.now()), () => {
      for (const { posted } of client.unansweredPosts) refusedMessage(posted, NO_RESPONSE);
      go();
    });
    client.flush(() => void Promise.all(client.unansweredPosts.map(({ begun }) => begun)).then(go));
  };

  const hear = ({ frame, unanswered, posted, opened }: ServerEvent): void => {
    wasThere = true;
    hasSession ||= client.isInSession;
    const refusal = httpFailureOf(frame, options.upstream);
    if (refusal && posted) listener.refusedMessage?.(posted, refusal);
    const { stream } = frame;
    if (refusal && opened) refusedOpens.push({ method: opened, ...(stream !== undefined && { stream }), refusal });
    if (refusal) for (const id of unanswered) listener.refuse(id, refusal);
    else if (frame.kind === 'message' || frame.kind === 'line') listener.receive(frame);
  };

  return {
    isProcess: false,
    hasSession: () => hasSession,
    streams,
    resumableRequests,
    refusedOpens,
    begin(plan, events) {
      listener = events;
      cassette = recordedHttp(plan);
      client = new McpHttpClient({
        ...options,
        ...cassette,
        streams,
        resumable: (ids) => {
          for (const id of ids) resumableRequests.add(id);
        },
        failed: (error) => {
          if (wasThere) return events.stop(`it cannot be reached any more (${error.problem.why})`);
          client.end();
          events.failed(error);
        },
      });
      client.listen(hear);
    },
    send(frame) {
      if (frame.kind === 'message') sentAt = clock.now();
      if (frame.kind === 'open' && frame.method === 'DELETE') streams.leave();
      // The client closes a stream after a live event with an id, possibly later than in the cassette.
      if (frame.kind === 'close' && cassette.resumedStreams.has(frame.stream)) return;
      if (frame.kind !== 'open' || frame.resumes === undefined) return client.send(frame);
      const stream = cassette.streamOf.get(frame.resumes);
      if (stream !== undefined) client.resumeStream(stream);
    },
    close() {
      let isOver = false;
      const end = (): void => {
        if (isOver) return;
        isOver = true;
        stopWaiting();
        client.end();
        listener.ended({ killed: false });
      };
      let stopWaiting = () => {};
      whenAccepted(() => {
        stopWaiting = clock.after(GRACE, end);
        // HTTP recordings show themselves whether the client ended the session.
        streams.leave();
        if (cassette.opensStream && client.isInSession) {
          client.send({ kind: 'open', at: clock.now(), from: 'client', method: 'DELETE' });
        }
        client.flush(end);
      });
    },
  };
}

/** Behavior of a cassette's client over HTTP. */
interface RecordedHttp extends Required<Pick<McpHttpClientOptions, 'legacyFirst' | 'opensStream'>> {
  /** Event id → its stream. For a resuming stream: the stream that it resumed. */
  streamOf: ReadonlyMap<string, number>;
  /** Streams that the client left and resumed. */
  resumedStreams: ReadonlySet<number | undefined>;
}

function recordedHttp({ entries }: ReplayPlan): RecordedHttp {
  const isStdio = entries.every(({ frame }) => frame.stream === undefined);
  const legacyFirst = isStdio ? isOldest(entries) : entries.some(({ frame }) => namesEndpoint(frame));
  const streamOf = new Map<string, number>();
  const resumed = new Map<number, number>();
  for (const { frame } of entries) {
    const { stream } = frame;
    if (stream === undefined) continue;
    const first = frame.kind === 'open' ? streamOf.get(frame.resumes ?? '') : undefined;
    if (first !== undefined) resumed.set(stream, first);
    const id = 'sse' in frame ? frame.sse?.id : undefined;
    if (id !== undefined) streamOf.set(id, resumed.get(stream) ?? stream);
  }
  const resumedStreams = new Set(resumed.values());
  return { legacyFirst, opensStream: isStdio || legacyFirst, streamOf, resumedStreams };
}

/** Reports whether a session uses revision 2024-11-05, whose only HTTP transport is HTTP with SSE. */
function isOldest(entries: readonly SessionEntry[]): boolean {
  const asked = entries.find(({ message }) => isRequest(message) && message.method === 'initialize');
  const answered = entries.find(
    ({ message }) => isResponse(message) && isObject(message.result) && message.result.protocolVersion !== undefined,
  );
  return asked !== undefined && isResponse(answered?.message)
    ? resultOf(answered.message).protocolVersion === '2024-11-05'
    : false;
}

function namesEndpoint(frame: Frame): boolean {
  return frame.kind === 'sse' && frame.sse.event === 'endpoint';
}

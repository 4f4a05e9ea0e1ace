import type { Channel } from '../../../channel/channel.ts';
import type { Frame, MessageFrame, OutputStream, WireFrame } from '../../../channel/frame.ts';
import { lineToMessage } from '../../../channel/line-to-message.ts';
import type { Milliseconds } from '../../../kernel/clock.ts';
import { elementsOf, type JsonText } from '../../../protocol/json-text.ts';
import { isRequest, isResponse } from '../../../protocol/message.ts';
import { scalarKeyAt } from '../../../protocol/scalar-key.ts';
import { onOneLine } from '../../stdio/encode-line.ts';
import { LineDecoder } from '../../stdio/line-decoder.ts';
import { holdResponseAfterProgress } from './hold-response-after-progress.ts';
import { McpHttpClient, type McpHttpClientOptions } from './mcp-http-client.ts';
import { missingResponseError, whyNoResponse } from './missing-response.ts';
import type { ServerEvent } from './server-event.ts';

/** Maximum duration of the session's end. */
const GRACE: Milliseconds = 2_000;

export interface StdioBridgeOptions extends Omit<McpHttpClientOptions, 'opensStream'> {
  /** Shortest time between progress and a response, for clients that read both at once. */
  progressGap?: Milliseconds | undefined;
}

/**
 * Returns a channel that lets a stdio client use an HTTP server as if it were its server process. Messages are lines,
 * and the exit follows the end of input. A request without an HTTP answer is answered with an error that gives the
 * reason.
 */
export function stdioBridge({ progressGap, ...options }: StdioBridgeOptions): Channel {
  const { clock } = options;
  const hold = holdResponseAfterProgress(progressGap, clock);
  const client = new McpHttpClient({ ...options, opensStream: true });
  let receive: (frame: WireFrame) => void = () => {};
  let isOver = false;
  /** Ids of open requests. */
  const open = new Set<string>();
  let whenAnswered = () => {};

  const write = (on: OutputStream, line: string) => {
    receive({ kind: 'bytes', at: clock.now(), from: 'server', on, data: Buffer.from(`${line}\n`) });
  };
  const decoder = new LineDecoder({
    from: 'client',
    on: 'protocol',
    line(line) {
      const frame = lineToMessage(line);
      for (const json of messagesIn(frame)) if (isRequest(json.value)) open.add(scalarKeyAt(json, ['id'])!);
      client.send(frame);
    },
  });

  client.listen(({ frame, unanswered, opened }: ServerEvent) => {
    // The body of a refused stream comes as well.
    if (isOver || opened) return;
    const why = whyNoResponse(frame);
    if (why === undefined && frame.kind === 'message') hold(frame.json, () => pass(frame, unanswered));
    else {
      if (why !== undefined) refuse(why, unanswered);
      settle(frame, unanswered);
    }
  });
  const pass = (frame: MessageFrame, unanswered: readonly string[]) => {
    if (isOver) return;
    write('protocol', onOneLine(frame.json.text));
    settle(frame, unanswered);
  };
  const settle = (frame: Frame, unanswered: readonly string[]) => {
    for (const json of messagesIn(frame)) if (isResponse(json.value)) open.delete(scalarKeyAt(json, ['id']) ?? '');
    for (const id of unanswered) open.delete(id);
    if (open.size === 0) whenAnswered();
  };
  const refuse = (why: string, ids: readonly string[]) => {
    if (ids.length === 0) return write('stderr', why);
    for (const id of ids) write('protocol', missingResponseError(id, why));
  };

  const end = () => {
    if (isOver) return;
    isOver = true;
    stopWaiting();
    client.end();
    receive({ kind: 'close', at: clock.now(), from: 'server' });
    receive({ kind: 'exit', at: clock.now(), from: 'server', status: 0 });
  };
  let stopWaiting = () => {};
  const close = () => {
    stopWaiting = clock.after(GRACE, end);
    whenAnswered = () => {
      whenAnswered = () => {};
      if (client.isInSession) client.send({ kind: 'open', at: clock.now(), from: 'client', method: 'DELETE' });
      client.flush(end);
    };
    if (open.size === 0) whenAnswered();
  };

  return {
    listen(listener) {
      receive = listener;
    },
    send(frame) {
      if (isOver) return true;
      if (frame.kind === 'bytes') decoder.write(frame.data, frame.at);
      if (frame.kind === 'close') {
        decoder.end(frame.at);
        close();
      }
      if (frame.kind === 'signal') end();
      return true;
    },
    drained: (_stream, resume) => resume(),
    pause() {},
    resume() {},
  };
}

function messagesIn(frame: Frame): JsonText[] {
  return frame.kind === 'message' ? elementsOf(frame.json) : [];
}

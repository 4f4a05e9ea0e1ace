import type { Frame, MessageFrame } from '../../channel/frame.ts';
import { claimedRevision } from '../../protocol/claimed-revision.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';

/** Reports whether the client cancels this request by closing its stream: from 2026-07-28 on ("Cancellation"). */
export function cancelsByStream({ from, json }: MessageFrame): boolean {
  const { value } = json;
  return from === 'client' && isRequest(value) && claimedRevision(value) !== undefined;
}

/**
 * Finds the requests that clients over HTTP cancel by closing a stream before the response. Takes the frames of a
 * session one by one, in whatever holds them.
 */
export class StreamCancelFinder<Holder extends { frame: Frame }> {
  /** Unanswered request of a stream. */
  readonly #open = new Map<number, Holder>();

  /** Returns the request that the next frame cancels. */
  pass(holder: Holder): Holder | undefined {
    const { frame } = holder;
    const { stream } = frame;
    if (stream === undefined) return undefined;
    if (frame.kind === 'message') {
      if (cancelsByStream(frame)) this.#open.set(stream, holder);
      else if (isResponse(frame.json.value) && frame.from === 'server') this.#open.delete(stream);
      return undefined;
    }
    if (frame.kind !== 'close' || frame.from !== 'client') return undefined;
    const request = this.#open.get(stream);
    this.#open.delete(stream);
    return request;
  }
}

import { isNotification, isObject, isRequest, isResponse, paramsOf } from '../protocol/message.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import type { LiveEvents, LiveServer } from '../verify/run/live-server-types.ts';
import type { Handshake } from './client-taking-over.ts';

/** A live server that a recorded client leaves to another one. */
export interface OutlivingServer extends LiveServer {
  /** Returns the handshake that the server has accepted, if any. */
  handshake(): Handshake | undefined;
}

/**
 * Wraps a live server: the end of its recorded client does not end it, unless the server has ended by itself. `left` is
 * called at once when the recorded client has ended.
 */
export function outlivingServer(live: LiveServer, left: () => void): OutlivingServer {
  let events: LiveEvents;
  let isGone = false;
  let capabilities: Readonly<Record<string, unknown>> = {};
  let asked: string | undefined;
  let response: Handshake['response'] | undefined;
  let isInitialized = false;
  return {
    isProcess: live.isProcess,
    begin(plan, listener) {
      events = listener;
      live.begin(plan, {
        ...listener,
        receive(frame) {
          const isAnswer = frame.kind === 'message' && isResponse(frame.json.value);
          if (isAnswer && asked !== undefined && scalarKeyAt(frame.json, ['id']) === asked) {
            asked = undefined;
            if (isObject(frame.json.value) && frame.json.value.result !== undefined) response = frame.json;
          }
          listener.receive(frame);
        },
        closed() {
          isGone = true;
          listener.closed();
        },
      });
    },
    send(frame) {
      const message = frame.kind === 'message' ? frame.json.value : undefined;
      if (frame.kind === 'message' && isRequest(message) && message.method === 'initialize') {
        asked = scalarKeyAt(frame.json, ['id']);
        const given = paramsOf(message).capabilities;
        capabilities = isObject(given) ? given : {};
      }
      if (isNotification(message) && message.method === 'notifications/initialized') isInitialized = true;
      live.send(frame);
    },
    close() {
      if (isGone) return live.close();
      left();
      events.ended({ killed: false });
    },
    handshake: () => response && { capabilities, response, isInitialized },
  };
}

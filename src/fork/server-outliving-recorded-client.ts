import { isNotification, isObject, isRequest, isResponse, paramsOf } from '../protocol/message.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import type { LiveEvents, LiveServer } from '../verify/run/live-server-types.ts';
import type { Handshake } from './client-taking-over.ts';

/** A live server that a recorded client leaves to another one. */
export interface OutlivingServer extends LiveServer {
  /** Returns the server's accepted handshake, if any. */
  handshake(): Handshake | undefined;
}

/**
 * Wraps a live server so that the end of the recorded client does not stop the server. `left` is called immediately
 * after the recorded client ends.
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

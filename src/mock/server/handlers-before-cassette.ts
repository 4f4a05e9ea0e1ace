import type { Channel } from '../../channel/channel.ts';
import type { WireFrame } from '../../channel/frame.ts';
import { HandlerSession } from '../handler-session.ts';
import type { HandlerSessionOptions } from './handler-session-options.ts';

/** Handlers on a channel between a client and a recorded server in this process. */
export interface HandlerInterceptor {
  /** Channel for the recorded server, with the messages that handlers do not take. */
  channel: Channel;
  session: HandlerSession;
}

/** Puts handlers before a recorded server. `client` is the server's end of the channel to the client. */
export function interceptWithHandlers(
  client: Channel,
  options: Omit<HandlerSessionOptions, 'send' | 'forward'>,
): HandlerInterceptor {
  let receive: (frame: WireFrame) => void = () => {};
  const { clock } = options;
  const session = new HandlerSession({
    ...options,
    send: (json) => void client.send({ kind: 'message', at: clock.now(), from: 'server', json }),
    forward: (json) => receive({ kind: 'message', at: clock.now(), from: 'client', json }),
  });
  const take = (frame: WireFrame) => {
    if (frame.kind === 'close') session.leave();
    if (frame.kind !== 'message') return receive(frame);
    session.receive(frame.json);
  };
  return {
    session,
    channel: {
      ...client,
      listen(listener) {
        receive = listener;
        client.listen(take);
      },
      send: (frame) => (frame.kind === 'message' && session.fromServer(frame.json)) || client.send(frame),
    },
  };
}

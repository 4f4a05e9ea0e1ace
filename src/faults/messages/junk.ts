import { type DefinedFault, defineFault } from '../fault.ts';
import { text, type WithFallback, withDefault, word } from '../rules/declare-fault-params.ts';

type Kind = 'line' | 'event' | 'bom';

type JunkParams = { text: WithFallback<string>; kind: WithFallback<Kind> };

const params: JunkParams = {
  text: withDefault(text('the line'), 'Listening on standard output'),
  kind: withDefault(
    word<Kind>(
      'line: the text on a line, or as a comment in an event stream; event: an event of an unknown type; bom: a byte order mark',
      'line',
      'event',
      'bom',
    ),
    'line',
  ),
};

const MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Sends a line before the message that is not a message, like a server that logs to standard output. */
export const junk: DefinedFault<JunkParams> = defineFault({
  name: 'junk',
  doc: 'Something that is not a message comes before the message.',
  transports: ['stdio', 'http'],
  noticedBy: 'receiver',
  params,
  unfit: ({ values, transport }) =>
    values.kind === 'event' && transport !== 'http' ? `there are no events over ${transport}` : undefined,
  start({ text, kind }, { next, write, clock, from }) {
    return {
      hit(frame) {
        const isEvent = frame.kind === 'message' && frame.sse !== undefined;
        if (kind === 'bom') write(MARK);
        else if (kind === 'event' && isEvent)
          next({ kind: 'sse', at: clock.now(), from: 'server', sse: { event: 'mcp-record', data: text } });
        else next({ kind: 'line', at: clock.now(), from, on: 'protocol', data: text });
        next(frame);
      },
    };
  },
});

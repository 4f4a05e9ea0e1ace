import type { Area, Requirement } from '../area.ts';

const HTTP = 'Streamable HTTP';
const STREAMABLE = { since: '2025-03-26' } as const;
const SESSIONS = { since: '2025-03-26', until: '2025-11-25' } as const;
const MODERN = { since: '2026-07-28' } as const;
const PROXY = 'test/transports/http/proxy.test.ts';
const DIALER = 'test/transports/http/dialer.test.ts';
const HEADERS = 'test/transports/http/request-headers.test.ts';
const FRAMES = 'test/record/http-frames.test.ts';
const RECORDER = 'test/record/http-recorder.test.ts';
const REPLAY = 'test/e2e/http/replay.test.ts';
const LINES = 'test/transports/stdio/lines.test.ts';

/** What is not in the messages, but in how they are carried. */
const requirements: Requirement[] = [
  {
    id: 'stdio/framing',
    source: 'Transports, stdio',
    says: 'A message is a line; it ends at a newline alone.',
    shownBy: [LINES, 'cuts at newlines only, never at what Unicode calls a line end'],
  },
  {
    id: 'stdio/any-cut',
    source: 'Transports, stdio',
    says: 'Lines come in pieces, cut anywhere, in the middle of a character too.',
    shownBy: [LINES, 'does not care where its input is cut'],
  },
  {
    id: 'stdio/stderr',
    source: 'Transports, stdio',
    says: 'Standard error is free text.',
    shownBy: [
      'test/transports/stdio/line-channel.test.ts',
      'makes messages and lines of the bytes of both streams',
    ],
  },
  {
    id: 'stdio/no-message',
    source: 'Transports, stdio',
    says: 'What is no message passes and is kept, as its bytes if need be.',
    shownBy: [LINES, 'gives bytes where a line is not UTF-8'],
  },
  {
    id: 'http/post',
    ...STREAMABLE,
    source: `${HTTP}, Sending Messages`,
    says: 'A message is posted, and answered as JSON or as a stream of events.',
    shownBy: [DIALER, 'posts a message, and hears the answer in its body, on the stream of the message'],
  },
  {
    id: 'http/accepted',
    ...STREAMABLE,
    source: `${HTTP}, Sending Messages`,
    says: 'What asks for no answer is accepted with 202.',
    shownBy: [FRAMES, '202 to a notification and to an answer'],
  },
  {
    id: 'http/accept',
    ...STREAMABLE,
    source: `${HTTP}, Sending Messages`,
    says: 'A client accepts both kinds of answer.',
    shownBy: [HEADERS, 'take both kinds of answer'],
  },
  {
    id: 'http/listen',
    ...SESSIONS,
    source: `${HTTP}, Listening`,
    says: 'A client listens on a stream of its own, or is told that there is none.',
    shownBy: [DIALER, 'opens a stream to listen on, if it is to, and takes it well if there is none'],
  },
  {
    id: 'http/session',
    ...SESSIONS,
    source: `${HTTP}, Session Management`,
    says: 'The answer to `initialize` issues an id, which every later request names.',
    shownBy: [
      DIALER,
      'sends the session and the revision from the answer to initialize on, and neither when it begins anew',
    ],
  },
  {
    id: 'http/session-refused',
    ...SESSIONS,
    source: `${HTTP}, Session Management`,
    says: 'Without the id a request is refused with 400, with an unknown one with 404.',
    shownBy: [REPLAY, 'is refused as its revision says'],
  },
  {
    id: 'http/session-lost',
    ...SESSIONS,
    source: `${HTTP}, Session Management`,
    says: 'A session that is gone is begun again, without an id.',
    shownBy: [RECORDER, 'ends when the server does not know it any more'],
  },
  {
    id: 'http/session-end',
    ...SESSIONS,
    source: `${HTTP}, Session Management`,
    says: 'A client ends its session with DELETE.',
    shownBy: [DIALER, 'ends its session'],
  },
  {
    id: 'http/many-sessions',
    ...SESSIONS,
    source: `${HTTP}, Session Management`,
    says: 'Sessions at once, with the same ids, are each their own.',
    shownBy: [
      'test/e2e/http/crowd.test.ts',
      'have each a tape of its own session alone, and cost the server no request more',
    ],
  },
  {
    id: 'http/version',
    since: '2025-06-18',
    source: `${HTTP}, Protocol Version Header`,
    says: 'Requests name the revision; an unknown one is refused with 400.',
    shownBy: [HEADERS, 'name the session and the revision once there are'],
  },
  {
    id: 'http/resume',
    ...SESSIONS,
    source: `${HTTP}, Resumability`,
    says: 'A stream that broke off is resumed after its last event, and brings the answer.',
    shownBy: [DIALER, 'is resumed after its last event, and brings the answer on the same stream'],
  },
  {
    id: 'http/polling',
    since: '2025-11-25',
    until: '2025-11-25',
    source: `${HTTP}, Sending Messages`,
    says: 'A server primes a stream, says when to come back, and closes it before the answer.',
    shownBy: [FRAMES, 'priming, comments, and an end before the answer'],
  },
  {
    id: 'http/batch',
    since: '2025-03-26',
    until: '2025-03-26',
    source: `${HTTP}, Sending Messages`,
    says: 'Messages come in batches.',
    shownBy: ['test/replay/http-exchange.test.ts', 'of a batch ends with the last answer'],
  },
  {
    id: 'http/disconnect',
    ...SESSIONS,
    source: `${HTTP}, Sending Messages`,
    says: 'To disconnect is not to cancel.',
    shownBy: [DIALER, 'is cancelled by a message up to 2025-11-25'],
  },
  {
    id: 'http/close-cancels',
    ...MODERN,
    source: `${HTTP}, Cancellation`,
    says: 'To close the stream of a request is to cancel it.',
    shownBy: [
      DIALER,
      'is cancelled by leaving its stream from 2026-07-28 on, also where the tape has a message',
    ],
  },
  {
    id: 'http/no-resume',
    ...MODERN,
    source: `${HTTP}`,
    says: 'A stream that broke off is lost.',
    shownBy: [DIALER, 'of 2026-07-28 is never resumed'],
  },
  {
    id: 'http/headers',
    ...MODERN,
    source: `${HTTP}, Request Metadata`,
    says: 'Headers repeat the revision, the method and the name.',
    shownBy: [HEADERS, 'repeat the revision and the method, and know no session'],
  },
  {
    id: 'http/param-headers',
    ...MODERN,
    source: `${HTTP}, Request Metadata`,
    says: 'Headers repeat the arguments that a tool marks, as base64 where they would not pass.',
    shownBy: [
      'test/transports/http/header-text.test.ts',
      'gives back whatever it was made to carry, in characters that every header may have',
    ],
  },
  {
    id: 'http/header-mismatch',
    ...MODERN,
    source: `${HTTP}, -32020`,
    says: 'Headers that say something else than the body are refused with 400 and -32020.',
    shownBy: [REPLAY, 'is refused what the headers of 2026-07-28 say and the body does not'],
  },
  {
    id: 'http/no-buffering',
    ...STREAMABLE,
    source: `${HTTP}, Security and proxies`,
    says: 'A proxy passes events as they come.',
    shownBy: [PROXY, 'passes chunk by chunk, its head at once, each before the next is there'],
  },
  {
    id: 'http/lost-connection',
    ...STREAMABLE,
    source: `${HTTP}, Cancellation`,
    says: 'A proxy loses on one side what was lost on the other, in the same manner.',
    shownBy: [PROXY, 'by the client’s reset is reset towards the server'],
  },
  {
    id: 'http/origin',
    ...STREAMABLE,
    source: `${HTTP}, Security Warning`,
    says: 'Requests from strangers’ pages are refused with 403.',
    shownBy: [REPLAY, 'is refused as its revision says'],
  },
  {
    id: 'sse/endpoint',
    until: '2025-11-25',
    source: 'HTTP with SSE',
    says: 'The stream names where to post, which a proxy makes its own.',
    shownBy: ['test/transports/http/endpoint.test.ts', 'the endpoint event'],
  },
  {
    id: 'sse/fallback',
    until: '2025-11-25',
    source: `${HTTP}, Backwards Compatibility`,
    says: 'A client that is refused tries the older form.',
    shownBy: [DIALER, 'does so too where a server refuses to be initialized by a post'],
  },
  {
    id: 'sse/same-origin',
    until: '2025-11-25',
    source: 'HTTP with SSE',
    says: 'A client posts nowhere but to the origin that it asked.',
    shownBy: [DIALER, 'posts nothing to %s'],
  },
  {
    id: 'era/legacy-tape',
    source: 'Versioning, Detection',
    says: 'A server of the older era refuses `server/discover` at once.',
    shownBy: ['test/replay/era.test.ts', 'of a legacy tape is told at once that there is no such method'],
  },
  {
    id: 'era/modern-tape',
    source: 'Versioning, Detection',
    says: 'A server of the newer era answers `server/discover`, and refuses `initialize` with its revisions.',
    shownBy: ['test/replay/era.test.ts', 'by handshake of a modern tape is told the revisions'],
  },
  {
    id: 'era/probe-process',
    source: 'Versioning, Detection',
    says: 'A process that was only asked what it can do has a tape of its own.',
    shownBy: [
      'test/record/recorder.test.ts',
      'names the tape of a mere question apart, until the client says more',
    ],
  },
  {
    id: 'auth/flow',
    ...STREAMABLE,
    source: 'Authorization',
    says: 'A client finds the authorization server and comes back with a token.',
    shownBy: ['test/e2e/http/auth.test.ts', '§13, authorization through the recorder'],
  },
  {
    id: 'auth/no-token-kept',
    source: 'Authorization, Security',
    says: 'No token is on a tape.',
    shownBy: [FRAMES, 'no secret of a header reaches the tape'],
  },
];

export const transports: Area = { name: 'Transports, eras, authorization', requirements, conversations: [] };

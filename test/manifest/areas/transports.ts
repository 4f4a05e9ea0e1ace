import type { Area, Requirement } from '../area.ts';

const HTTP = 'Streamable HTTP';
const STREAMABLE = { since: '2025-03-26' } as const;
const DIALER = 'test/transports/http/dialer.test.ts';
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
];

export const transports: Area = { name: 'Transports, eras, authorization', requirements };

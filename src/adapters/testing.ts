export type { Journal } from '../journal/journal.ts';
export type {
  JournalEntry,
  ReceivedAnswer,
  ReceivedNotification,
  ReceivedRequest,
} from '../journal/journal-entry.ts';
export type { WaitOptions } from '../journal/wait-for.ts';
export type { Endpoint, EndpointOptions } from '../mock/endpoint/fetch-endpoint.ts';
export type { ReplayOutcome } from '../replay/findings/replay-outcome.ts';
export { mockServer } from './mock-server/mock-server.ts';
export type {
  HttpMockServer,
  HttpOptions,
  MemoryOptions,
  MemoryServer,
  MockServer,
  StdioOptions,
  StdioServer,
} from './mock-server/mock-server-types.ts';
export type { CassetteOwner } from './test/cassette-ownership.ts';
export { type ServerTest, serverTests } from './test/interaction-tests.ts';
export { type Answered, type Asked, matchers, type Times } from './test/matchers.ts';
export { openMcp } from './test/mcp-fixture.ts';
export type { ConnectOptions, Mcp, OwnMcp } from './test/mcp-types.ts';
export type { ConnectServer, TestedServer } from './test/tested-server.ts';
export { type VerifyOptions, verifyServer } from './test/verify-server.ts';
export { withMcp } from './test/with-mcp.ts';

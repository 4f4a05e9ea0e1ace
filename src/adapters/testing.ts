export type {
  JournalEntry,
  ReceivedAnswer,
  ReceivedNotification,
  ReceivedRequest,
} from '../journal/entry.ts';
export type { Journal } from '../journal/journal.ts';
export type { WaitOptions } from '../journal/wait-for.ts';
export type { CassetteOwner } from './claims.ts';
export type { Endpoint, EndpointOptions } from './endpoint.ts';
export { type Answered, type Asked, matchers } from './matchers.ts';
export { type ConnectOptions, type Mcp, type OwnMcp, openMcp } from './mcp.ts';
export {
  type HttpMockServer,
  type HttpOptions,
  type MemoryOptions,
  type MemoryServer,
  type MockServer,
  mockServer,
  type StdioOptions,
  type StdioServer,
} from './mock-server.ts';
export type { ReplayOutcome } from './replay-outcome.ts';
export { type ServerTest, serverTests } from './server-tests.ts';
export { type ConnectServer, type TestedServer, type VerifyOptions, verifyServer } from './verify-server.ts';
export { withMcp } from './with-mcp.ts';

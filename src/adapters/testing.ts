export type { Journal } from '../journal/journal.ts';
export type {
  JournalEntry,
  ReceivedAnswer,
  ReceivedNotification,
  ReceivedRequest,
} from '../journal/journal-entry.ts';
export type { WaitOptions } from '../journal/wait-for.ts';
export type { ManualClock } from '../kernel/manual-clock.ts';
export type { AffectedUse, AffectedValues, Change, ContractUser, Severity } from '../match/contract-change-types.ts';
export type { EndpointOptions, EndpointOutcome, FetchEndpoint } from '../mock/endpoint/fetch-endpoint.ts';
export type { ReplayOutcome } from '../replay/findings/replay-outcome.ts';
export type { Outcome, Step } from '../text-report/outcome-model.ts';
export type { ConnectServer } from './in-process/in-process-server.ts';
export {
  type Answered,
  type Asked,
  type Matched,
  type MatcherState,
  matchers,
  type Times,
} from './matchers/client-message-matchers.ts';
export type { TestedServer } from './mock-client/open-server-under-test.ts';
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
export type { CassetteOwner, UsedCassette } from './test/claim-test-cassette.ts';
export { type ServerTest, serverTests } from './test/interaction-tests.ts';
export type { ConnectOptions, Mcp, OwnMcp } from './test/mcp-types.ts';
export { openMcp } from './test/open-mcp-in-any-runner.ts';
export { compareServer, type VerifyOptions, verifyServer } from './test/verify-server.ts';
export { withMcp } from './test/with-mcp.ts';

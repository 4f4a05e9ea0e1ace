export type { Fired } from '../faults/engine/fault-injector.ts';
export type { AuthorizationOptions, KnownClient, ScopeRule } from '../mock/authorization/authorization-options.ts';
export {
  type CassetteAnswers,
  type CassetteBuilder,
  type CassetteOptions,
  cassette,
} from '../mock/cassette-builder.ts';
export type { ClientDescription, RequestOptions } from '../mock/client/mock-client-session.ts';
export { type MockFile, type MockFileOptions, readMockFile } from '../mock/file/mock-file.ts';
export {
  type Arguments,
  type Awaitable,
  type Definition,
  type HandledRequest,
  type Handler,
  type HandlerContext,
  type HandlerOptions,
  type ProgressDetails,
  type PromptOptions,
  prompt,
  type ResourceOptions,
  type Result,
  RpcFailure,
  request,
  resource,
  type ToolOptions,
  tool,
} from '../mock/handler.ts';
export type { RequestIds } from '../mock/own-requests.ts';
export type { MadeResult } from '../mock/results/result-problem.ts';
export type { AskOptions } from '../mock/server/ask-timeout.ts';
export type { ServerDescription } from '../mock/server/server-fallback-answers.ts';
export type {
  ArgumentsOf,
  CheckedValue,
  JsonSchema,
  StandardIssue,
  StandardResult,
  StandardSchema,
  ToolSchema,
  ValueCheck,
} from '../mock/tool-schema.ts';
export { type SaveOptions, saveCassette } from '../mock/write-redacted-cassette.ts';
export type { FaultRule, WrittenRule } from '../modes/faulty-channel.ts';
export type { Repeat, RepeatOption } from '../protocol/method-table.ts';
export type { Reaction } from '../replay/findings/failure-policy.ts';
export type { ResponseMode } from '../replay/http/post-answer.ts';
export { type MockClient, type MockClientOptions, mockClient } from './mock-client/mock-client.ts';
export { mockServer } from './mock-server/mock-server.ts';
export type {
  HttpMockServer,
  HttpOptions,
  MemoryOptions,
  MemoryServer,
  MockServer,
  StartMockServer,
  WithoutCassette,
} from './mock-server/mock-server-types.ts';

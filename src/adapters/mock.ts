export {
  type Arguments,
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
export type { ServerDescription } from '../mock/server-defaults.ts';
export { mockServer } from './mock-server/mock-server.ts';
export type {
  HttpMockServer,
  HttpOptions,
  MemoryOptions,
  MemoryServer,
  MockServer,
  WithoutCassette,
} from './mock-server/mock-server-types.ts';

export type { AffectedUse, AffectedValues, Change, ContractUser, Severity } from '../match/contract-change-types.ts';
export type { Outcome, Step } from '../text-report/outcome-model.ts';
export { type SdkTransport, serverTransport, sessionTransport } from './sdk/channel-transport.ts';
export { type LinkedOptions, type LinkedTransports, linkedTransports } from './sdk/faulty-linked-transports.ts';
export {
  type RecordedTransport,
  type RecordTransportOptions,
  recordTransport,
} from './sdk/record-transport.ts';
export { type ReplayTransport, replayTransport } from './sdk/replay-transport.ts';
export { type ClientTransport, clientTransport } from './sdk/transport-of-recorded-client.ts';

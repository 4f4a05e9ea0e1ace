export { type ClientTransport, clientTransport } from './client-transport.ts';
export { type LinkedOptions, type LinkedTransports, linkedTransports } from './linked-transports.ts';
export { type RecordedTransport, type RecordTransportOptions, recordTransport } from './record-transport.ts';
export { type ReplayTransport, replayTransport } from './replay-transport.ts';
export { type SdkTransport, serverTransport, sessionTransport } from './sdk-transport.ts';

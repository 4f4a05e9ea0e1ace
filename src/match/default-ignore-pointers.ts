import { META } from '../protocol/meta.ts';
import { escapeStep, type Pointer } from './ignore-rules.ts';

const TASK: readonly string[] = [
  'taskId',
  'createdAt',
  'lastUpdatedAt',
  'ttl',
  'ttlMs',
  'pollInterval',
  'pollIntervalMs',
];
/** Volatile fields of an event, in the result of a poll or in a notification (extension Events). */
const EVENT: readonly string[] = ['eventId', 'timestamp', 'cursor'];
const LISTS: readonly string[] = ['content', 'contents', 'resources', 'resourceTemplates', 'messages'];
const LOG_TIMES: readonly string[] = ['time', 'timestamp', 'ts', 'date'];

/**
 * Values that differ between any two runs of one server and carry no meaning (protocol digest: "Volatile values and who
 * must remap"): ids, times, intervals, handles that the server generates, and its version.
 */
export const VOLATILE: readonly Pointer[] = [
  '/id',
  '/jsonrpc',
  '/result/nextCursor',
  '/result/requestState',
  '/result/serverInfo/version',
  `/result/_meta/${escapeStep(META.serverInfo)}/version`,
  ...[META.relatedTask, META.subscriptionId].flatMap((key) => [
    `/result/_meta/${escapeStep(key)}`,
    `/params/_meta/${escapeStep(key)}`,
  ]),
  ...['cursor', 'nextPollMs', 'refreshBefore'].map((name) => `/result/${name}`),
  ...EVENT.flatMap((name) => [`/result/events/*/${name}`, `/params/${name}`]),
  '/error/data/elicitations/*/elicitationId',
  '/params/elicitationId',
  ...TASK.flatMap((name) => [`/result/${name}`, `/result/task/${name}`, `/params/${name}`]),
  ...LISTS.map((list) => `/result/${list}/*/annotations/lastModified`),
  ...LOG_TIMES.map((name) => `/params/data/${name}`),
];

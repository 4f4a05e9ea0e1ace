import { insufficientScope as insufficientScopeKind } from '../faults/authorization/insufficient-scope.ts';
import { oauthError as oauthErrorKind } from '../faults/authorization/oauth-error.ts';
import { tokenRefused as tokenRefusedKind } from '../faults/authorization/token-refused.ts';
import { wrongIssuer as wrongIssuerKind } from '../faults/authorization/wrong-issuer.ts';
import { cut as cutKind } from '../faults/connections/cut.ts';
import { down as downKind } from '../faults/connections/down.ts';
import { end as endKind } from '../faults/connections/end.ts';
import { exit as exitKind } from '../faults/connections/exit.ts';
import { halfClose as halfCloseKind } from '../faults/connections/half-close.ts';
import { httpStatus as httpStatusKind } from '../faults/connections/http-status.ts';
import { redeliver as redeliverKind } from '../faults/connections/redeliver.ts';
import { reset as resetKind } from '../faults/connections/reset.ts';
import { resume as resumeKind } from '../faults/connections/resume.ts';
import { sessionLost as sessionLostKind } from '../faults/connections/session-lost.ts';
import { stderrFlood as stderrFloodKind } from '../faults/connections/stderr-flood.ts';
import { truncate as truncateKind } from '../faults/connections/truncate.ts';
import { cancel as cancelKind } from '../faults/messages/cancel.ts';
import { coalesce as coalesceKind } from '../faults/messages/coalesce.ts';
import { corrupt as corruptKind } from '../faults/messages/corrupt.ts';
import { drop as dropKind } from '../faults/messages/drop.ts';
import { duplicate as duplicateKind } from '../faults/messages/duplicate.ts';
import { errorReply as errorReplyKind } from '../faults/messages/error-reply.ts';
import { ignoreCancel as ignoreCancelKind } from '../faults/messages/ignore-cancel.ts';
import { junk as junkKind } from '../faults/messages/junk.ts';
import { oversize as oversizeKind } from '../faults/messages/oversize.ts';
import { patch as patchKind } from '../faults/messages/patch.ts';
import { progress as progressKind } from '../faults/messages/progress.ts';
import { version as versionKind } from '../faults/messages/version.ts';
import { wrongId as wrongIdKind } from '../faults/messages/wrong-id.ts';
import { clog as clogKind } from '../faults/timing/clog.ts';
import { discoverTimeout as probeSilenceKind } from '../faults/timing/discover-timeout.ts';
import { late as lateKind } from '../faults/timing/late.ts';
import { latency as latencyKind } from '../faults/timing/latency.ts';
import { reorder as reorderKind } from '../faults/timing/reorder.ts';
import { slice as sliceKind } from '../faults/timing/slice.ts';
import { slowClose as slowCloseKind } from '../faults/timing/slow-close.ts';
import { slowReader as slowReaderKind } from '../faults/timing/slow-reader.ts';
import { stall as stallKind } from '../faults/timing/stall.ts';
import { throttle as throttleKind } from '../faults/timing/throttle.ts';
import { type FunctionOf, faultFunction } from './fault-rule-factory.ts';

export {
  type DefinedFault,
  defineFault,
  type Fault,
  type FaultContext,
  type FaultInstance,
  type FaultKind,
  type FaultTransport,
  type Use,
} from '../faults/fault.ts';
export {
  anything,
  count,
  duration,
  milliseconds,
  object,
  type Param,
  type Params,
  text,
  type WithFallback,
  type Written,
  withDefault,
  word,
} from '../faults/rules/declare-fault-params.ts';
export type { Rule } from '../faults/rules/fault-rule.ts';
export type { When } from '../faults/rules/when.ts';
export type { Random } from '../kernel/random.ts';
export { type FaultFunction, type FaultOptions, faultFunction, type RuleOptions } from './fault-rule-factory.ts';

/** Delays each message by a time measured from its arrival. The order is kept. */
export const latency: FunctionOf<typeof latencyKind> = faultFunction(latencyKind);
/** Withholds all messages while the process and its connection live. Afterwards, if the stall ends, they are sent. */
export const stall: FunctionOf<typeof stallKind> = faultFunction(stallKind);
/** Holds all traffic for a duration, then sends it in one burst. */
export const clog: FunctionOf<typeof clogKind> = faultFunction(clogKind);
/** Sends bytes at a steady rate. */
export const throttle: FunctionOf<typeof throttleKind> = faultFunction(throttleKind);
/** Splits a message into pieces, cut inside lines and inside characters. */
export const slice: FunctionOf<typeof sliceKind> = faultFunction(sliceKind);
/** Sends several messages in one write. */
export const coalesce: FunctionOf<typeof coalesceKind> = faultFunction(coalesceKind);
/** Reads at most a number of bytes per second, which blocks the writer. */
export const slowReader: FunctionOf<typeof slowReaderKind> = faultFunction(slowReaderKind);
/** Drops the message. */
export const drop: FunctionOf<typeof dropKind> = faultFunction(dropKind);
/** Sends the message again, with the same id. */
export const duplicate: FunctionOf<typeof duplicateKind> = faultFunction(duplicateKind);
/** Reorders messages within a window: two swap places, more are shuffled by the seed. */
export const reorder: FunctionOf<typeof reorderKind> = faultFunction(reorderKind);
/** Holds the answer until the other side has cancelled its request. Then sends the answer late. */
export const late: FunctionOf<typeof lateKind> = faultFunction(lateKind);
/** Sends the first bytes of the message, then ends the stream. */
export const truncate: FunctionOf<typeof truncateKind> = faultFunction(truncateKind);
/** Damages the message: flipped bits, invalid UTF-8, invalid JSON or JSON-RPC, or over HTTP an invalid framing. */
export const corrupt: FunctionOf<typeof corruptKind> = faultFunction(corruptKind);
/** Inserts invalid data before the message. */
export const junk: FunctionOf<typeof junkKind> = faultFunction(junkKind);
/** Pads the message with white space to a given length. */
export const oversize: FunctionOf<typeof oversizeKind> = faultFunction(oversizeKind);
/** Replaces the id by an unused id, by the previous message's id, or by the same id with the other type (1, "1"). */
export const wrongId: FunctionOf<typeof wrongIdKind> = faultFunction(wrongIdKind);
/** Applies a JSON merge patch to the message. Over HTTP, headers and status may be changed too. */
export const patch: FunctionOf<typeof patchKind> = faultFunction(patchKind);
/** Replaces the answer by a JSON-RPC error. Applied to a request, answers with the error and does not forward it. */
export const errorReply: FunctionOf<typeof errorReplyKind> = faultFunction(errorReplyKind);
/** Answers an HTTP request with a status in place of forwarding it, or replaces its answer by the status. */
export const httpStatus: FunctionOf<typeof httpStatusKind> = faultFunction(httpStatusKind);
/** Ends the stream cleanly in place of the message. A process exits with 0. */
export const end: FunctionOf<typeof endKind> = faultFunction(endKind);
/** Breaks the connection at the message or inside it: the process is killed, or the connection is closed. */
export const cut: FunctionOf<typeof cutKind> = faultFunction(cutKind);
/** Resets the connection (RST) at the message, or inside it. */
export const reset: FunctionOf<typeof resetKind> = faultFunction(resetKind);
/** Exits the server at the message, with a status or by a signal. HTTP connections are refused afterwards. */
export const exit: FunctionOf<typeof exitKind> = faultFunction(exitKind);
/** Ends the stream in place of the message. The process runs on; an HTTP connection is half closed. */
export const halfClose: FunctionOf<typeof halfCloseKind> = faultFunction(halfCloseKind);
/** Delays the end of input and signals, as if the server ignored them. */
export const slowClose: FunctionOf<typeof slowCloseKind> = faultFunction(slowCloseKind);
/** Refuses new connections and closes open ones. A process exits with 1 before its first message. */
export const down: FunctionOf<typeof downKind> = faultFunction(downKind);
/** Ends the message's session: later requests in it are answered with 404 until the client initializes again. */
export const sessionLost: FunctionOf<typeof sessionLostKind> = faultFunction(sessionLostKind);
/** Ends the stream before the message, with event id and retry time, until the client resumes by Last-Event-ID. */
export const resume: FunctionOf<typeof resumeKind> = faultFunction(resumeKind);
/** Sends already delivered messages again when a client resumes a stream. */
export const redeliver: FunctionOf<typeof redeliverKind> = faultFunction(redeliverKind);
/** Changes the revision in the answer to initialize, or removes all revisions from the answer to server/discover. */
export const version: FunctionOf<typeof versionKind> = faultFunction(versionKind);
/** Withholds the answer to server/discover, or delays it. */
export const discoverTimeout: FunctionOf<typeof probeSilenceKind> = faultFunction(probeSilenceKind);
/** Cancels the request, immediately or after messages of the other side. HTTP since 2026-07-28: closes its stream. */
export const cancel: FunctionOf<typeof cancelKind> = faultFunction(cancelKind);
/** Drops cancellations, so that the request is still answered. */
export const ignoreCancel: FunctionOf<typeof ignoreCancelKind> = faultFunction(ignoreCancelKind);
/** Disturbs progress: decreasing values, progress after the answer, unknown tokens, or a thousand notifications. */
export const progress: FunctionOf<typeof progressKind> = faultFunction(progressKind);
/** Fills standard error before the message. */
export const stderrFlood: FunctionOf<typeof stderrFloodKind> = faultFunction(stderrFloodKind);
/** Answers 401 to this and later requests with the same access token: expired, revoked, or for another server. */
export const tokenRefused: FunctionOf<typeof tokenRefusedKind> = faultFunction(tokenRefusedKind);
/** Refuses requests of this kind with 403 until their access token has a scope. */
export const insufficientScope: FunctionOf<typeof insufficientScopeKind> = faultFunction(insufficientScopeKind);
/** Refuses a request to the authorization server: refresh, token, registration or authorization. */
export const oauthError: FunctionOf<typeof oauthErrorKind> = faultFunction(oauthErrorKind);
/** Names another issuer in the authorization server's metadata, or another server in the resource metadata. */
export const wrongIssuer: FunctionOf<typeof wrongIssuerKind> = faultFunction(wrongIssuerKind);

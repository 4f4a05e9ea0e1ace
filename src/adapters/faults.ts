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
import { type FunctionOf, faultFunction } from './fault-rule-builder.ts';

export {
  type DefinedFault,
  defineFault,
  type Fault,
  type FaultContext,
  type FaultInstance,
  type FaultTransport,
} from '../faults/fault.ts';
export {
  anything,
  count,
  duration,
  milliseconds,
  object,
  or,
  type Param,
  type Params,
  text,
  type WithFallback,
  type Written,
  word,
} from '../faults/rules/fault-params.ts';
export type { Rule } from '../faults/rules/fault-rule.ts';
export type { When } from '../faults/rules/when.ts';
export { type FaultFunction, faultFunction, type RuleOptions } from './fault-rule-builder.ts';

/** Delays each message by a time measured from its arrival. The order is kept. */
export const latency: FunctionOf<typeof latencyKind> = faultFunction(latencyKind);
/** Withholds all messages while the process and its connection live. Afterwards, if the stall ends, they are sent. */
export const stall: FunctionOf<typeof stallKind> = faultFunction(stallKind);
/** Holds all traffic for a while, then sends it in one burst. */
export const clog: FunctionOf<typeof clogKind> = faultFunction(clogKind);
/** Sends bytes at a steady rate. */
export const throttle: FunctionOf<typeof throttleKind> = faultFunction(throttleKind);
/** Splits a message into pieces, cut inside lines and inside characters. */
export const slice: FunctionOf<typeof sliceKind> = faultFunction(sliceKind);
/** Sends several messages in one write. */
export const coalesce: FunctionOf<typeof coalesceKind> = faultFunction(coalesceKind);
/** Reads no faster than a number of bytes per second, so that the writer has to wait. */
export const slowReader: FunctionOf<typeof slowReaderKind> = faultFunction(slowReaderKind);
/** Drops the message. */
export const drop: FunctionOf<typeof dropKind> = faultFunction(dropKind);
/** Sends the message again, with the same id. */
export const duplicate: FunctionOf<typeof duplicateKind> = faultFunction(duplicateKind);
/** Reorders messages within a window: two swap places, more are shuffled by the seed. */
export const reorder: FunctionOf<typeof reorderKind> = faultFunction(reorderKind);
/** Holds the answer until the other side has cancelled its request, and then sends it all the same. */
export const late: FunctionOf<typeof lateKind> = faultFunction(lateKind);
/** Sends the first bytes of the message, then ends the stream. */
export const truncate: FunctionOf<typeof truncateKind> = faultFunction(truncateKind);
/** Damages the message: flipped bits, bytes that are not UTF-8, JSON that does not end, JSON that is not JSON-RPC. With `framing`, over HTTP: the status line, or the size of a chunk. */
export const corrupt: FunctionOf<typeof corruptKind> = faultFunction(corruptKind);
/** Inserts something that is not a message before the message. */
export const junk: FunctionOf<typeof junkKind> = faultFunction(junkKind);
/** Pads the message with white space to a given length. */
export const oversize: FunctionOf<typeof oversizeKind> = faultFunction(oversizeKind);
/** Replaces the id of the message: by one that nobody used, by that of the message before, or by the same of the other type (1 and "1"). */
export const wrongId: FunctionOf<typeof wrongIdKind> = faultFunction(wrongIdKind);
/** Alters the message by a JSON merge patch: the values of the patch replace those of the message, null removes one. Over HTTP the head may be altered, too. */
export const patch: FunctionOf<typeof patchKind> = faultFunction(patchKind);
/** Answers with a JSON-RPC error in place of the answer. A request is answered with the error at once, and does not arrive. */
export const errorReply: FunctionOf<typeof errorReplyKind> = faultFunction(errorReplyKind);
/** Answers the HTTP request with a status, and the request does not arrive. An answer is replaced by the status. Over HTTP only. */
export const httpStatus: FunctionOf<typeof httpStatusKind> = faultFunction(httpStatusKind);
/** Ends the stream cleanly where the message would have come. A process exits with 0. */
export const end: FunctionOf<typeof endKind> = faultFunction(endKind);
/** Breaks the connection off at the message, or inside it: the process is killed, the connection is closed. */
export const cut: FunctionOf<typeof cutKind> = faultFunction(cutKind);
/** Resets the connection (RST) at the message, or inside it. */
export const reset: FunctionOf<typeof resetKind> = faultFunction(resetKind);
/** Exits the server process with a status or by a signal at the message: the calls in flight are lost. Over HTTP, connections are refused from then on. */
export const exit: FunctionOf<typeof exitKind> = faultFunction(exitKind);
/** Ends the stream where the message would have come, while the process lives on. Over HTTP the response is complete and its connection half closed. */
export const halfClose: FunctionOf<typeof halfCloseKind> = faultFunction(halfCloseKind);
/** Holds the end of input and signals back for a while, as if the server ignored them. */
export const slowClose: FunctionOf<typeof slowCloseKind> = faultFunction(slowCloseKind);
/** Refuses connections and ends those that are open, as if there were no server. A process exits with 1 before it says anything. */
export const down: FunctionOf<typeof downKind> = faultFunction(downKind);
/** Ends the session of the message: each request in it is answered with 404 until the client initializes again. */
export const sessionLost: FunctionOf<typeof sessionLostKind> = faultFunction(sessionLostKind);
/** Ends the stream before the message, after an event id and a time to wait. The stream continues where the client asks for it by Last-Event-ID. */
export const resume: FunctionOf<typeof resumeKind> = faultFunction(resumeKind);
/** Repeats the last messages that a client has had already, when it resumes a stream. */
export const redeliver: FunctionOf<typeof redeliverKind> = faultFunction(redeliverKind);
/** Changes the protocol revision in the answer to initialize; in the answer to server/discover, where the rule selects that, it leaves none. */
export const version: FunctionOf<typeof versionKind> = faultFunction(versionKind);
/** Withholds the answer to server/discover, or delays it. */
export const discoverTimeout: FunctionOf<typeof probeSilenceKind> = faultFunction(probeSilenceKind);
/** Cancels the request with notifications/cancelled, or over HTTP from 2026-07-28 on by closing its stream: at once, or after a number of messages of the other side. */
export const cancel: FunctionOf<typeof cancelKind> = faultFunction(cancelKind);
/** Drops cancels, so that the request is answered all the same. */
export const ignoreCancel: FunctionOf<typeof ignoreCancelKind> = faultFunction(ignoreCancelKind);
/** Disturbs progress: it goes down, comes after the answer, names an unknown token, or comes a thousand times. */
export const progress: FunctionOf<typeof progressKind> = faultFunction(progressKind);
/** Fills standard error before the message. */
export const stderrFlood: FunctionOf<typeof stderrFloodKind> = faultFunction(stderrFloodKind);
/** Refuses the access token of the request, and whatever comes with it later, with 401: it expired, was revoked, or is for another server. */
export const tokenRefused: FunctionOf<typeof tokenRefusedKind> = faultFunction(tokenRefusedKind);
/** Refuses requests of this kind with 403 until their access token has a scope. */
export const insufficientScope: FunctionOf<typeof insufficientScopeKind> = faultFunction(insufficientScopeKind);
/** Refuses a request to the authorization server: a refresh, a token, a registration, or to authorize at all. */
export const oauthError: FunctionOf<typeof oauthErrorKind> = faultFunction(oauthErrorKind);
/** Names another issuer in the metadata of the authorization server, or another authorization server in those of the resource. */
export const wrongIssuer: FunctionOf<typeof wrongIssuerKind> = faultFunction(wrongIssuerKind);

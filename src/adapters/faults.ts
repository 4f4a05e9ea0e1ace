import { cancel as cancelKind } from '../faults/cancel.ts';
import { clog as clogKind } from '../faults/clog.ts';
import { coalesce as coalesceKind } from '../faults/coalesce.ts';
import { corrupt as corruptKind } from '../faults/corrupt.ts';
import { cut as cutKind } from '../faults/cut.ts';
import { down as downKind } from '../faults/down.ts';
import { drop as dropKind } from '../faults/drop.ts';
import { duplicate as duplicateKind } from '../faults/duplicate.ts';
import { end as endKind } from '../faults/end.ts';
import { errorReply as errorReplyKind } from '../faults/error-reply.ts';
import { exit as exitKind } from '../faults/exit.ts';
import { halfClose as halfCloseKind } from '../faults/half-close.ts';
import { httpStatus as httpStatusKind } from '../faults/http-status.ts';
import { ignoreCancel as ignoreCancelKind } from '../faults/ignore-cancel.ts';
import { junk as junkKind } from '../faults/junk.ts';
import { late as lateKind } from '../faults/late.ts';
import { latency as latencyKind } from '../faults/latency.ts';
import { oversize as oversizeKind } from '../faults/oversize.ts';
import { patch as patchKind } from '../faults/patch.ts';
import { probeSilence as probeSilenceKind } from '../faults/probe-silence.ts';
import { progress as progressKind } from '../faults/progress.ts';
import { redeliver as redeliverKind } from '../faults/redeliver.ts';
import { reorder as reorderKind } from '../faults/reorder.ts';
import { reset as resetKind } from '../faults/reset.ts';
import { resume as resumeKind } from '../faults/resume.ts';
import { sessionLost as sessionLostKind } from '../faults/session-lost.ts';
import { slice as sliceKind } from '../faults/slice.ts';
import { slowClose as slowCloseKind } from '../faults/slow-close.ts';
import { slowReader as slowReaderKind } from '../faults/slow-reader.ts';
import { stall as stallKind } from '../faults/stall.ts';
import { stderrFlood as stderrFloodKind } from '../faults/stderr-flood.ts';
import { throttle as throttleKind } from '../faults/throttle.ts';
import { truncate as truncateKind } from '../faults/truncate.ts';
import { version as versionKind } from '../faults/version.ts';
import { wrongId as wrongIdKind } from '../faults/wrong-id.ts';
import { type FunctionOf, faultFunction } from './fault-function.ts';

export {
  type DefinedFault,
  defineFault,
  type Fault,
  type Ground,
  type Segment,
  type Tools,
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
} from '../faults/param.ts';
export type { Rule } from '../faults/rule.ts';
export type { When } from '../faults/when.ts';
export { type FaultFunction, faultFunction, type RuleOptions } from './fault-function.ts';

/** Holds a frame for a time that is measured from its arrival. The order is kept. */
export const latency: FunctionOf<typeof latencyKind> = faultFunction(latencyKind);
/** No more frames, while the process and its connection live; afterwards, if there is an afterwards, all that was held. */
export const stall: FunctionOf<typeof stallKind> = faultFunction(stallKind);
/** Nothing passes for a while, then everything in one burst. */
export const clog: FunctionOf<typeof clogKind> = faultFunction(clogKind);
/** Bytes leave at a steady rate. */
export const throttle: FunctionOf<typeof throttleKind> = faultFunction(throttleKind);
/** A message leaves in pieces, cut inside lines and inside characters. */
export const slice: FunctionOf<typeof sliceKind> = faultFunction(sliceKind);
/** Several frames leave in one write. */
export const coalesce: FunctionOf<typeof coalesceKind> = faultFunction(coalesceKind);
/** Our end reads no faster than so many bytes per second, and the writer has to wait. */
export const slowReader: FunctionOf<typeof slowReaderKind> = faultFunction(slowReaderKind);
/** The message is swallowed. */
export const drop: FunctionOf<typeof dropKind> = faultFunction(dropKind);
/** The message is sent again, with the same id. */
export const duplicate: FunctionOf<typeof duplicateKind> = faultFunction(duplicateKind);
/** Frames change places within a window: two swap, more are shuffled by the seed. */
export const reorder: FunctionOf<typeof reorderKind> = faultFunction(reorderKind);
/** The answer is held until the other side has cancelled its request, and then sent all the same. */
export const late: FunctionOf<typeof lateKind> = faultFunction(lateKind);
/** The first bytes of the message, then the end of the stream. */
export const truncate: FunctionOf<typeof truncateKind> = faultFunction(truncateKind);
/** The message arrives damaged: bits flipped, bytes that are no UTF-8, JSON that does not end, JSON that is no JSON-RPC. Framing, over HTTP: a status line, or the size of a chunk, that is none. */
export const corrupt: FunctionOf<typeof corruptKind> = faultFunction(corruptKind);
/** Something that is no message comes before the message. */
export const junk: FunctionOf<typeof junkKind> = faultFunction(junkKind);
/** The message is as long as asked, by white space inside it. */
export const oversize: FunctionOf<typeof oversizeKind> = faultFunction(oversizeKind);
/** The id is one that nobody used, that of the message before, or of the other type (1 and "1"). */
export const wrongId: FunctionOf<typeof wrongIdKind> = faultFunction(wrongIdKind);
/** The message is altered by a JSON merge patch: what it has replaces, null removes. Over HTTP its head may be altered too. */
export const patch: FunctionOf<typeof patchKind> = faultFunction(patchKind);
/** the JSON-RPC error code */
export const errorReply: FunctionOf<typeof errorReplyKind> = faultFunction(errorReplyKind);
/** which */
export const httpStatus: FunctionOf<typeof httpStatusKind> = faultFunction(httpStatusKind);
/** The stream ends cleanly where the message should have come; a process exits with 0. */
export const end: FunctionOf<typeof endKind> = faultFunction(endKind);
/** The conversation breaks off at the message, or inside it: the process is killed, the connection gone. */
export const cut: FunctionOf<typeof cutKind> = faultFunction(cutKind);
/** The connection is reset (RST) at the message, or inside it. */
export const reset: FunctionOf<typeof resetKind> = faultFunction(resetKind);
/** the exit code, or the signal that ends it */
export const exit: FunctionOf<typeof exitKind> = faultFunction(exitKind);
/** The stream ends where the message should have come, and the process lives on; over HTTP the response is complete, and its connection half closed. */
export const halfClose: FunctionOf<typeof halfCloseKind> = faultFunction(halfCloseKind);
/** The end of input and signals are held back for a while, as if the server ignored them. */
export const slowClose: FunctionOf<typeof slowCloseKind> = faultFunction(slowCloseKind);
/** There is no server: connections are refused, and those there are end. A process exits with 1 before it says anything. */
export const down: FunctionOf<typeof downKind> = faultFunction(downKind);
/** The session of the message is no more: 404 to whatever comes in it, until the client initializes again. */
export const sessionLost: FunctionOf<typeof sessionLostKind> = faultFunction(sessionLostKind);
/** Before the message the client gets an event id and a time to wait, and the stream ends; it is taken up where the client asks for it by Last-Event-ID. */
export const resume: FunctionOf<typeof resumeKind> = faultFunction(resumeKind);
/** A client that resumes a stream gets first the last messages, of those that the rule is about, that it has had already. */
export const redeliver: FunctionOf<typeof redeliverKind> = faultFunction(redeliverKind);
/** The answer to initialize names another protocol revision; that to server/discover, where the rule is about it, no other. */
export const version: FunctionOf<typeof versionKind> = faultFunction(versionKind);
/** No answer to server/discover, or a late one. */
export const probeSilence: FunctionOf<typeof probeSilenceKind> = faultFunction(probeSilenceKind);
/** The request is followed by notifications/cancelled, or over HTTP from 2026-07-28 on its stream is closed: at once, or after so many messages of the other side. */
export const cancel: FunctionOf<typeof cancelKind> = faultFunction(cancelKind);
/** Cancels do not arrive, so that the request is answered all the same. */
export const ignoreCancel: FunctionOf<typeof ignoreCancelKind> = faultFunction(ignoreCancelKind);
/** Progress goes down, comes after the answer, names a token that nobody gave, or comes a thousand times. */
export const progress: FunctionOf<typeof progressKind> = faultFunction(progressKind);
/** Before the message, standard error is filled. */
export const stderrFlood: FunctionOf<typeof stderrFloodKind> = faultFunction(stderrFloodKind);

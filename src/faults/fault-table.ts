import { insufficientScope } from './authorization/insufficient-scope.ts';
import { oauthError } from './authorization/oauth-error.ts';
import { tokenRefused } from './authorization/token-refused.ts';
import { wrongIssuer } from './authorization/wrong-issuer.ts';
import { cut } from './connections/cut.ts';
import { down } from './connections/down.ts';
import { end } from './connections/end.ts';
import { exit } from './connections/exit.ts';
import { halfClose } from './connections/half-close.ts';
import { httpStatus } from './connections/http-status.ts';
import { redeliver } from './connections/redeliver.ts';
import { reset } from './connections/reset.ts';
import { resume } from './connections/resume.ts';
import { sessionLost } from './connections/session-lost.ts';
import { stderrFlood } from './connections/stderr-flood.ts';
import { truncate } from './connections/truncate.ts';
import type { FaultKind } from './fault.ts';
import { cancel } from './messages/cancel.ts';
import { coalesce } from './messages/coalesce.ts';
import { corrupt } from './messages/corrupt.ts';
import { drop } from './messages/drop.ts';
import { duplicate } from './messages/duplicate.ts';
import { errorReply } from './messages/error-reply.ts';
import { ignoreCancel } from './messages/ignore-cancel.ts';
import { junk } from './messages/junk.ts';
import { observe } from './messages/observe.ts';
import { oversize } from './messages/oversize.ts';
import { patch } from './messages/patch.ts';
import { progress } from './messages/progress.ts';
import { version } from './messages/version.ts';
import { wrongId } from './messages/wrong-id.ts';
import { clog } from './timing/clog.ts';
import { discoverTimeout } from './timing/discover-timeout.ts';
import { late } from './timing/late.ts';
import { latency } from './timing/latency.ts';
import { order } from './timing/order.ts';
import { reorder } from './timing/reorder.ts';
import { slice } from './timing/slice.ts';
import { slowClose } from './timing/slow-close.ts';
import { slowReader } from './timing/slow-reader.ts';
import { stall } from './timing/stall.ts';
import { throttle } from './timing/throttle.ts';

const KINDS = [
  latency,
  stall,
  clog,
  throttle,
  slice,
  coalesce,
  slowReader,
  drop,
  duplicate,
  reorder,
  late,
  truncate,
  corrupt,
  junk,
  oversize,
  wrongId,
  patch,
  errorReply,
  httpStatus,
  end,
  cut,
  reset,
  exit,
  halfClose,
  slowClose,
  down,
  sessionLost,
  resume,
  redeliver,
  version,
  discoverTimeout,
  cancel,
  ignoreCancel,
  progress,
  stderrFlood,
  tokenRefused,
  insufficientScope,
  oauthError,
  wrongIssuer,
];

/** All kinds of faults, by name. */
export const FAULTS: ReadonlyMap<string, FaultKind> = new Map(
  KINDS.map((kind) => [kind.name, kind as unknown as FaultKind]),
);

/** Actions of rules, by name: all faults, and those of sweeps alone: the observation of messages, and a given order. */
export const RULE_KINDS: ReadonlyMap<string, FaultKind> = new Map([
  ...FAULTS,
  [observe.name, observe as unknown as FaultKind],
  [order.name, order as unknown as FaultKind],
]);

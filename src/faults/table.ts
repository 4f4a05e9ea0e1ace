import { cancel } from './cancel.ts';
import { clog } from './clog.ts';
import { coalesce } from './coalesce.ts';
import { corrupt } from './corrupt.ts';
import { cut } from './cut.ts';
import { down } from './down.ts';
import { drop } from './drop.ts';
import { duplicate } from './duplicate.ts';
import { end } from './end.ts';
import { errorReply } from './error-reply.ts';
import { exit } from './exit.ts';
import type { FaultKind } from './fault.ts';
import { halfClose } from './half-close.ts';
import { httpStatus } from './http-status.ts';
import { ignoreCancel } from './ignore-cancel.ts';
import { junk } from './junk.ts';
import { late } from './late.ts';
import { latency } from './latency.ts';
import { oversize } from './oversize.ts';
import { patch } from './patch.ts';
import { probeSilence } from './probe-silence.ts';
import { progress } from './progress.ts';
import { redeliver } from './redeliver.ts';
import { reorder } from './reorder.ts';
import { reset } from './reset.ts';
import { resume } from './resume.ts';
import { sessionLost } from './session-lost.ts';
import { slice } from './slice.ts';
import { slowClose } from './slow-close.ts';
import { slowReader } from './slow-reader.ts';
import { stall } from './stall.ts';
import { stderrFlood } from './stderr-flood.ts';
import { throttle } from './throttle.ts';
import { truncate } from './truncate.ts';
import { version } from './version.ts';
import { wrongId } from './wrong-id.ts';

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
  probeSilence,
  cancel,
  ignoreCancel,
  progress,
  stderrFlood,
];

/** Every kind of fault there is, by name. */
export const FAULTS: ReadonlyMap<string, FaultKind> = new Map(
  KINDS.map((kind) => [kind.name, kind as unknown as FaultKind]),
);

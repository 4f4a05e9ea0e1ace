import type { Frame, WireFrame } from '../../channel/frame.ts';
import { isError, McpRecordError, messageOf } from '../../kernel/errors.ts';
import { isAwaitable } from '../../kernel/platform/other-realms.ts';
import type { FaultContext, FaultInstance } from '../fault.ts';
import { errorReply } from '../messages/error-reply.ts';
import type { Rule } from '../rules/fault-rule.ts';

/**
 * Starts a fault so that an error which it throws reaches the test: `failed` is called, pending requests are answered
 * with the error, and all other frames pass.
 */
export function guardFault(
  { fault }: Rule,
  tools: FaultContext,
  failed: (error: McpRecordError) => void,
): FaultInstance {
  const { kind, values } = fault;
  const fail = (thrown: unknown, frame?: WireFrame) => {
    const error = faultThrew(kind.name, thrown);
    failed(error);
    if (frame === undefined) return;
    if (frame.kind === 'bytes') tools.next(frame);
    else errorReply.start({ code: -32603, message: error.message, data: undefined }, tools).hit(frame);
  };
  /** Runs `task`. Undefined: it threw. */
  const attempt = <Result>(task: () => Result, frame?: WireFrame): Result | undefined => {
    try {
      const result = task();
      // An `async` function rejects later.
      if (isAwaitable(result)) result.then(undefined, (error: unknown) => fail(error, frame));
      return result;
    } catch (error) {
      fail(error, frame);
      return undefined;
    }
  };
  const later: FaultContext['later'] = (delay, task, options) => tools.later(delay, () => attempt(task), options);
  let segment: FaultInstance;
  try {
    segment = kind.start(values, { ...tools, later });
  } catch (error) {
    return { hit: (frame) => fail(error, frame) };
  }
  const { pass, intercept, other, begin, unchanged } = segment;
  return {
    get isOver() {
      return segment.isOver === true;
    },
    get isIdle() {
      return segment.isIdle === true;
    },
    ...(unchanged && { unchanged: (frame: Frame) => attempt(() => unchanged.call(segment, frame)) }),
    hit: (frame: Frame) => attempt(() => segment.hit(frame), frame),
    ...(pass && { pass: (frame: WireFrame) => attempt(() => pass.call(segment, frame), frame) }),
    ...(intercept && { intercept: (frame: Frame) => attempt(() => intercept.call(segment, frame)) === true }),
    ...(other && { other: (frame: Frame) => void attempt(() => other.call(segment, frame)) }),
    ...(begin && { begin: () => void attempt(() => begin.call(segment)) }),
  };
}

function faultThrew(name: string, thrown: unknown): McpRecordError {
  const place = isError(thrown) ? /\n\s+(at .*)/.exec(thrown.stack ?? '')?.[1] : undefined;
  return new McpRecordError({
    code: 'FAULT_THREW',
    what: `The fault "${name}" did not do its work`,
    why: `it threw: ${messageOf(thrown)}`,
    next: `Mend it${place === undefined ? '' : `: ${place}`}.`,
    cause: thrown,
  });
}

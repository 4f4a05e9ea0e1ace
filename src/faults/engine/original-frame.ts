import type { Frame } from '../../channel/frame.ts';
import type { ActiveRule } from './active-rule.ts';
import type { FrameContext } from './request-tracker.ts';

/** Details of a frame at the time when its side sent it. */
export interface Seen {
  /** Position of the message. */
  message: number;
  subject: FrameContext;
  /** Line of the cassette that the message is played from. */
  line: number | undefined;
}

/** Frame as its side sent it. The frames that faults create from it share it. */
export class OriginalFrame {
  readonly message: number;
  /** Rules that have counted the frame in advance, and whether they fire on it. */
  readonly #decisions = new Map<ActiveRule, boolean>();

  constructor(message: number) {
    this.message = message;
  }

  /**
   * Decides for each rule after the first that has `nth` whether it fires on the frame. An earlier rule may keep the
   * frame from such a rule, whose count includes the frame all the same.
   */
  decide(rules: readonly ActiveRule[], frame: Frame, { message, subject, line }: Seen): void {
    for (const [index, rule] of rules.entries()) {
      if (index === 0 || rule.when.nth === undefined || rule.segment(frame.stream).isOver) continue;
      if (rule.matches(frame, subject, { message, line })) this.#decisions.set(rule, rule.count());
    }
  }

  /** Reports whether a rule fires on a frame that came from this one. Each further copy counts by itself. */
  fires(rule: ActiveRule): boolean {
    const decision = this.#decisions.get(rule);
    this.#decisions.delete(rule);
    return decision ?? rule.count();
  }
}

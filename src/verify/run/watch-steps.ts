import { messageTitle } from '../../contract/message-title.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { Step } from '../../text-report/outcome-model.ts';
import { type CompareOptions, stepOfAnswer } from '../compare/compare-session.ts';
import { redactOutcome } from '../compare/redact-outcome.ts';
import type { RunRecordedClientOptions } from './run-recorded-client.ts';

/** Shows the steps of a run to a person. */
export interface StepWatcher {
  /** Called when a recorded request was sent. */
  began(step: Step): void;
  /** Called when the request at a line was answered. */
  answered(line: number): void;
  /** Called with each step that is known before the end of the run. */
  ended(step: Step): void;
}

/** Returns the callbacks of a run that pass its steps to `watcher` as they end, without secrets. */
export function watchSteps(
  watcher: StepWatcher,
  judging: Omit<CompareOptions, 'driven'>,
  redact: (json: JsonText) => JsonText,
): Required<Pick<RunRecordedClientOptions, 'asked' | 'answered'>> {
  const { file } = judging;
  const safe = (step: Step) =>
    redactOutcome({ title: '', file, steps: [step], notes: [], duration: 0 }, redact).steps[0]!;
  return {
    asked: ({ message, line }) => watcher.began(safe({ title: messageTitle(message), line, status: 'skipped' })),
    answered(exchange, driven) {
      watcher.answered(exchange.request.line);
      const step = stepOfAnswer(exchange, { ...judging, driven });
      if (step) watcher.ended(safe(step));
    },
  };
}

import { messageTitle } from '../../contract/message-title.ts';
import type { Step } from '../../text-report/outcome-model.ts';
import { type CompareOptions, stepOfAnswer } from '../compare/compare-session.ts';
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

/** Returns the callbacks of a run that pass its steps to `watcher` as they end. `shown` takes their secrets out. */
export function watchSteps(
  watcher: StepWatcher,
  judging: Omit<CompareOptions, 'driven'>,
  shown: (step: Step) => Step,
): Required<Pick<RunRecordedClientOptions, 'asked' | 'answered'>> {
  return {
    asked: ({ message, line }) => watcher.began(shown({ title: messageTitle(message), line, status: 'skipped' })),
    answered(exchange, driven) {
      watcher.answered(exchange.request.line);
      const step = stepOfAnswer(exchange, { ...judging, driven });
      if (step) watcher.ended(shown(step));
    },
  };
}

import { messageTitle } from '../../contract/message-title.ts';
import type { Step } from '../../text-report/outcome-model.ts';
import { type CompareOptions, stepOfAnswer } from '../compare/compare-session.ts';
import type { RunRecordedClientOptions } from './run-recorded-client.ts';

/** Callbacks that show the steps of a run while it continues. */
export interface StepWatcher {
  /** Called after a recorded request is sent. */
  began(step: Step): void;
  /** Called when the request at a line was answered. */
  answered(line: number): void;
  /** Called with each compared step as soon as its answer arrives. */
  ended(step: Step): void;
}

/** Returns callbacks of a run that pass the steps to `watcher`. `shown` redacts a step. */
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

import { systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { RecordOptions } from '../../record/stdio/record-stdio.ts';
import type { CassetteWriterOptions } from '../../record/writer/cassette-writer.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { WrittenRules } from '../../redact/rules/parse-redaction-rules.ts';
import { printable } from '../../text-report/printable-text.ts';
import { recordingEnvironmentNote } from '../io/client-environment.ts';
import { fail, say } from '../io/output.ts';
import { cassetteNotWritten } from '../io/recording-failures.ts';
import type { GivenHeaders } from '../options/header-options.ts';
import { redactorFor } from '../options/redaction-options.ts';
import type { TracedRecording } from './traced-recording.ts';

export interface StdioRecordingOptions {
  /** Cassette, or a folder. */
  output: string;
  /** Words that name a cassette in a folder. */
  server: readonly string[];
  /** Headers of the requests to the server. Credentials in them are redacted. */
  given: GivenHeaders;
  gap: CassetteWriterOptions['gap'];
  redact: boolean;
  rules: WrittenRules;
  /** Sends the spans of the session meanwhile. */
  traced?: TracedRecording | undefined;
}

/** Recording of a session for `recordStdio`, as `record` makes it. */
export interface StdioRecording extends Pick<RecordOptions, 'recorder' | 'broken'> {
  /**
   * Ends the cassette, and reports it. A server that never started leaves no cassette, unless the client sent a message.
   * @returns whether the cassette is whole
   */
  end(isStarted: boolean): Promise<boolean>;
}

/** Returns the recording of a session. Its code is loaded while the server starts. */
export function prepareStdioRecorder({
  output,
  server,
  given,
  gap,
  redact,
  rules,
  traced,
}: StdioRecordingOptions): StdioRecording {
  let isWhole = true;
  let endCassette = (_isStarted: boolean) => {};
  const broken = (error: unknown) => {
    isWhole = false;
    const isSession = error instanceof McpRecordError && error.code === 'HTTP2_OVER_STDIO';
    fail(isSession ? error : cassetteNotWritten(output, error));
  };
  let redactFinishedCassette = () => Promise.resolve();
  /** Loads its code at the end of the session: few sessions need it, and it imports the cassette reader. */
  const redactAgain = (path: string, redactor: Redactor) => {
    redactFinishedCassette = async () =>
      (await import('../../record/redact-file/redact-finished.ts')).redactFinished(path, redactor);
  };
  const hasOwnRules = rules.rules.length + rules.allow.length > 0;
  let sayRecorded = () => Promise.resolve();
  /**
   * Reports the recording. A file without redactions is reported, too, because somebody may rely on rules that never
   * arrived. Only for a terminal is it read again, to count its calls.
   */
  const finished = (path: string, redactor: Redactor | undefined) => {
    const isRead = process.stderr.isTTY || redactor?.hasRedacted() || redactor?.hasUnredactable();
    sayRecorded = async () => {
      if (isRead) (await import('../io/print-recording-summary.ts')).sayRecorded(path, redactor);
      else say(printable(`nothing redacted → ${path}`));
      const note = redactor && !hasOwnRules ? recordingEnvironmentNote(path) : '';
      if (note) say(note);
    };
  };
  const recorder = async () => {
    const [{ StdioRecorder }, { recordingDestination }, redactor] = await Promise.all([
      import('../../record/stdio/stdio-recorder.ts'),
      import('../io/recording-destination.ts'),
      redactorFor(redact, rules, given),
    ]);
    const cassettes = recordingDestination(output, server);
    const made = new StdioRecorder({
      ...(traced?.of(cassettes) ?? cassettes),
      clock: systemClock,
      gap,
      redactor,
      redactAgain,
      failed: broken,
      finished,
    });
    endCassette = (isStarted) => void ((isStarted || !made.isBlank) && made.end('complete'));
    return made;
  };
  return {
    recorder,
    broken,
    async end(isStarted) {
      endCassette(isStarted);
      await redactFinishedCassette().catch(broken);
      await sayRecorded();
      await traced?.end();
      return isWhole;
    },
  };
}

import type { TracedRecording } from '../record/traced-recording.ts';

/**
 * Returns the recording that `--otlp` asks for. Its code is loaded only with the option.
 * @throws McpRecordError as `otlpTarget`
 */
export async function tracedBy(otlp: string | true | undefined): Promise<TracedRecording | undefined> {
  return otlp === undefined ? undefined : (await import('../record/traced-recording.ts')).tracedRecording(otlp);
}

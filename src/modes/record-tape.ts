import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { recordingName } from '../cassette/file-name.ts';
import { McpRecordError, messageOf } from '../kernel/errors.ts';
import type { Finding } from '../replay/finding.ts';
import { type Backend, type BackendOptions, serverOf } from './backend.ts';
import { Live, type LiveEnd } from './live.ts';

/** Serves a session from the live server, and records it beside the cassette until the run has passed. */
export async function recordTape(options: BackendOptions): Promise<Backend> {
  const { file, report } = options;
  const live = await startLive(options, recordingName(file));
  return {
    async end(isGood) {
      const end = await live.stop();
      if (end.trouble !== undefined) throw notRecorded(file, end.trouble);
      if (!end.spoke) report(silent(file, end));
      if (!end.spoke || end.recording === undefined) return discard(end);
      if (!isGood()) return { kept: end.recording };
      renameSync(end.recording, existsSync(file) ? realpathSync(file) : file);
      return { written: file };
    },
  };
}

/** Serves a session from the live server. Nothing is recorded. */
export async function passThrough(options: BackendOptions): Promise<Backend> {
  const live = await startLive(options);
  return {
    async end() {
      await live.stop();
      return {};
    },
  };
}

/** Removes a recording that is not worth keeping. */
export function discard({ recording }: LiveEnd): Record<string, never> {
  if (recording !== undefined) rmSync(recording, { force: true });
  return {};
}

/** What it means that the disk refused a recording. */
export function notRecorded(file: string, error: unknown): McpRecordError {
  return new McpRecordError({
    code: 'TAPE_NOT_WRITTEN',
    what: `Cannot record ${file}`,
    why: messageOf(error),
    next: 'The cassette is as it was. Free the disk or name another place, and record again.',
    cause: error,
  });
}

async function startLive(options: BackendOptions, recordTo?: string): Promise<Live> {
  const { client, clock, redactor } = options;
  const live = await Live.start({
    server: serverOf(options),
    clock,
    redactor,
    hear: (frame) => void client.send(frame),
    ...(recordTo !== undefined && { recordTo }),
  });
  client.listen((frame) => {
    if (frame.kind !== 'bytes') live.say(frame);
  });
  return live;
}

function silent(file: string, { exit, stderr }: LiveEnd): Finding {
  const status = exit === undefined ? '' : ` It ended with ${exit.status}.`;
  const said = stderr.map((line) => `\n    ${line}`).join('');
  const text = `The server never said a message, so that ${file} was not recorded.${status}${said}`;
  return { kind: 'missing', text };
}

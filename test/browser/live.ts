import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { endText, eventText, headerText } from '../../src/cassette/write/format-event.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { mcpRecord } from '../support/command.ts';
import { Running } from '../support/process.ts';

export interface Ui extends AsyncDisposable {
  url: string;
  folder: string;
  /** Ends the server. */
  stop(): Promise<void>;
}

/** Starts `mcp-record ui` on a folder, or on one of its files. */
export async function ui(folder: string, ...words: string[]): Promise<Ui> {
  mkdirSync(folder, { recursive: true });
  const running = new Running(mcpRecord('ui', ...(words.length > 0 ? words : [folder])));
  const url = await running.line();
  return {
    url,
    folder,
    async stop() {
      running.child.kill('SIGTERM');
      await once(running.child, 'exit');
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** The beginning of a cassette, as a recorder writes it. */
export const HEAD: string = headerText({
  format: 'mcp-record/1',
  recorder: 'mcp-record 0.0.0',
  recorded: '2026-11-24T12:00:00Z',
  transport: 'stdio',
});

export const END: string = endText('complete');

/** Events, as a recorder adds them. */
export function events(...frames: Frame[]): string {
  return frames.map((frame) => eventText(frame)).join('');
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from './command.ts';

/** Whether `script` of util-linux is there, which gives a command a terminal. */
export const hasTerminal: boolean = process.platform === 'linux';

/** The key that ends the input of a terminal, at the beginning of a line: Ctrl-D. */
export const END_OF_INPUT = '\u0004';

/**
 * A command whose standard streams are a terminal, or those of them that `redirections` of a shell leave: `2> said.txt`.
 */
export class OnTerminal implements AsyncDisposable {
  /** All that the terminal has shown. */
  shown = '';
  readonly #child;
  readonly #ended;

  constructor({ command, args, env }: Command, redirections = '') {
    const line = [command, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    // Without `exec`, some shells stay, and end with a status of their own when Ctrl-C is typed.
    // The streams of `script` stay open: at the end of its input it would end that of the command.
    this.#child = spawn('script', ['-qec', `exec ${line} ${redirections}`, '/dev/null'], {
      env: { ...process.env, ...env },
      stdio: 'pipe',
    });
    this.#child.stdout.on('data', (data) => {
      this.shown += String(data).replaceAll('\r\n', '\n');
    });
    this.#ended = once(this.#child, 'close').then(([status]) => status as number);
  }

  /** Types keys. */
  type(keys: string): void {
    this.#child.stdin.write(keys);
  }

  /** Waits until the terminal shows `text`. */
  async shows(text: string): Promise<void> {
    while (!this.shown.includes(text)) {
      const isOver = await Promise.race([
        once(this.#child.stdout, 'data').then(() => false),
        this.#ended.then(() => true),
      ]);
      if (isOver && !this.shown.includes(text)) throw new Error(`It ended and did not show "${text}":\n${this.shown}`);
    }
  }

  /** The status that it ended with. */
  get ended(): Promise<number> {
    return this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.destroy();
    this.#child.kill('SIGHUP');
    await this.#ended;
  }
}

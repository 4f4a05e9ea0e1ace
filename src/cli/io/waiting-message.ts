import { isatty } from 'node:tty';
import { say } from './output.ts';

const STDIN = 0;

/** Says what is waited for, where that is a person: standard input is a terminal. A client hears nothing of it. */
export function sayWaiting(text: string): void {
  if (isatty(STDIN)) say(text);
}

/** The same for a command that a client starts, and speaks to on standard input. */
export function sayWaitingForClient(what: string): void {
  sayWaiting(`${what}: waiting for a client on standard input, a JSON-RPC message on each line. Ctrl-D ends it.`);
}

/** The same for a command that listens for clients. */
export function sayHowToEnd(): void {
  sayWaiting('Ctrl-C ends it.');
}

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { OWNER_ONLY } from './atomic-write.ts';

/** Windows opens no links this way, and does not have the flag. */
const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW = 0 } = constants;
const BEGINNING_BYTES = 256;

/** Beginning of a log of JSON lines. */
export const JSON_LINES: RegExp = /^\{/;

/**
 * Log that several processes append to, readable by its owner only. A link to a file is not followed, and a file that begins
 * in another way than a log is not touched.
 */
export class LogFile {
  readonly #path: string;
  readonly #begins: RegExp;
  #isChecked = false;

  /** @param begins beginning of a log that is not empty */
  constructor(path: string, begins: RegExp = JSON_LINES) {
    this.#path = path;
    this.#begins = begins;
  }

  /** Appends a text, and creates the file if there is none. Throws the error of the file system, or one that says what is there. */
  append(text: string): void {
    const file = openSync(this.#path, O_APPEND | O_CREAT | this.#flags(), OWNER_ONLY);
    try {
      if (!this.#isChecked) this.#check(file);
      this.#isChecked = true;
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    } finally {
      closeSync(file);
    }
  }

  /** Returns the flags to open the file with. `/dev/stderr` is a link to a pipe or device, and can only be written to. */
  #flags(): number {
    const isLink = lstatSync(this.#path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    const there = statSync(this.#path, { throwIfNoEntry: false });
    if (isLink && there?.isFile() !== false) throw new Error('it is a symbolic link, which is not followed');
    return there === undefined || there.isFile() ? O_RDWR | O_NOFOLLOW : constants.O_WRONLY;
  }

  #check(file: number): void {
    if (!fstatSync(file).isFile()) return;
    const beginning = Buffer.alloc(BEGINNING_BYTES);
    const text = beginning.toString('utf8', 0, readSync(file, beginning, 0, BEGINNING_BYTES, 0));
    if (text !== '' && !this.#begins.test(text)) throw new Error('there is such a file, and it is no such log');
  }
}

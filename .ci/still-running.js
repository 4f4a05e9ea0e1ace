import { writeFileSync } from 'node:fs';

/**
 * A reporter of vitest: each minute it names the tests that have been running for more than one, so that the log of a run
 * that was ended from outside says what it waited for. It writes the file TESTS_STARTED when the tests start.
 */
const MINUTE_MS = 60_000;

export default class StillRunning {
  #modules = new Map();
  #tests = new Map();

  onTestRunStart() {
    if (process.env.TESTS_STARTED) writeFileSync(process.env.TESTS_STARTED, '');
    this.#timer = setInterval(() => this.#report(), MINUTE_MS).unref();
  }

  onTestModuleStart(module) {
    this.#modules.set(module, Date.now());
  }

  onTestModuleEnd(module) {
    this.#modules.delete(module);
  }

  onTestCaseReady(test) {
    this.#tests.set(test.module, test.fullName);
  }

  onTestRunEnd() {
    clearInterval(this.#timer);
  }

  #timer;

  #report() {
    for (const [module, since] of this.#modules) {
      const seconds = Math.round((Date.now() - since) / 1000);
      const test = this.#tests.get(module) ?? 'before its first test';
      if (seconds > 60) console.log(`still running after ${seconds} s: ${module.moduleId} > ${test}`);
    }
  }
}

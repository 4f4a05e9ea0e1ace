/**
 * A page whose network nobody observes. Playwright has the browser report each server-sent event of its own pages, which
 * takes half a second for 100,000 of them.
 */
export class UnobservedPage {
  #session;
  #context;
  #attached;
  #last = 0;

  /** Opens an address. */
  static async open(browser, url) {
    const page = new UnobservedPage();
    page.#session = await browser.newBrowserCDPSession();
    page.#context = await page.#session.send('Target.createBrowserContext');
    const target = await page.#session.send('Target.createTarget', { url, ...page.#context });
    page.#attached = await page.#session.send('Target.attachToTarget', { ...target, flatten: false });
    await page.#send('Emulation.setDeviceMetricsOverride', VIEWPORT);
    return page;
  }

  /** Calls a function in the page, and returns what it resolves to. */
  async evaluate(called, argument) {
    const expression = `(${called})(${JSON.stringify(argument)})`;
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async close() {
    await this.#session.send('Target.disposeBrowserContext', this.#context);
    await this.#session.detach();
  }

  #send(method, params) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const take = ({ sessionId, message }) => {
        const answer = JSON.parse(message);
        if (sessionId !== this.#attached.sessionId || answer.id !== id) return;
        this.#session.off('Target.receivedMessageFromTarget', take);
        if (answer.error) reject(new Error(answer.error.message));
        else resolve(answer.result);
      };
      this.#session.on('Target.receivedMessageFromTarget', take);
      const message = JSON.stringify({ id, method, params });
      this.#session.send('Target.sendMessageToTarget', { ...this.#attached, message }).catch(reject);
    });
  }
}

const VIEWPORT = { width: 1360, height: 850, deviceScaleFactor: 1, mobile: false };

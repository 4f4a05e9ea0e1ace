import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadCassette } from '../../dist/cassette/read/load-cassette.js';
import { SECRET, safe } from './secret.js';

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const METHODS = ['json', 'json', 'json', 'sse', 'sse', 'cut', 'reset', 'error', 'hang'];

/**
 * Some clients at once, each with a session of its own through a recorder that goes on running, all with the same ids. Throws
 * where one hears what another asked for, or where a cassette holds anything but what its own client said and heard.
 */
export async function httpRound(random, url, folder, round) {
  const clients = Array.from({ length: 1 + random.below(12) }, (_, n) => new Client(url, `${round}.${n}.`));
  const turns = 1 + random.below(12);
  await Promise.all(
    clients.map(async (client) => {
      const plan = Array.from({ length: turns }, () => ({
        method: random.one(METHODS),
        count: random.below(80),
        data: random.below(8) === 0 ? `with ${SECRET}` : random.value(),
        together: random.below(3) === 0,
      }));
      await client.open();
      const asked = [];
      for (const { together, ...step } of plan) {
        asked.push(client.ask(step));
        if (!together) await Promise.all(asked);
      }
      await Promise.all(asked);
      await client.close();
    }),
  );
  const cassettes = new Map();
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const cassette = await finished(path);
    const owners = new Set(messages(cassette).flatMap(({ params, result }) => params?.who ?? result?.who ?? []));
    if (owners.size > 1) throw new Error(`${name}: a cassette of ${[...owners].join(' and ')}`);
    for (const who of owners) cassettes.set(who, cassette);
    rmSync(path);
  }
  for (const client of clients) client.compare(cassettes.get(client.who));
  return { sessions: clients.length, messages: clients.reduce((sum, { heard }) => sum + heard.length, 0) };
}

/** The recorder closes a cassette as it hears that the session is over, which may be after its client did. */
async function finished(path) {
  for (let attempt = 0; ; attempt++) {
    const cassette = loadCassette(path);
    if (cassette.end !== undefined || attempt === 2000) return cassette;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function messages({ events }) {
  return events.flatMap(({ frame }) => (frame.kind === 'message' ? [frame.json.value] : []));
}

class Client {
  #url;
  #session;
  #id = 1;
  sent = [];
  heard = [];

  constructor(url, who) {
    this.#url = url;
    this.who = who;
  }

  async open() {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const response = await this.#post({ id: 0, method: 'initialize', params });
    await response.text();
    this.#session = response.headers.get('mcp-session-id');
  }

  async ask({ method, count, data }) {
    const id = this.#id++;
    const message = { id, method, params: { who: this.who, count, data } };
    this.sent.push(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const controller = new AbortController();
    try {
      const response = await this.#post(message, controller.signal);
      if (method === 'hang') return controller.abort();
      const text = await response.text();
      const data = text.split('\n').filter((line) => line.startsWith('data: '));
      const lines = text.startsWith('{') ? [text] : data.map((line) => line.slice('data: '.length));
      for (const line of lines) this.#hear(line, id);
    } catch (error) {
      if (method !== 'reset' && method !== 'cut' && method !== 'hang') throw error;
    }
  }

  #hear(line, id) {
    const { id: answered, result, params } = JSON.parse(line);
    if (answered !== undefined && answered !== id) throw new Error(`the answer to ${answered} came to ${id}`);
    if ((result ?? params).who !== this.who) throw new Error(`${this.who} hears ${(result ?? params).who}`);
    if (answered !== undefined) this.heard.push(line);
  }

  async close() {
    await fetch(this.#url, { method: 'DELETE', headers: this.#headers() });
  }

  /** Every request is in the cassette, in the order in which it was made of each lane, and every answer that was heard. */
  compare(cassette) {
    if (cassette === undefined) {
      if (this.sent.length > 0) throw new Error(`${this.who} has no cassette`);
      return;
    }
    const texts = (from) =>
      cassette.events.flatMap(({ frame }) =>
        frame.kind === 'message' && frame.from === from ? [frame.json.text] : [],
      );
    const [said, answers] = [new Set(texts('client')), new Set(texts('server'))];
    const lost = [
      ...this.sent.map(safe).filter((one) => !said.has(one)),
      ...this.heard.map(safe).filter((one) => !answers.has(one)),
    ];
    if (lost.length > 0) throw new Error(`${this.who}: not in its cassette: ${lost[0].slice(0, 300)}`);
    if (JSON.stringify(texts('client')).includes(SECRET)) throw new Error(`${this.who}: a secret is in its cassette`);
  }

  #headers() {
    return {
      ...HEADERS,
      ...(this.#session && { 'Mcp-Session-Id': this.#session, 'MCP-Protocol-Version': '2025-11-25' }),
    };
  }

  #post(message, signal) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    return fetch(this.#url, { method: 'POST', headers: this.#headers(), body, ...(signal && { signal }) });
  }
}

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from './command.ts';

/** A problem that a language server shows in an editor. */
export interface Diagnostic {
  message: string;
  /** From 0, as editors count. */
  range: { start: { line: number } };
}

interface LspMessage {
  id?: number | string;
  method?: string;
  params?: {
    uri?: string;
    diagnostics?: Diagnostic[];
    items?: { section?: string }[];
    type?: number;
    message?: string;
  };
  result?: unknown;
  error?: { message: string };
}

/** A language server as an editor runs it: a process that speaks LSP over standard input and output. */
export class LanguageServer implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #settings: Readonly<Record<string, unknown>>;
  readonly #answers = new Map<number, (message: LspMessage) => void>();
  readonly #shown = new Map<string, (diagnostics: Diagnostic[]) => void>();
  #pending = Buffer.alloc(0);
  #lastId = 0;

  private constructor({ command, args }: Command, settings: Readonly<Record<string, unknown>>) {
    this.#child = spawn(command, args);
    this.#settings = settings;
    this.#child.stderr.resume();
    this.#child.stdout.on('data', (data: Buffer) => {
      this.#pending = Buffer.concat([this.#pending, data]);
      this.#read();
    });
  }

  /** Starts a language server with the settings of its editor, by their sections. */
  static async start(command: Command, settings: Readonly<Record<string, unknown>>): Promise<LanguageServer> {
    const server = new LanguageServer(command, settings);
    const capabilities = { workspace: { configuration: true, didChangeConfiguration: {} }, textDocument: {} };
    await server.ask('initialize', { processId: process.pid, rootUri: null, capabilities });
    server.#send({ method: 'initialized', params: {} });
    server.#send({ method: 'workspace/didChangeConfiguration', params: { settings } });
    return server;
  }

  /** Opens a document. Resolves to the problems that the editor shows in it. */
  open(uri: string, text: string): Promise<Diagnostic[]> {
    const shown = new Promise<Diagnostic[]>((resolve) => this.#shown.set(uri, resolve));
    const textDocument = { uri, languageId: 'yaml', version: 1, text };
    this.#send({ method: 'textDocument/didOpen', params: { textDocument } });
    return shown;
  }

  /** Sends a request, and resolves to its result. */
  async ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    const answered = new Promise<LspMessage>((resolve) => this.#answers.set(id, resolve));
    this.#send({ id, method, params });
    const { result, error } = await answered;
    if (error) throw new Error(error.message);
    return result;
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #read(): void {
    for (;;) {
      const head = this.#pending.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: (\d+)/i.exec(this.#pending.subarray(0, Math.max(0, head)).toString())?.[1],
      );
      const end = head + 4 + length;
      if (head < 0 || this.#pending.length < end) return;
      const message: LspMessage = JSON.parse(this.#pending.subarray(head + 4, end).toString());
      this.#pending = this.#pending.subarray(end);
      this.#hear(message);
    }
  }

  #hear({ id, method, params = {}, ...rest }: LspMessage): void {
    if (method === undefined) return this.#answers.get(Number(id))?.(rest);
    if (method === 'textDocument/publishDiagnostics') return this.#shown.get(params.uri!)?.(params.diagnostics!);
    if (id === undefined) return;
    const result =
      method === 'workspace/configuration'
        ? params.items!.map(({ section = '' }) => this.#settings[section] ?? null)
        : null;
    this.#send({ id, result });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

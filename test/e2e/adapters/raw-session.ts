/** A session of a client that is as small as the protocol allows. */
export interface RawSession {
  /** Posts a message, and gives the answer as it comes. */
  post(method: string, params?: object, more?: { id?: number; signal?: AbortSignal }): Promise<Response>;
  /** The result of a request that is answered with JSON. */
  result(method: string, params?: object): Promise<Record<string, unknown>>;
}

/** Opens a session at `url`. */
export async function rawSession(url: URL): Promise<RawSession> {
  let session: string | undefined;
  const post: RawSession['post'] = (method, params, { id = 1, signal } = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...(id > 0 && { id }), method, params }),
      ...(signal && { signal }),
    });
  const opened = await post('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  });
  session = opened.headers.get('mcp-session-id') ?? undefined;
  await opened.text();
  return {
    post,
    async result(method, params) {
      const answer = await post(method, params);
      return ((await answer.json()) as { result: Record<string, unknown> }).result;
    },
  };
}

/** The messages of a stream of events, as they come. */
export async function* eventsOf({ body }: Response): AsyncGenerator<Record<string, unknown>> {
  let text = '';
  for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const events = text.split('\n\n');
    text = events.pop()!;
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6));
  }
}

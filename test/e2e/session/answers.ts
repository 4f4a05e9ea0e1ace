/** How the client answers what servers ask of it: always the same to the same question. */

export const demoRoots: { uri: string; name: string }[] = [
  { uri: 'file:///demo/workspace', name: 'workspace' },
  { uri: 'file:///demo/notes', name: 'notes' },
];

interface SamplingParams {
  messages: { content: unknown }[];
}

export function sampled({ messages }: SamplingParams): {
  role: 'assistant';
  model: string;
  stopReason: string;
  content: { type: 'text'; text: string };
} {
  return {
    role: 'assistant',
    model: 'demo-model',
    stopReason: 'endTurn',
    content: { type: 'text', text: `An answer to ${JSON.stringify(messages[0]?.content)}` },
  };
}

interface ElicitationParams {
  mode?: string | undefined;
}

export function elicited({ mode }: ElicitationParams): {
  action: 'accept';
  content?: Record<string, string | number | boolean>;
} {
  if (mode === 'url') return { action: 'accept' };
  return {
    action: 'accept',
    content: { name: 'Ada', check: true, integer: 7, number: 2.5, birthdate: '1815-12-10' },
  };
}

export const clientInfo = { name: 'demo-client', version: '1.0.0' };

export const capabilities = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
};

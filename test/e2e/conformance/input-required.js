import { acceptedContent, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { says, text } from './content.js';

const { elicit, createMessage, listRoots } = inputRequired;

const asks = (message, name, type = 'string') =>
  elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] },
  });

const asksModel = (words, maxTokens) =>
  createMessage({ messages: [{ role: 'user', content: text(words) }], maxTokens });

/** Tools, and a prompt, that need more from the client before they answer, as 2026-07-28 has it. */
export function offerInputRequired(server, { states }) {
  const tool = (name, answer) =>
    server.registerTool(name, { description: 'Needs more to answer' }, ({ mcpReq }) => answer(mcpReq));

  const greets = ({ inputResponses }) => {
    const answer = acceptedContent(inputResponses, 'user_name');
    if (typeof answer?.name === 'string') return says(`Hello, ${answer.name}!`);
    return inputRequired({ inputRequests: { user_name: asks('What is your name?', 'name') } });
  };
  tool('test_input_required_result_elicitation', greets);
  tool('test_streaming_elicitation', greets);

  tool('test_input_required_result_sampling', ({ inputResponses }) => {
    const answer = inputResponse(inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return says(answer.result.content.text);
    const capital_question = asksModel('What is the capital of France?', 100);
    return inputRequired({ inputRequests: { capital_question } });
  });

  // The library refuses to ask a client for what it cannot do.
  tool('test_missing_capability', () =>
    inputRequired({ inputRequests: { greeting: asksModel('Generate a greeting', 50) } }),
  );

  tool('test_input_required_result_list_roots', ({ inputResponses }) => {
    const answer = inputResponse(inputResponses, 'client_roots');
    if (answer.kind === 'roots') return says(`Roots: ${answer.roots.map(({ uri }) => uri).join(', ')}`);
    return inputRequired({ inputRequests: { client_roots: listRoots() } });
  });

  const confirms = async ({ inputResponses, requestState }) => {
    const answer = acceptedContent(inputResponses, 'confirm');
    if (answer && requestState() === 'asked') return says('state-ok');
    const confirm = asks('Please confirm', 'ok', 'boolean');
    return inputRequired({ inputRequests: { confirm }, requestState: await states.mint('asked') });
  };
  tool('test_input_required_result_request_state', confirms);
  tool('test_input_required_result_tampered_state', confirms);

  tool('test_input_required_result_multiple_inputs', async ({ inputResponses }) => {
    const kinds = ['user_name', 'greeting', 'client_roots'].map((key) => inputResponse(inputResponses, key).kind);
    if (!kinds.includes('missing')) return says(`Heard of ${kinds.join(', ')}.`);
    const inputRequests = {
      user_name: asks('What is your name?', 'name'),
      greeting: asksModel('Generate a greeting', 50),
      client_roots: listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await states.mint('asked') });
  });

  tool('test_input_required_result_multi_round', async ({ inputResponses, requestState }) => {
    const { name } = { ...requestState(), ...acceptedContent(inputResponses, 'step1') };
    const { color } = { ...acceptedContent(inputResponses, 'step2') };
    if (name && color) return says(`${name} likes ${color}.`);
    const inputRequests = name
      ? { step2: asks('Step 2: What is your favorite color?', 'color') }
      : { step1: asks('Step 1: What is your name?', 'name') };
    return inputRequired({ inputRequests, requestState: await states.mint({ name }) });
  });

  tool('test_input_required_result_capabilities', (mcpReq) => {
    const { sampling, elicitation, roots } = declared(mcpReq);
    return inputRequired({
      inputRequests: {
        ...(sampling && { greeting: asksModel('Generate a greeting', 50) }),
        ...(elicitation && { user_name: asks('What is your name?', 'name') }),
        ...(roots && { client_roots: listRoots() }),
      },
    });
  });

  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Needs more to answer' },
    ({ mcpReq: { inputResponses } }) => {
      const answer = acceptedContent(inputResponses, 'user_context');
      if (answer) return { messages: [{ role: 'user', content: text(`In this context: ${answer.context}`) }] };
      const user_context = asks('What context should the prompt use?', 'context');
      return inputRequired({ inputRequests: { user_context } });
    },
  );
}

/** What the client says it can do, as 2026-07-28 has it in every request. */
function declared({ envelope }) {
  return envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {};
}

/** Members of the params of each request and notification, beside `_meta`, over all revisions. */
const MEMBERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'completion/complete': ['argument', 'context', 'ref'],
    'elicitation/create': ['elicitationId', 'message', 'mode', 'requestedSchema', 'task', 'url'],
    initialize: ['capabilities', 'clientInfo', 'protocolVersion'],
    'logging/setLevel': ['level'],
    'notifications/cancelled': ['reason', 'requestId'],
    'notifications/elicitation/complete': ['elicitationId'],
    'notifications/initialized': [],
    'notifications/message': ['data', 'level', 'logger'],
    'notifications/progress': ['message', 'progress', 'progressToken', 'total'],
    'notifications/prompts/list_changed': [],
    'notifications/resources/list_changed': [],
    'notifications/resources/updated': ['uri'],
    'notifications/roots/list_changed': [],
    'notifications/subscriptions/acknowledged': ['notifications'],
    'notifications/tasks/status': [
      'createdAt',
      'lastUpdatedAt',
      'pollInterval',
      'status',
      'statusMessage',
      'taskId',
      'ttl',
    ],
    'notifications/tools/list_changed': [],
    ping: [],
    'prompts/get': ['arguments', 'inputResponses', 'name', 'requestState'],
    'prompts/list': ['cursor'],
    'resources/list': ['cursor'],
    'resources/read': ['inputResponses', 'requestState', 'uri'],
    'resources/subscribe': ['uri'],
    'resources/templates/list': ['cursor'],
    'resources/unsubscribe': ['uri'],
    'roots/list': [],
    'sampling/createMessage': [
      'includeContext',
      'maxTokens',
      'messages',
      'metadata',
      'modelPreferences',
      'stopSequences',
      'systemPrompt',
      'task',
      'temperature',
      'toolChoice',
      'tools',
    ],
    'server/discover': [],
    'subscriptions/listen': ['notifications'],
    'tasks/cancel': ['taskId'],
    'tasks/get': ['taskId'],
    'tasks/list': ['cursor'],
    'tasks/result': ['taskId'],
    'tools/call': ['arguments', 'inputResponses', 'name', 'requestState', 'task'],
    'tools/list': ['cursor'],
  }),
);

/** Methods of MCP with known params. Methods of extensions are excluded. */
export const METHODS_WITH_KNOWN_PARAMS: readonly string[] = [...MEMBERS.keys()];

/** Returns the allowed members of a method's params, including `_meta`. Undefined: MCP does not define the method. */
export function paramsMembers(method: string): readonly string[] | undefined {
  const members = MEMBERS.get(method);
  return members && [...members, '_meta'];
}

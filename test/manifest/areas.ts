import type { Area } from './area.ts';
import { authorization } from './areas/authorization.ts';
import { base } from './areas/base.ts';
import { cancellation } from './areas/cancellation.ts';
import { clientFeatures } from './areas/client-features.ts';
import { eras } from './areas/eras.ts';
import { extensions } from './areas/extensions.ts';
import { httpMessages } from './areas/http-messages.ts';
import { httpModern } from './areas/http-modern.ts';
import { httpSessions } from './areas/http-sessions.ts';
import { httpStreams } from './areas/http-streams.ts';
import { lifecycle } from './areas/lifecycle.ts';
import { limits } from './areas/limits.ts';
import { modern } from './areas/modern.ts';
import { progress } from './areas/progress.ts';
import { serverFeatures } from './areas/server-features.ts';
import { shutdown } from './areas/shutdown.ts';
import { sse } from './areas/sse.ts';
import { stdio } from './areas/stdio.ts';
import { tasks } from './areas/tasks.ts';
import { unrecorded } from './areas/unrecorded.ts';

export const AREAS: readonly Area[] = [
  lifecycle,
  base,
  cancellation,
  unrecorded,
  limits,
  progress,
  serverFeatures,
  clientFeatures,
  tasks,
  modern,
  extensions,
  stdio,
  shutdown,
  httpMessages,
  httpSessions,
  httpStreams,
  httpModern,
  sse,
  eras,
  authorization,
];

import type { Area } from './area.ts';
import { base } from './areas/base.ts';
import { cancellation } from './areas/cancellation.ts';
import { clientFeatures } from './areas/client-features.ts';
import { lifecycle } from './areas/lifecycle.ts';
import { limits } from './areas/limits.ts';
import { modern } from './areas/modern.ts';
import { progress } from './areas/progress.ts';
import { serverFeatures } from './areas/server-features.ts';
import { tasks } from './areas/tasks.ts';
import { transports } from './areas/transports.ts';

export const AREAS: readonly Area[] = [
  lifecycle,
  base,
  cancellation,
  limits,
  progress,
  serverFeatures,
  clientFeatures,
  tasks,
  modern,
  transports,
];

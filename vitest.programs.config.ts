import { defineConfig } from 'vitest/config';
import { OF_PROGRAMS } from './test/support/own/own-tests.ts';
import base from './vitest.config.ts';

/** `npm run programs`: all tests that `npm run coverage` does not run. */
export default defineConfig({ test: { ...base.test, include: [...OF_PROGRAMS] } });

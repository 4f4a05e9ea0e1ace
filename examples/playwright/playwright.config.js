import { defineConfig } from '@playwright/test';

const { CHROMIUM } = process.env;

export default defineConfig({
  // A Chromium of the system, which a container starts without a sandbox.
  use: CHROMIUM ? { launchOptions: { executablePath: CHROMIUM, args: ['--no-sandbox'] } } : {},
});

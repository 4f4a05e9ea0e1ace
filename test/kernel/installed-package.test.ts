import { expect, it } from 'vitest';
import { packageVersion } from '../../src/kernel/installed-package.ts';

it('is that of the package', () => {
  expect(packageVersion()).toMatch(/^\d+\.\d+\.\d+/);
});

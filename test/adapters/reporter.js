// A reporter module, as vitest takes one by its path.
import { recordedReporter } from 'mcp-record/vitest/reporter';

export default class {
  onTestRunEnd(modules) {
    recordedReporter().onTestRunEnd(modules);
  }
}

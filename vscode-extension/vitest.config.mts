import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    // The editor's API exists only inside the editor: tests get the little of it that they need.
    alias: { vscode: fileURLToPath(new URL("test/support/vscode.ts", import.meta.url)) },
  },
  test: { include: ["test/unit/**/*.test.ts"] },
});

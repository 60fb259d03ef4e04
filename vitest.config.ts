import { defineConfig } from 'vitest/config';

const source = '@minne/source';

// Tests run on the sources of every package, so that no build can be stale.
export default defineConfig({
  resolve: { conditions: [source] },
  ssr: { resolve: { conditions: [source, 'node', 'default'] } },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'packages', include: ['{packages,apps}/*/{src,test}/**/*.test.ts'] },
      },
      { extends: true, test: { name: 'workspace', include: ['tests/**/*.test.ts'] } },
    ],
  },
});

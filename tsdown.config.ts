import { defineConfig } from 'tsdown';

const shared = { format: 'esm', platform: 'node', target: 'node20', outDir: 'dist' } as const;

/** Two bundles: the bin, with every lazily loaded command as a chunk, and the public API with its types. */
export default defineConfig([
  {
    ...shared,
    entry: { knack: 'src/cli/main.ts' },
    clean: true,
    dts: false,
    // Secretlint loads its rules by package name and write-file-atomic wants `__filename`: both stay packages.
    noExternal: [/^(?!@secretlint|write-file-atomic)/],
    inlineOnly: false,
  },
  { ...shared, entry: { index: 'src/index.ts' }, clean: false, dts: true },
]);

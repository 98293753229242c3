import { defineConfig } from 'tsdown';

const shared = { format: 'esm', platform: 'node', target: 'node20', outDir: 'dist' } as const;

/**
 * Three bundles: the bin, with every lazily loaded command as a chunk, the public API with its types, and the script of
 * the page that `skills graph --html` writes.
 */
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
  {
    entry: { 'graph-page': 'src/cli/graph/page/main.ts' },
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    outDir: 'dist',
    outputOptions: { entryFileNames: '[name].js' },
    clean: false,
    dts: false,
  },
]);

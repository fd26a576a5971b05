import { defineConfig } from 'vite';

/** The page in a folder of its own: a server takes the folder as it is. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  build: {
    outDir: 'dist/page',
    emptyOutDir: true,
    target: 'es2022',
    // nothing inline: the page's policy allows none of it
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});

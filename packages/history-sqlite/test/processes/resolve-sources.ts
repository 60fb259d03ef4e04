import { registerHooks } from 'node:module';

// Sources import each other as `./x.js`, which is what the build makes of `./x.ts`.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const inSources = specifier.startsWith('.') && specifier.endsWith('.js');
    return nextResolve(inSources ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});

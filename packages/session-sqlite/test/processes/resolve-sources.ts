import { registerHooks } from 'node:module';

// The sources name each other by the files that the build makes: `./x.js` for `./x.ts`.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const ofSources = specifier.startsWith('.') ? specifier.replace(/\.js$/, '.ts') : specifier;
    return nextResolve(ofSources, context);
  },
});

import { enableCompileCache, registerHooks } from 'node:module';

// Most of the time that a process or thread takes to start goes into compiling the same sources again.
enableCompileCache();

// Sources import each other as `./x.js`, which is what the build makes of `./x.ts`.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const isBuilt = context.parentURL?.includes('/node_modules/') === true;
    const isSource = !isBuilt && specifier.startsWith('.') && specifier.endsWith('.js');
    return nextResolve(isSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});

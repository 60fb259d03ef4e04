import { testContextProvider } from '@minne/conformance/context-provider';
import { startMem0Wire } from '@minne/mem0-wire';
import { createMem0PlatformClient, Mem0ContextProvider } from '../src/index.js';
import { apiKey } from './support/platform-world.js';

testContextProvider({
  name: 'Mem0ContextProvider over the platform client of mem0ai',
  abilities: { stall: true },
  create: async () => {
    const wire = await startMem0Wire({ apiKey });
    return {
      open: async () => {
        const client = await createMem0PlatformClient({ apiKey, host: wire.host });
        // It asks by itself too, and complains when the service has gone before it is answered.
        await client.ping();
        return new Mem0ContextProvider({ client });
      },
      stall: () => wire.fail('/v3/', 'stall'),
      remove: () => wire.close(),
    };
  },
});

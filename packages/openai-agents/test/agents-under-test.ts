import { Agent, tool } from '@openai/agents';
import { z } from 'zod';
import { add } from './wire-runner.js';

/** Adds, and pays once a person has approved. */
export const clerk = new Agent({
  name: 'Clerk',
  tools: [
    add,
    tool({
      name: 'pay',
      description: 'Pays an amount.',
      parameters: z.object({ amount: z.number() }),
      needsApproval: true,
      execute: ({ amount }) => `paid ${amount}`,
    }),
  ],
});

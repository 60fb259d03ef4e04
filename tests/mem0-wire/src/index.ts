export {
  type Mem0WireFault,
  type Mem0WireOptions,
  type Mem0WireRequest,
  type Mem0WireServer,
  startMem0Wire,
} from './mem0-wire-server.js';

import { describeObjectStore } from './conformance.suite.js';
import { MemoryStore } from './memory-store.suite.js';

describeObjectStore('the store in memory, of tests', {
  largeObject: 2_000_000,
  open: () => {
    const store = new MemoryStore();
    return Promise.resolve({ store, another: store });
  },
});

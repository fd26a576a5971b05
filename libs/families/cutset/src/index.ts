export { cutset } from './cutset.js';
export { Cutset } from './cutset-model.js';
export { CutsetTree, type CutsetNode } from './cutset-tree.js';
export { learnCutset, type CutsetOptions } from './learn-cutset.js';

// What a client of a cluster's store needs, without the program that trains: the command line imports this part alone.
export { clusterVariables, parseEnvironment } from './environment.js';
export { openStore } from './open-store.js';
